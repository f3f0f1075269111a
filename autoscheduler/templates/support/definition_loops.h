// One definition of a Func, the pure one or an update, as loops: which axes it walks freely, and splitting,
// ordering and fusing them without names that meet those of its other definitions.
#pragma once

#include <string>
#include <vector>

#include <Halide.h>

namespace emulsion {

class DefinitionLoops {
public:
    // 0: the pure definition; i: update i - 1.
    DefinitionLoops(const Halide::Func &func, int definition);

    Halide::Func func() const { return func_; }
    Halide::Stage &stage() { return stage_; }
    bool is_update() const { return definition_ > 0; }
    // The update writes at this axis' own variable, so that its iterations may run in any order.
    bool is_free(int axis) const;
    // An update that reads what its earlier iterations wrote elsewhere: their order is the algorithm's.
    bool is_scan() const;
    // Whether it may be specialised. Halide simplifies what is, also where the condition doesn't hold, and ends with a
    // signal where nobody reads any more what is computed (`f(x) > f(x)`).
    bool can_specialise() const;
    // Innermost first.
    const std::vector<Halide::RVar> &reduced() const { return reduced_; }

    // The loop that walks an axis now: all of it, or what splits have left inside.
    Halide::Var loop(int axis) const { return loops_[static_cast<size_t>(axis)]; }
    // Cuts it into steps; returns the inner loop, and the outer one stays the axis' loop. An update never
    // computes an element twice.
    Halide::Var split_inner(int axis, int64_t step, Halide::TailStrategy pure_tail);
    // Cuts it into steps; returns the outer loop, and the inner one stays the axis' loop.
    Halide::Var split_outer(int axis, int64_t step, Halide::TailStrategy pure_tail);
    // One loop over all of them (outermost last); not for none.
    Halide::Var fuse(const std::vector<Halide::Var> &loops);

private:
    Halide::TailStrategy tail(Halide::TailStrategy pure_tail) const;
    Halide::Var fresh(int axis, const std::string &what) const;

    Halide::Func func_;
    int definition_;
    Halide::Stage stage_;
    std::vector<Halide::Var> loops_;  // per axis
    std::vector<Halide::RVar> reduced_;
};

}  // namespace emulsion
