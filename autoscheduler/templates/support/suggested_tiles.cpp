// Register tiles to measure beside a chosen one.
#include <algorithm>

#include "autoscheduler/templates/support/tile_choice.h"
#include "fusion/in_turns.h"

namespace emulsion {

namespace {

struct Priced {
    Nest nest;
    double cost = 0.0;
};

void by_cost(std::vector<Priced> &list) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Priced &a, const Priced &b) { return a.cost < b.cost; });
}

class Suggestions {
public:
    Suggestions(const RegisterTileModel &model, const Nest &nest, const CpuMachine &machine)
        : model_(model), machine_(machine), nest_(nest), planned_(nest) {}

    // In turns, until all are used up: what is best of each kind comes early.
    std::vector<Nest> all() const {
        std::vector<Nest> nests;
        for (const Priced &each : in_turns<Priced>({tiles(), tasks(), walks()})) {
            nests.push_back(each.nest);
        }
        return nests;
    }

private:
    // Cycles of the busiest core.
    double cost(const RegisterTile &tile) const {
        return model_.task_cost(tile, model_.estimate(tile, machine_).cycles, machine_);
    }

    Priced priced(const Nest &nest) const { return {nest, cost(RegisterTile(nest))}; }

    // Tasks of about as many rows as before, in whole tiles.
    Nest with_tile(int64_t vectors, int64_t width, int64_t height) const {
        Nest nest = nest_;
        nest.parameters["vectors"] = vectors;
        nest.parameters["width"] = width;
        nest.parameters["height"] = height;
        const bool has_height = planned_.height_axis >= 0;
        const int64_t step = has_height ? height : width;
        nest.parameters["task_rows"] =
            std::max<int64_t>((planned_.task_rows + step / 2) / step, 1) * step;
        return nest;
    }

    std::vector<Priced> tiles() const {
        constexpr int64_t kMostVectors = 8, kMostHeight = 4, kMostWidth = 28;
        constexpr size_t kOfEach = 2;
        std::vector<Priced> found;
        for (int64_t v = 1; v <= kMostVectors; v++) {
            for (int64_t h = 1; h <= std::min(model_.height(), kMostHeight); h++) {
                std::vector<Priced> widths;
                for (int64_t w = 1; w <= std::min(model_.width(), kMostWidth); w++) {
                    const int64_t sums = v * h * w, used = sums + v + 1;
                    const bool is_planned =
                        v == planned_.vectors && h == planned_.height && w == planned_.width;
                    if (!is_planned && used <= machine_.vector_registers &&
                        2 * used > machine_.vector_registers) {
                        widths.push_back(priced(with_tile(v, w, h)));
                    }
                }
                by_cost(widths);
                widths.resize(std::min(widths.size(), kOfEach));
                found.insert(found.end(), widths.begin(), widths.end());
            }
        }
        by_cost(found);
        return found;
    }

    std::vector<Priced> tasks() const {
        std::vector<Priced> found;
        const bool has_height = planned_.height_axis >= 0;
        const int64_t step = has_height ? planned_.height : planned_.width;
        const int64_t rows = has_height ? model_.height() : model_.width();
        for (int64_t tiles = 1; tiles == 1 || tiles * step < 2 * rows; tiles *= 2) {
            for (const int64_t columns_outermost : {0, 1}) {
                Nest nest = nest_;
                nest.parameters["task_rows"] = std::min(tiles * step, rows);
                nest.parameters["columns_outermost"] = columns_outermost;
                if (nest != nest_) {
                    found.push_back(priced(nest));
                }
            }
        }
        by_cost(found);
        return found;
    }

    // The same tile, where its sums are walked or kept in another way.
    std::vector<Priced> walks() const {
        std::vector<Priced> found;
        const auto add = [&](const char *name, int64_t value) {
            Nest nest = nest_;
            nest.parameters[name] = value;
            if (nest != nest_) {
                found.push_back(priced(nest));
            }
        };
        add("buffered", planned_.buffered ? 0 : 1);
        add("unroll", planned_.unroll * 2);
        add("unroll", std::max<int64_t>(planned_.unroll / 2, 1));
        add("unroll_window", planned_.unroll_window ? 0 : 1);
        add("unroll", 1);
        add("unroll", planned_.unroll * 4);
        if (nest_.parameters.count("channel_block") > 0) {
            add("channel_block", 64);
            add("channel_block", 16);
        }
        return found;
    }

    const RegisterTileModel &model_;
    const CpuMachine &machine_;
    const Nest &nest_;
    const RegisterTile planned_;
};

}  // namespace

std::vector<Nest> suggested_tiles(const RegisterTileModel &model, const Nest &nest,
                                  const CpuMachine &machine) {
    return Suggestions(model, nest, machine).all();
}

}  // namespace emulsion
