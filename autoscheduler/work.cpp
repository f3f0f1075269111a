#include "autoscheduler/work.h"

#include <algorithm>
#include <set>

namespace emulsion {

namespace {

constexpr double kRead = 0.5;  // of an element, in vector operations

// Extents of a part's own axes: those of the result's axes of the same names, where it has fewer. Parts whose axes
// have other names are taken to have the extents of the result.
std::vector<int64_t> extents_of(const FuncFacts &part, const FuncFacts &result,
                                const std::vector<int64_t> &extents) {
    if (part.args.size() >= extents.size()) {
        return extents;
    }
    std::vector<int64_t> own;
    for (const std::string &axis : part.args) {
        const auto found = std::find(result.args.begin(), result.args.end(), axis);
        if (found == result.args.end()) {
            return extents;
        }
        own.push_back(extents[static_cast<size_t>(found - result.args.begin())]);
    }
    return own;
}

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

double operation_count(const FuncFacts &part, const FuncFacts &result,
                       const std::vector<int64_t> &extents) {
    const std::vector<int64_t> own = extents_of(part, result, extents);
    double count = part.operations * trips(part, false, own);
    if (part.is_reduction()) {
        count += part.update_operations * trips(part, true, own);
    }
    for (const TensorAccess &access : part.accesses) {
        count += kRead * trips(part, access.in_update, own);
    }
    return count;
}

double operation_count(const std::vector<FuncFacts> &parts, const std::vector<int64_t> &extents) {
    double count = 0.0;
    for (const FuncFacts &part : parts) {
        count += operation_count(part, parts.back(), extents);
    }
    return count;
}

double element_count(const FuncFacts &part, const FuncFacts &result,
                     const std::vector<int64_t> &extents) {
    return trips(part, false, extents_of(part, result, extents));
}

double read_count(const std::vector<FuncFacts> &parts, const std::string &tensor,
                  const std::vector<int64_t> &extents) {
    constexpr double kColumnVectors = 2.0;  // of a register block, about
    double count = 0.0;
    for (const FuncFacts &part : parts) {
        const std::vector<int64_t> own = extents_of(part, parts.back(), extents);
        for (const TensorAccess &access : part.accesses) {
            if (access.callee == tensor) {
                const bool shared = access.in_update && lacks_columns(part, tensor);
                count += trips(part, access.in_update, own) / (shared ? kColumnVectors : 1.0);
            }
        }
    }
    return count;
}

}  // namespace emulsion
