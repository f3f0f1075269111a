// Numbers for the sizes and parameters that expressions depend on.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace emulsion {

// Of an axis of an output, as its bounds, estimates or buffer say. Undefined where none does.
struct AxisSize {
    Halide::Expr min, extent;
};
AxisSize size_of_axis(const Halide::Internal::Function &output, int axis);

// What is fixed, else what is estimated, else a guess: a schedule is for some size, and is right for all. Of a
// parameter without an estimate, its default within its limits; an input without one is as large as the
// first output along the same axis.
class Estimates {
public:
    // Throws Error naming the output and the dimension of it that has neither bounds nor an estimate.
    explicit Estimates(const std::vector<Halide::Func> &outputs);

    // `e` with numbers for parameters and sizes of buffers.
    Halide::Expr substituted(const Halide::Expr &e) const;
    // The number that this makes of `e`; nothing where it depends on data.
    std::optional<int64_t> constant(const Halide::Expr &e) const;

    // Bounds of an output.
    const Halide::Internal::Box &output(const std::string &name) const { return outputs_.at(name); }
    // The longest axis of all outputs.
    int64_t longest() const { return longest_; }

private:
    Halide::Internal::Box box_of(const Halide::Internal::Function &output) const;

    std::map<std::string, Halide::Internal::Box> outputs_;
    std::vector<int64_t> extents_;  // of the first output
    int64_t longest_ = 1;
};

}  // namespace emulsion
