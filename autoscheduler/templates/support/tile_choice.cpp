#include "autoscheduler/templates/support/tile_choice.h"

#include <algorithm>

#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

constexpr int64_t kMostWidth = 28;
// A reduction loop's body of this many multiply-adds hides the loop itself.
constexpr int64_t kUnrolledOperations = 48;
constexpr int64_t kMostUnrolledTaps = 25;
// Of a block of columns whose weights lie as they came, in what one vector takes: its rows are in as many other places.
constexpr double kPieceCost = 8.0;
// Of a point of a lanewise reduction, in multiply-adds of one of its vectors: addresses.
constexpr double kPointCost = 0.1;

bool fits_registers(const RegisterTile &t, const CpuMachine &machine) {
    return t.vectors * t.width * t.height + t.vectors + 1 <= machine.vector_registers;
}

void choose_tasks(const RegisterTileModel &model, const CpuMachine &machine, RegisterTile &tile) {
    const double cycles = model.estimate(tile, machine).cycles;
    const bool has_height = tile.height_axis >= 0;
    const int64_t step = has_height ? tile.height : tile.width;
    const int64_t trips = ceil_div(has_height ? model.height() : model.width(), step);
    double best = 1e300;
    RegisterTile chosen = tile;
    // Of planes the next columns are the next elements: before the next rows.
    const int64_t most = model.is_planar() ? 1 : trips;
    for (int64_t tiles = 1; tiles <= most; tiles = tiles < 64 ? tiles + 1 : tiles * 2) {
        for (bool columns_outermost : {false, true}) {
            RegisterTile t = tile;
            t.task_rows = tiles * step;
            t.columns_outermost = columns_outermost;
            const double cost = model.task_cost(t, cycles, machine);
            if (cost < best) {
                best = cost;
                chosen = t;
            }
        }
    }
    tile = chosen;
}

// Enough independent accumulators to hide the latency, and few enough that the taps' weights stay in registers beside
// them.
void choose_lanewise_block(const RegisterTileModel &model, const CpuMachine &machine,
                           RegisterTile &tile) {
    const int64_t most = machine.vector_registers / 4;
    double best = 1e300;
    RegisterTile chosen = tile;
    for (const int64_t vectors : {2, 1, 3, 4}) {
        if (vectors > 1 && model.columns() < vectors * tile.vector) {
            continue;
        }
        for (int64_t w = 1; w <= std::min(model.width(), most / vectors); w++) {
            // Columns read per column made; several vectors share what is done for a point.
            const double overlap =
                model.reads_rows_once() ? 1.0 : 1.0 + 2.0 / static_cast<double>(w);
            const double cost = covered_share(model.columns(), vectors * tile.vector) *
                                covered_share(model.width(), w) *
                                (1.0 + 0.2 * overlap + kPointCost / static_cast<double>(vectors));
            if (cost < best) {
                best = cost;
                chosen.vectors = vectors;
                chosen.width = w;
            }
        }
    }
    tile = chosen;
    tile.columns_inside = model.reads_rows_once();
}

// Whether weights of no cache are walked for one row of the result only, as they came: memory decides, not registers.
bool is_vector_product(const RegisterTileModel &model, const RegisterTile &t,
                       const CpuMachine &machine) {
    return model.width() * model.height() == 1 && !t.padded && !model.is_planar() &&
           !machine.stays_private(model.weight_bytes());
}

// As much of each row of the weights as there are registers for, in blocks that threads share evenly.
void choose_long_pieces(const RegisterTileModel &model, const CpuMachine &machine,
                        RegisterTile &tile) {
    const int64_t most = std::min<int64_t>(machine.vector_registers * 3 / 4,
                                           std::max<int64_t>(model.columns() / tile.vector, 1));
    double best = 1e300;
    RegisterTile chosen = tile;
    for (int64_t vectors = 1; vectors <= most; vectors++) {
        RegisterTile t = tile;
        t.vectors = vectors;
        const double cost = covered_share(model.columns(), t.block()) *
                            model.estimate(t, machine).imbalance *
                            (1.0 + kPieceCost / static_cast<double>(vectors));
        if (cost < best) {
            best = cost;
            chosen = t;
        }
    }
    tile = chosen;
}

}  // namespace

int64_t largest_divisor(int64_t extent, int64_t most) {
    for (int64_t d = std::min(extent, std::max<int64_t>(most, 1)); d > 1; d--) {
        if (extent % d == 0) {
            return d;
        }
    }
    return 1;
}

void choose_contraction_tile(const RegisterTileModel &model, const CpuMachine &machine,
                             RegisterTile &tile) {
    const int64_t columns = model.columns();
    const int64_t most_vectors =
        tile.padded ? ceil_div(columns, tile.vector) : std::max<int64_t>(columns / tile.vector, 1);
    double best = 1e300;
    RegisterTile chosen = tile;
    for (int64_t vectors = 1; vectors <= std::min<int64_t>(most_vectors, 8); vectors++) {
        for (int64_t h = 1; h <= std::min<int64_t>(model.height(), 4); h++) {
            if (h > 1 && model.rows_differ()) {
                break;
            }
            for (int64_t w = 1; w <= std::min(model.width(), kMostWidth); w++) {
                RegisterTile t = tile;
                t.vectors = vectors;
                t.width = w;
                t.height = h;
                if (!fits_registers(t, machine)) {
                    continue;
                }
                // Blocks of one row share less between their taps, but need no second row: only a
                // clear gain pays for a taller block.
                const double cost =
                    model.block_cost(t, machine) * (1.0 + 0.01 * static_cast<double>(h - 1));
                if (cost < best) {
                    best = cost;
                    chosen = t;
                }
            }
        }
    }
    tile = chosen;
    if (is_vector_product(model, tile, machine)) {
        choose_long_pieces(model, machine, tile);
    }
    const int64_t operations = tile.vectors * tile.width * tile.height;
    tile.unroll = largest_divisor(model.inner_channels(),
                                  std::max<int64_t>(kUnrolledOperations / operations, 2));
    choose_tasks(model, machine, tile);
}

void choose_single_row(const RegisterTileModel &model, const CpuMachine &machine,
                       RegisterTile &tile) {
    RegisterTile best = tile;
    best.height = 1;
    for (int64_t w = 1; w <= std::min(model.width(), kMostWidth); w++) {
        RegisterTile t = best;
        t.width = w;
        if (fits_registers(t, machine) &&
            model.block_cost(t, machine) < model.block_cost(best, machine)) {
            best = t;
        }
    }
    tile = best;
}

void choose_lanewise_tile(const RegisterTileModel &model, int64_t taps, const CpuMachine &machine,
                          RegisterTile &tile) {
    choose_lanewise_block(model, machine, tile);
    tile.unroll_window = taps <= kMostUnrolledTaps;
    choose_tasks(model, machine, tile);
}

}  // namespace emulsion
