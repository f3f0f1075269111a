// Sketches: the structures that the programs of a task may have, without the numbers (Ansor, OSDI 2020, section 4.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tuner/grid_points.h"

namespace emulsion {

// By parameter: the position of the value that the sketch has decided, or kOpen.
using Sketch = std::vector<int>;
constexpr int kOpen = -1;

// A rule decides one parameter of a stage. Rules are applied to the stages from the last one, which stores the result, to the
// first; each is skipped where it is for none of the stage's parameters, and else gives a branch for every value.
struct SketchRule {
    std::string name;
    bool (*is_for)(const NestParameter &parameter);
    // Whether nothing else of the stage is left to decide after that value (Ansor's "apply and skip the rest").
    bool (*ends_stage)(int64_t value);
};

const std::vector<SketchRule> &sketch_rules();

// How many a task has.
int64_t sketches_of(const TuningTask &task);

class Sketches {
public:
    // Of points that outlive this.
    explicit Sketches(const GridPoints &points);

    // All that the rules lead to; at most 2^62.
    int64_t count() const { return count_; }
    // One of them: where a rule branches, each branch is as likely.
    Sketch draw(std::mt19937_64 &engine) const;
    // At most so many, in the order of the branches.
    std::vector<Sketch> first(size_t most) const;

private:
    // A rule applied to a parameter.
    struct Step {
        const SketchRule *rule = nullptr;
        size_t parameter = 0;
        size_t stage = 0;
    };
    bool is_skipped(const Sketch &sketch, size_t step) const;
    int64_t count_from(size_t step) const;
    void derive(Sketch sketch, size_t step, size_t most, std::vector<Sketch> &found) const;

    const GridPoints &points_;
    std::vector<Step> steps_;
    int64_t count_ = 1;
};

}  // namespace emulsion
