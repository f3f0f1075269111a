#include "tests/pipelines/partial_schedule.h"

#include <algorithm>

namespace emulsion::test {

namespace {

using Halide::Func;
using Halide::Var;

constexpr int kPipelines = 3;  // one in so many
constexpr int64_t kMostStages = 4;

// (Halide would call the lanes v0, v1 and so on, as axes may be called.)
void vectorize(Halide::Stage stage, const Var &axis, int lanes) {
    const Var lane("lane");
    stage.split(axis, axis, lane, lanes).vectorize(lane);
}

void specialize(Draw &draw, Func f, RandomPipeline &made) {
    Halide::Param<int> number("special" + std::to_string(made.parameters.size()));
    number.set(static_cast<int>(draw.integer(1, 2)));
    made.parameters.push_back(number);
    if (f.has_update_definition()) {
        f.update(0).specialize(number == 1);
    } else {
        vectorize(f.specialize(number == 1), f.args().front(), 4);
    }
}

void schedule(Draw &draw, Func f, RandomPipeline &made) {
    const std::vector<Var> vars = f.args();
    if (vars.empty() || f.function().has_extern_definition()) {
        f.compute_root();
        return;
    }
    const Var outer("outer"), inner("inner");
    switch (draw.integer(0, 7)) {
    case 0: f.compute_root(); break;
    case 1: vectorize(f.compute_root(), vars.front(), 4); break;
    case 2: f.compute_root().parallel(vars.back()); break;
    case 3: vectorize(f, vars.front(), 8); break;
    case 4: f.compute_root().split(vars.back(), outer, inner, 3).unroll(inner); break;
    case 5: f.store_in(Halide::MemoryType::Heap); break;
    case 6:
        f.compute_root();
        if (vars.size() > 1) {
            f.reorder_storage(std::vector<Var>(vars.rbegin(), vars.rend()));
        }
        break;
    default: specialize(draw, f, made); break;
    }
}

}  // namespace

void schedule_in_part(Draw &draw, const std::vector<Func> &stages, RandomPipeline &made) {
    if (stages.empty() || !draw.one_in(kPipelines)) {
        return;
    }
    std::vector<size_t> done;
    for (int64_t left = draw.integer(1, kMostStages); left > 0; left--) {
        const auto at = static_cast<size_t>(draw.below(stages.size()));
        if (std::count(done.begin(), done.end(), at) == 0) {
            done.push_back(at);
            schedule(draw, stages[at], made);
        }
    }
}

}  // namespace emulsion::test
