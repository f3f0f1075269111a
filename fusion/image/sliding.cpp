#include "fusion/image/sliding.h"

#include <algorithm>

namespace emulsion {

namespace {

// Lowering takes 0.2 s with so many, 2 s with three more, and 25 s with five (measured with Halide 21).
constexpr int kMostComputedRows = 6;

// Rows of a stage, counted from the row of the root that they are computed for.
struct Rows {
    int64_t first = 0, last = 0;
    bool starts_early = false;  // before the root, so that it has all rows that are needed at first
    bool known = true;          // nothing is said of rows that are read at other steps than one
};

// A read of a stage's rows by one that is computed row by row, too, perhaps by itself.
struct RowRead {
    int reader = -1;
    Offsets offsets;
};

std::vector<RowRead> reads_of(const std::pair<const int, int> &stage,
                              const std::map<int, int> &row_axis, const StageCosts &costs) {
    const auto [producer, axis] = stage;
    std::vector<RowRead> reads;
    for (const auto &[reader, unused] : row_axis) {
        for (const DefinitionCost &cost : costs.at(reader)) {
            if (const auto read = cost.offsets.find(producer); read != cost.offsets.end()) {
                reads.push_back({reader, read->second[static_cast<size_t>(axis)]});
            }
        }
    }
    return reads;
}

}  // namespace

std::set<int> kept_whole(int root, const std::map<int, int> &row_axis, const StageCosts &costs) {
    std::set<int> whole;
    std::map<int, Rows> rows{{root, {}}};
    for (auto stage = row_axis.rbegin(); stage != row_axis.rend(); ++stage) {
        std::vector<Rows> readers;
        for (const auto &[reader, offsets] : reads_of(*stage, row_axis, costs)) {
            if (const auto found = rows.find(reader); found != rows.end()) {
                const Rows &at = found->second;
                readers.push_back({at.last + offsets.least, at.last + offsets.most, at.starts_early,
                                   at.known && offsets.known});
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
            whole.insert(stage->first);
        }
        all.starts_early = all.last > all.first;
        rows[stage->first] = all;
    }
    return whole;
}

std::set<int> computed_again(int root, const std::map<int, int> &row_axis,
                             const std::map<int, double> &rows_per_row, const StageCosts &costs) {
    std::set<int> again;
    for (auto stage = row_axis.rbegin(); stage != row_axis.rend(); ++stage) {
        const std::vector<RowRead> reads = reads_of(*stage, row_axis, costs);
        const bool is_again = std::any_of(reads.begin(), reads.end(), [&](const RowRead &read) {
            const bool is_coarse = read.reader != root && rows_per_row.at(read.reader) < 1.0;
            const bool other_rows = !read.offsets.known || read.offsets.least != read.offsets.most;
            return again.count(read.reader) != 0 || (is_coarse && other_rows);
        });
        if (is_again) {
            again.insert(stage->first);
        }
    }
    return again;
}

bool mixes_rows(const std::map<int, int> &row_axis, const StageCosts &costs) {
    return std::any_of(row_axis.begin(), row_axis.end(), [&](const auto &stage) {
        const std::vector<RowRead> reads = reads_of(stage, row_axis, costs);
        const auto any = [&](bool Offsets::*has) {
            return std::any_of(reads.begin(), reads.end(),
                               [&](const RowRead &read) { return read.offsets.*has; });
        };
        return any(&Offsets::has_steps) && any(&Offsets::has_computed);
    });
}

bool nests_computed_rows(const std::map<int, int> &row_axis, const StageCosts &costs) {
    std::map<int, int> depth;  // by stage, of the reads from it to the root
    for (auto stage = row_axis.rbegin(); stage != row_axis.rend(); ++stage) {
        int &deepest = depth[stage->first];
        for (const auto &[reader, offsets] : reads_of(*stage, row_axis, costs)) {
            if (reader != stage->first) {
                deepest = std::max(deepest, depth[reader] + (offsets.has_computed ? 1 : 0));
            }
        }
        if (deepest > kMostComputedRows) {
            return true;
        }
    }
    return false;
}

}  // namespace emulsion
