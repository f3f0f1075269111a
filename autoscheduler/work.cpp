#include "autoscheduler/work.h"

#include <algorithm>
#include <set>

namespace emulsion {

namespace {

constexpr double kRead = 0.5;  // of an element, in vector operations

// How often the definition that `access` is in is computed.
double trips(const FuncFacts &part, bool in_update, const std::vector<int64_t> &extents) {
    double count = 1.0;
    for (const int64_t extent : extents) {
        count *= static_cast<double>(std::max<int64_t>(extent, 1));
    }
    for (const ReductionLoop &loop : part.reduction) {
        count *= in_update ? static_cast<double>(std::max<int64_t>(loop.extent, 1)) : 1.0;
    }
    return count;
}

// Whether every read of `tensor` in the update has the axis along which the other factor of a product
// has its columns: one that is read by no other access.
bool lacks_columns(const FuncFacts &part, const std::string &tensor) {
    std::set<int> others;
    for (const TensorAccess &access : part.accesses) {
        if (access.in_update && access.callee != tensor && access.callee != part.name) {
            const std::set<int> axes = part.axes_read(access.callee);
            others.insert(axes.begin(), axes.end());
        }
    }
    for (const int axis : part.axes_read(tensor)) {
        others.erase(axis);
    }
    return !others.empty();
}

}  // namespace

double operation_count(const std::vector<FuncFacts> &parts, const std::vector<int64_t> &extents) {
    double count = 0.0;
    for (const FuncFacts &part : parts) {
        count += part.operations * trips(part, false, extents);
        if (part.is_reduction()) {
            count += part.update_operations * trips(part, true, extents);
        }
        for (const TensorAccess &access : part.accesses) {
            count += kRead * trips(part, access.in_update, extents);
        }
    }
    return count;
}

double read_count(const std::vector<FuncFacts> &parts, const std::string &tensor,
                  const std::vector<int64_t> &extents) {
    constexpr double kColumnVectors = 2.0;  // of a register block, about
    double count = 0.0;
    for (const FuncFacts &part : parts) {
        for (const TensorAccess &access : part.accesses) {
            if (access.callee == tensor) {
                const bool shared = access.in_update && lacks_columns(part, tensor);
                count += trips(part, access.in_update, extents) / (shared ? kColumnVectors : 1.0);
            }
        }
    }
    return count;
}

}  // namespace emulsion
