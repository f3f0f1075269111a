// Lists made one.
#pragma once

#include <vector>

namespace emulsion {

// The first elements of all lists, in the lists' order, then their second ones, and so on.
template<typename T>
std::vector<T> in_turns(const std::vector<std::vector<T>> &lists) {
    std::vector<T> all;
    for (size_t i = 0;; i++) {
        const size_t before = all.size();
        for (const std::vector<T> &list : lists) {
            if (i < list.size()) {
                all.push_back(list[i]);
            }
        }
        if (all.size() == before) {
            return all;
        }
    }
}

}  // namespace emulsion
