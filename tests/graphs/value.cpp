#include "tests/graphs/value.h"

#include <algorithm>

namespace emulsion::test {

Shape broadcast_shapes(const Shape &a, const Shape &b) {
    Shape result(std::max(a.size(), b.size()), 1);
    for (const Shape *shape : {&a, &b}) {
        for (size_t i = 0; i < shape->size(); i++) {
            int64_t &extent = result[result.size() - shape->size() + i];
            extent = (*shape)[i] == 1 ? extent : (*shape)[i];
        }
    }
    return result;
}

bool broadcasts_to(const Shape &small, const Shape &shape) {
    if (small.size() > shape.size()) {
        return false;
    }
    const size_t skipped = shape.size() - small.size();
    for (size_t i = 0; i < small.size(); i++) {
        if (small[i] != 1 && small[i] != shape[skipped + i]) {
            return false;
        }
    }
    return true;
}

double broadcast_at(const Value &x, const Shape &index) {
    size_t offset = 0;
    const size_t skipped = index.size() - x.shape.size();
    for (size_t i = 0; i < x.shape.size(); i++) {
        const int64_t at = x.shape[i] == 1 ? 0 : index[skipped + i];
        offset = offset * static_cast<size_t>(x.shape[i]) + static_cast<size_t>(at);
    }
    return x.at[offset];
}

}  // namespace emulsion::test
