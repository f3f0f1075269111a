#include "tuner/ansor/sketches.h"

#include <algorithm>

#include "fusion/nest.h"
#include "tuner/ansor/roles.h"

namespace emulsion {

namespace {

constexpr int64_t kMany = int64_t{1} << 62;

bool never(int64_t) { return false; }

bool is_inlined(int64_t value) { return value == static_cast<int64_t>(Placement::Inline); }

bool is_structure(const NestParameter &parameter) {
    return role_of(parameter) == ParameterRole::Structure;
}

}  // namespace

// Ansor's rules are about loops that are yet to be made; these are about what a template offers of them. "always inline" and
// "multi-level tiling with fusion" are the places of a stage, "add cache write" the result that is kept in registers or a buffer
// before it is stored; "multi-level tiling" itself is what templates do in all cases.
const std::vector<SketchRule> &sketch_rules() {
    static const std::vector<SketchRule> rules{
        {"place", [](const NestParameter &p) { return p.unit == "placement"; }, is_inlined},
        {"fuse rows",
         [](const NestParameter &p) { return own_name(p) == "slide" || own_name(p) == "sweep"; },
         never},
        {"cache write", [](const NestParameter &p) { return own_name(p) == "buffered"; }, never},
        {"axes",
         [](const NestParameter &p) {
             return is_structure(p) && (p.type == NestType::Axis || p.type == NestType::Axes);
         },
         never},
        {"loop order",
         [](const NestParameter &p) {
             return is_structure(p) && p.type == NestType::Flag && own_name(p) != "buffered";
         },
         never},
    };
    return rules;
}

Sketches::Sketches(const GridPoints &points) : points_(points) {
    const std::vector<NestParameter> &parameters = points.task().space.parameters;
    for (const SketchRule &rule : sketch_rules()) {
        for (size_t p = 0; p < parameters.size(); p++) {
            if (points.values(p) > 1 && rule.is_for(parameters[p])) {
                steps_.push_back({&rule, p, stage_of(parameters[p])});
            }
        }
    }
    // From the last stage to the first; in a stage, in the order of the rules.
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const Step &a, const Step &b) { return a.stage > b.stage; });
    count_ = count_from(0);
}

int64_t Sketches::count_from(size_t step) const {
    if (step == steps_.size()) {
        return 1;
    }
    const Step &here = steps_[step];
    const std::vector<int64_t> values = points_.tried(here.parameter);
    const auto ending = std::count_if(values.begin(), values.end(), here.rule->ends_stage);
    size_t behind = step + 1;
    while (behind < steps_.size() && steps_[behind].stage == here.stage) {
        behind++;
    }
    const auto times = [](int64_t a, int64_t b) { return b > 0 && a > kMany / b ? kMany : a * b; };
    const int64_t going_on = std::ssize(values) - ending;
    const int64_t ended = ending > 0 ? times(ending, count_from(behind)) : 0;
    return std::min(kMany, times(going_on, count_from(step + 1)) + ended);
}

bool Sketches::is_skipped(const Sketch &sketch, size_t step) const {
    return std::any_of(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(step),
                       [&](const Step &before) {
                           const int at = sketch[before.parameter];
                           return before.stage == steps_[step].stage && at != kOpen &&
                                  before.rule->ends_stage(
                                      points_.tried(before.parameter)[static_cast<size_t>(at)]);
                       });
}

Sketch Sketches::draw(std::mt19937_64 &engine) const {
    Sketch sketch(points_.parameters(), kOpen);
    for (size_t step = 0; step < steps_.size(); step++) {
        if (!is_skipped(sketch, step)) {
            const size_t parameter = steps_[step].parameter;
            sketch[parameter] = static_cast<int>(engine() % points_.values(parameter));
        }
    }
    return sketch;
}

std::vector<Sketch> Sketches::first(size_t most) const {
    std::vector<Sketch> found;
    derive(Sketch(points_.parameters(), kOpen), 0, most, found);
    return found;
}

void Sketches::derive(Sketch sketch, size_t step, size_t most, std::vector<Sketch> &found) const {
    while (step < steps_.size() && is_skipped(sketch, step)) {
        step++;
    }
    if (step == steps_.size()) {
        found.push_back(std::move(sketch));
        return;
    }
    const size_t parameter = steps_[step].parameter;
    for (size_t at = 0; at < points_.values(parameter) && found.size() < most; at++) {
        sketch[parameter] = static_cast<int>(at);
        derive(sketch, step + 1, most, found);
    }
}

int64_t sketches_of(const TuningTask &task) {
    const GridPoints points(task);
    return Sketches(points).count();
}

}  // namespace emulsion
