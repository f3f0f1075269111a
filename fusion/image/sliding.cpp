#include "fusion/image/sliding.h"

#include <algorithm>

namespace emulsion {

namespace {

// Rows of a stage, counted from the row of the root that they are computed for.
struct Rows {
    int64_t first = 0, last = 0;
    bool starts_early = false;  // before the root, so that it has all rows that are needed at first
    bool known = true;          // nothing is said of rows that are read at other steps than one
};

}  // namespace

std::set<int> kept_whole(int root, const std::map<int, int> &row_axis, const StageCosts &costs) {
    std::set<int> whole;
    std::map<int, Rows> rows{{root, {}}};
    for (auto stage = row_axis.rbegin(); stage != row_axis.rend(); ++stage) {
        const auto [producer, axis] = *stage;
        std::vector<Rows> readers;
        for (const auto &[reader, at] : rows) {
            for (const DefinitionCost &cost : costs.at(reader)) {
                if (const auto read = cost.offsets.find(producer); read != cost.offsets.end()) {
                    const Offsets &offsets = read->second[static_cast<size_t>(axis)];
                    readers.push_back({at.last + offsets.least, at.last + offsets.most,
                                       at.starts_early, at.known && offsets.known});
                }
            }
        }
        if (readers.empty()) {
            continue;
        }
        Rows all = readers.front();
        for (const Rows &reader : readers) {
            all.first = std::min(all.first, reader.first);
            all.last = std::max(all.last, reader.last);
            all.known = all.known && reader.known;
        }
        const bool apart =
            all.known && std::any_of(readers.begin(), readers.end(), [&](const Rows &reader) {
                return reader.starts_early && reader.first > all.first;
            });
        if (apart) {
            whole.insert(producer);
        }
        all.starts_early = all.last > all.first;
        rows[producer] = all;
    }
    return whole;
}

std::set<int> computed_again(int root, const std::map<int, int> &row_axis,
                             const std::map<int, double> &rows_per_row, const StageCosts &costs) {
    std::set<int> again;
    for (auto stage = row_axis.rbegin(); stage != row_axis.rend(); ++stage) {
        const auto [producer, axis] = *stage;
        for (const auto &[reader, unused] : row_axis) {
            const bool is_coarse = reader != root && rows_per_row.at(reader) < 1.0;
            for (const DefinitionCost &cost : costs.at(reader)) {
                const auto read = cost.offsets.find(producer);
                if (read == cost.offsets.end()) {
                    continue;
                }
                const Offsets &offsets = read->second[static_cast<size_t>(axis)];
                const bool other_rows = !offsets.known || offsets.least != offsets.most;
                if (again.count(reader) != 0 || (is_coarse && other_rows)) {
                    again.insert(producer);
                }
            }
        }
    }
    return again;
}

bool mixes_rows(const std::map<int, int> &row_axis, const StageCosts &costs) {
    return std::any_of(row_axis.begin(), row_axis.end(), [&](const auto &stage) {
        const auto [producer, axis] = stage;
        bool has_steps = false, has_computed = false;
        for (const auto &[reader, unused] : row_axis) {
            for (const DefinitionCost &cost : costs.at(reader)) {
                if (const auto read = cost.offsets.find(producer); read != cost.offsets.end()) {
                    const Offsets &offsets = read->second[static_cast<size_t>(axis)];
                    has_steps = has_steps || offsets.has_steps;
                    has_computed = has_computed || offsets.has_computed;
                }
            }
        }
        return has_steps && has_computed;
    });
}

}  // namespace emulsion
