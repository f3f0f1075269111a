#include "fusion/image/shapes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

// Rows of a tile: those that give each thread this many tasks, and a few small numbers.
constexpr int64_t kTasksPerThread[] = {4, 8, 16};
constexpr int64_t kRowsOfTiles[] = {1, 8, 16, 32, 64, 128};
constexpr int64_t kColumns[] = {32, 64, 128, 256, 512};
std::set<int64_t> row_blocks(int64_t extent, const CpuMachine &machine, bool has_members) {
    std::set<int64_t> blocks;
    for (const int64_t tasks : kTasksPerThread) {
        const int64_t count = tasks * machine.threads;
        blocks.insert((extent + count - 1) / count);
    }
    if (has_members) {
        for (const int64_t rows : kRowsOfTiles) {
            blocks.insert(std::min(rows, extent));
        }
    }
    return blocks;
}

// An axis that is shorter than a block is computed as if it were as long: few rows where nobody knows how long it is.
std::set<int64_t> blocks_of_guess(const std::set<int64_t> &blocks) {
    constexpr int64_t kMostOfGuess = 8;
    std::set<int64_t> few;
    for (const int64_t rows : blocks) {
        few.insert(std::min(rows, kMostOfGuess));
    }
    return few;
}

// Of a root without rows, also columns that give each thread this many tasks, in whole vectors.
std::set<int64_t> column_blocks(const ImageStage &root, int64_t least, bool has_members,
                                const CpuMachine &machine) {
    std::set<int64_t> blocks{0};
    const bool cut = has_members || !root.is_pure() || root.extents.size() == 1;
    for (const int64_t columns : kColumns) {
        if (cut && columns < root.extents.front()) {
            blocks.insert(columns);
        }
    }
    if (root.extents.size() == 1) {
        for (const int64_t columns : row_blocks(root.extents.front(), machine, false)) {
            blocks.insert((columns + least - 1) / least * least);
        }
    }
    return blocks;
}

int64_t cut_axes(const Shape &tile) {
    return std::count_if(tile.block.begin(), tile.block.end(),
                         [](int64_t block) { return block > 0; });
}

double bytes_of(const ImageStage &root, const Shape &tile) {
    double bytes = root.element_bytes;
    for (size_t axis = 0; axis < tile.block.size(); axis++) {
        bytes *= static_cast<double>(tile.block[axis] > 0 ? tile.block[axis] : root.extents[axis]);
    }
    return bytes;
}

// Tiles of a root that is turned: some vectors along their axis, and one element along the others that all definitions
// walk freely.
std::vector<Shape> turned_shapes(const ImageStage &root, const ShapeLimits &limits,
                                 const CpuMachine &machine) {
    constexpr int64_t kVectors[] = {1, 2, 4};
    constexpr double kLargestTile = 128.0 * 1024;  // but for those of one vector
    Shape shape{std::vector<int64_t>(root.extents.size(), 0), -1, limits.host, false};
    for (size_t axis = 0; axis < shape.block.size(); axis++) {
        const bool is_free = std::all_of(root.definitions.begin(), root.definitions.end(),
                                         [&](const Definition &d) { return d.free[axis]; });
        shape.block[axis] = is_free ? 1 : 0;
    }
    std::vector<Shape> shapes;
    for (const int64_t vectors : kVectors) {
        shape.block[static_cast<size_t>(limits.vector_axis)] =
            vectors * lanes_of_vector(root, machine);
        if (shapes.empty() || bytes_of(root, shape) <= kLargestTile) {
            shapes.push_back(shape);
        }
    }
    return shapes;
}

}  // namespace

std::vector<Shape> candidate_shapes(const ImageStage &root, const ShapeLimits &limits,
                                    bool has_members, const CpuMachine &machine) {
    const int unrolled_axis = limits.unrolled_axis, host = limits.host;
    const size_t rank = root.extents.size();
    if (limits.vector_axis > 0) {
        return turned_shapes(root, limits, machine);
    }
    std::vector<Shape> shapes{{std::vector<int64_t>(rank, 0), -1, host, false}};
    if (rank == 0) {
        return shapes;
    }
    const auto add = [&](const Shape &shape) {
        shapes.push_back(shape);
        if (has_members && !root.definitions[static_cast<size_t>(host)].reduced.empty()) {
            shapes.push_back(shape);
            shapes.back().sweep = true;
        }
    };
    for (const int64_t columns : column_blocks(root, limits.least_columns, has_members, machine)) {
        Shape shape = shapes.front();
        shape.block.front() = columns;
        add(shape);
        for (size_t row = 1; row < rank; row++) {
            if (root.extents[row] == 1 || static_cast<int>(row) == unrolled_axis) {
                continue;
            }
            const std::set<int64_t> blocks = row_blocks(root.extents[row], machine, has_members);
            for (const int64_t rows : root.is_guessed(row) ? blocks_of_guess(blocks) : blocks) {
                std::vector<int64_t> before = shape.block;
                // All of the others' elements, one along those outside of it, or one along each.
                for (const size_t first_cut : {rank, row + 1, size_t{1}}) {
                    Shape tile = shape;
                    tile.block[row] = rows;
                    for (size_t other = first_cut; other < rank; other++) {
                        if (other != row && static_cast<int>(other) != unrolled_axis &&
                            root.extents[other] > 1) {
                            tile.block[other] = 1;
                        }
                    }
                    if (std::exchange(before, tile.block) == tile.block ||
                        cut_axes(tile) > kMostCutAxes) {
                        continue;
                    }
                    add(tile);
                    if (has_members && rows > 1 && root.is_pure()) {
                        tile.slide_axis = static_cast<int>(row);
                        shapes.push_back(tile);
                    }
                }
            }
        }
    }
    return shapes;
}

}  // namespace emulsion
