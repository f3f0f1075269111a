// What kinds of stages are made with: images over some of the pipeline's axes, and reads of them that stay right.
//
// All integers are small: a stage's values are at least -128 and at most 255, whatever its type, so that sums and
// products of a few fit 32 bits, which Halide takes for never overflowing. Floats are at most 256 in magnitude, and
// depend smoothly on what they are made of: sums may be reordered. No integer is made of a float.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/graphs/draw.h"
#include "tests/pipelines/random_pipeline.h"

namespace emulsion::test {

class PipelineMaker {
public:
    // Where a stage reads: its variables, or other expressions of 32-bit integers, by axis of the pipeline.
    using Place = std::map<int, Halide::Expr>;

    struct Image {
        Halide::Func func;
        std::vector<int> axes;  // of the pipeline, by dimension
        Halide::Type type = Halide::Int(32);
        int element = 0;  // of a tuple
        // Narrower floats hold integers.
        bool is_float() const { return type.is_float() && type.bits() >= 32; }
    };

    PipelineMaker(uint64_t seed, const PipelineSize &size, const PipelineNames &names = {});

    Draw draw;
    int64_t extent(int axis) const { return extents_.at(static_cast<size_t>(axis)); }
    int axis_count() const { return static_cast<int>(extents_.size()); }

    // One of those made before, likelier recent ones and those that nobody reads yet; with `floats`, of either type.
    const Image &any(bool floats);
    // With at least one axis, of integers.
    const Image &any_with_axes();

    // Axes of a new stage: mostly those of `like`, sometimes in another order, more or fewer.
    std::vector<int> some_axes(const Image &like);
    Halide::Type some_type(bool floats);
    Halide::Func func(const std::string &kind);

    static Halide::Var variable(int axis);
    static std::vector<Halide::Var> variables(const std::vector<int> &axes);
    static Place place(const std::vector<int> &axes);
    // The image's value at `place`, as a 32-bit integer or float; where it has an axis that `place` lacks, somewhere.
    Halide::Expr read(const Image &image, const Place &place);
    // Whether the next read is elsewhere along one more axis: what is needed grows along all of them at once, so where
    // there are many, seldom.
    bool moves();
    // With offsets of a few elements.
    Halide::Expr read_near(const Image &image, const Place &place);
    // An operand of either sort as a float.
    static Halide::Expr real(const Halide::Expr &value);
    // In the range of a stage's integers, of 32 bits.
    static Halide::Expr small(const Halide::Expr &value) { return value & 255; }
    // A value in the type of a stage, still in that range: 16 bits without a sign would hold 65531 for -5.
    static Halide::Expr stored_as(const Halide::Type &type, const Halide::Expr &value);
    // Coordinates of `place` in the order of `axes`.
    static std::vector<Halide::Expr> at(const std::vector<int> &axes, const Place &place);

    // A stage that is finished: others may read it.
    void add(const Halide::Func &func, const std::vector<int> &axes, const Halide::Type &type,
             int element = 0);

    // One that is `value` at every place, in a type that is drawn.
    void add_of_some_type(const std::string &kind, const std::vector<int> &axes,
                          const Halide::Expr &value);

    // All of these axes.
    Halide::Region whole(const std::vector<int> &axes) const;

    // Perhaps with schedules of users'; with more outputs and sums of what nobody reads yet, so that no stage is made for nothing.
    RandomPipeline finish(int outputs);

    RandomPipeline &made() { return made_; }

private:
    void add_inputs();
    bool is_unread(const Image &image) const { return read_.count(image.func.name()) == 0; }
    std::vector<Image> unread() const;
    std::vector<Halide::Func> stages() const;
    void sum_unread(size_t most);
    void add_output(const Image &image, const std::vector<int> &axes);

    PipelineNames names_;
    std::vector<int64_t> extents_;  // by axis
    std::vector<Image> images_;
    std::set<std::string> read_;  // names of Funcs
    RandomPipeline made_;
    int funcs_ = 0;
};

}  // namespace emulsion::test
