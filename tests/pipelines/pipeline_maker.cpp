#include "tests/pipelines/pipeline_maker.h"

#include <algorithm>
#include <cmath>

#include "tests/pipelines/partial_schedule.h"

namespace emulsion::test {

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::Type;
using Halide::Var;

constexpr int kMostAxes = 8;
constexpr int kMostOffset = 3;
// One pipeline in so many has rows of so many elements.
constexpr int kLongRows = 4, kLeastLong = 200, kMostLong = 5000;
constexpr int kMostOfAllTypes = 127;  // an integer

// Extents of `rank` axes that have about `elements` elements together; some are tiny, as channels are.
std::vector<int64_t> some_extents(Draw &draw, int rank, int64_t elements) {
    std::vector<int64_t> extents;
    double left = static_cast<double>(elements);
    for (int axis = rank; axis > 0; axis--) {
        const auto even = static_cast<int64_t>(std::pow(left, 1.0 / axis));
        const int64_t extent =
            rank > 2 && draw.one_in(3) ? draw.integer(1, 4) : draw.integer(1 + even / 3, 1 + even);
        extents.push_back(extent);
        left = std::max(left / static_cast<double>(extent), 1.0);
    }
    return extents;
}

void fill(Halide::Buffer<> buffer, Draw &draw) {
    const auto salt = static_cast<uint64_t>(draw.integer(1, 1 << 20));
    const auto number = [&](size_t i) { return (i * 2654435761U + salt) >> 7; };
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        if (buffer.type() == Halide::Float(32)) {
            static_cast<float *>(buffer.data())[i] =
                static_cast<float>(number(i) % 4001) / 16.0F - 125.0F;
        } else if (buffer.type() == Halide::UInt(8)) {
            static_cast<uint8_t *>(buffer.data())[i] = static_cast<uint8_t>(number(i));
        } else if (buffer.type() == Halide::Int(16)) {
            static_cast<int16_t *>(buffer.data())[i] = static_cast<int16_t>(number(i) % 256);
        } else {
            static_cast<int32_t *>(buffer.data())[i] = static_cast<int32_t>(number(i) % 256);
        }
    }
}

Func bounded(Draw &draw, const Halide::ImageParam &input) {
    using namespace Halide::BoundaryConditions;
    switch (draw.integer(0, 3)) {
    case 0: return constant_exterior(input, cast(input.type(), 7));
    case 1: return mirror_image(input);
    case 2: return repeat_image(input);
    default: return repeat_edge(input);
    }
}

}  // namespace

PipelineMaker::PipelineMaker(uint64_t seed, const PipelineSize &size, const PipelineNames &names)
    : draw(seed), names_(names) {
    const auto rank =
        static_cast<int>(draw.one_in(6) ? draw.integer(1, kMostAxes) : draw.integer(1, 3));
    if (draw.one_in(kLongRows)) {
        const int64_t columns = draw.integer(kLeastLong, kMostLong);
        extents_ = some_extents(draw, rank - 1, std::max<int64_t>(1, size.most_elements / columns));
        extents_.insert(extents_.begin(), columns);
    } else {
        extents_ = some_extents(draw, rank, size.most_elements);
    }
    add_inputs();
}

void PipelineMaker::add_inputs() {
    const int64_t count = draw.integer(1, 3);
    for (int64_t i = 0; i < count; i++) {
        const Type type = i == 0 ? draw.of({Halide::UInt(8), Halide::Int(16), Halide::Int(32)})
                                 : draw.of({Halide::UInt(8), Halide::Int(32), Halide::Float(32)});
        Halide::ImageParam input(type, axis_count(), "input" + std::to_string(i));
        std::vector<int> size, axes;
        for (int axis = 0; axis < axis_count(); axis++) {
            size.push_back(static_cast<int>(extent(axis)));
            axes.push_back(axis);
            input.dim(axis).set_estimate(0, size.back());
        }
        std::vector<int> order = axes;
        if (draw.one_in(4)) {
            std::reverse(order.begin(), order.end());
            input.dim(0).set_stride(Expr());  // any
        }
        Halide::Buffer<> buffer(type, size, order);
        fill(buffer, draw);
        input.set(buffer);
        made_.inputs.push_back(input);
        images_.push_back({bounded(draw, input), axes, type, 0});
    }
}

const PipelineMaker::Image &PipelineMaker::any(bool floats) {
    constexpr int64_t kRecent = 4;
    constexpr int kTries = 8;
    const bool only_unread = draw.flip();
    for (int tries = 0;; tries++) {
        const auto all = static_cast<int64_t>(images_.size());
        const int64_t back =
            draw.one_in(5) ? draw.integer(1, all) : std::min(draw.integer(1, kRecent), all);
        const Image &image = images_[static_cast<size_t>(all - back)];
        if (only_unread && tries < kTries && !is_unread(image)) {
            continue;
        }
        if (floats || !image.is_float()) {
            return image;
        }
        if (draw.one_in(8)) {
            return images_.front();
        }
    }
}

const PipelineMaker::Image &PipelineMaker::any_with_axes() {
    const Image &image = any(false);
    return image.axes.empty() ? images_.front() : image;
}

std::vector<int> PipelineMaker::some_axes(const Image &like) {
    std::vector<int> axes = like.axes;
    if (axes.size() < 2 || draw.one_in(4)) {
        axes.clear();
        for (int axis = 0; axis < axis_count(); axis++) {
            axes.push_back(axis);
        }
    }
    if (axes.size() > 1 && draw.one_in(6)) {
        std::swap(axes[0], axes[static_cast<size_t>(draw.integer(1, 1))]);
    }
    if (axes.size() > 1 && draw.one_in(10)) {
        axes.erase(axes.begin() + draw.below(axes.size()));
    }
    return axes;
}

Type PipelineMaker::some_type(bool floats) {
    if (floats) {
        return draw.one_in(8) ? Halide::Float(64) : Halide::Float(32);
    }
    // bfloat16 has just the bits for integers up to 256.
    return draw.of({Halide::Int(32), Halide::Int(32), Halide::Int(32), Halide::Int(32),
                    Halide::UInt(8), Halide::UInt(8), Halide::UInt(8), Halide::Int(8),
                    Halide::Int(16), Halide::Int(16), Halide::UInt(16), Halide::UInt(32),
                    Halide::Int(64), Halide::UInt(64), Halide::Float(16), Halide::BFloat(16)});
}

Func PipelineMaker::func(const std::string &kind) {
    const int number = funcs_++;
    return Func(names_ ? names_(kind, number) : kind + "_" + std::to_string(number));
}

Var PipelineMaker::variable(int axis) { return Var("v" + std::to_string(axis)); }

std::vector<Var> PipelineMaker::variables(const std::vector<int> &axes) {
    std::vector<Var> result;
    for (const int axis : axes) {
        result.push_back(variable(axis));
    }
    return result;
}

PipelineMaker::Place PipelineMaker::place(const std::vector<int> &axes) {
    Place result;
    for (const int axis : axes) {
        result[axis] = variable(axis);
    }
    return result;
}

std::vector<Expr> PipelineMaker::at(const std::vector<int> &axes, const Place &place) {
    std::vector<Expr> result;
    for (const int axis : axes) {
        result.push_back(place.at(axis));
    }
    return result;
}

Expr PipelineMaker::read(const Image &image, const Place &place) {
    Place complete = place;
    for (const int axis : image.axes) {
        if (complete.count(axis) == 0) {
            complete[axis] = static_cast<int>(draw.integer(0, extent(axis) - 1));
        }
    }
    read_.insert(image.func.name());
    const Halide::FuncRef call = image.func(at(image.axes, complete));
    const Expr value = image.func.outputs() > 1 ? Expr(call[image.element]) : Expr(call);
    if (image.type.is_float() && !image.is_float()) {
        // Halide takes int8(int32(x)) for int8(x), which a float of 132 has no value for, but vectors have another; and
        // it leaves out a clamp that does nothing to the int32. What is left has a value in every type.
        // And in bounds it takes a float16 of numbers up to 65535 for one up to infinity, which no int32 is.
        return cast<int>(clamp(value, cast(image.type, 0), cast(image.type, kMostOfAllTypes)));
    }
    return image.is_float() ? cast<float>(value) : cast<int>(value);
}

bool PipelineMaker::moves() {
    constexpr int64_t kFewAxes = 3;
    return draw.one_in(std::max<int64_t>(2, 2 * (axis_count() - kFewAxes + 1)));
}

Expr PipelineMaker::read_near(const Image &image, const Place &place) {
    Place near = place;
    for (auto &[axis, at] : near) {
        if (moves()) {
            at += static_cast<int>(draw.integer(-kMostOffset, kMostOffset));
        }
    }
    return read(image, near);
}

Expr PipelineMaker::real(const Expr &value) {
    return value.type().is_float() ? value : cast<float>(value);
}

Expr PipelineMaker::stored_as(const Type &type, const Expr &value) {
    return cast(type, type == Halide::UInt(16) ? max(value, 0) : value);
}

void PipelineMaker::add(const Func &func, const std::vector<int> &axes, const Type &type,
                        int element) {
    images_.push_back({func, axes, type, element});
    if (element == 0) {
        made_.funcs.push_back(func.name());
    }
}

void PipelineMaker::add_of_some_type(const std::string &kind, const std::vector<int> &axes,
                                     const Expr &value) {
    const Type type = some_type(value.type().is_float());
    Func f = func(kind);
    f(variables(axes)) = stored_as(type, value);
    add(f, axes, type);
}

Halide::Region PipelineMaker::whole(const std::vector<int> &axes) const {
    Halide::Region all;
    for (const int axis : axes) {
        all.emplace_back(0, static_cast<int>(extent(axis)));
    }
    return all;
}

std::vector<PipelineMaker::Image> PipelineMaker::unread() const {
    std::vector<Image> result;
    for (const Image &image : images_) {
        if (is_unread(image)) {
            result.push_back(image);
        }
    }
    return result;
}

void PipelineMaker::sum_unread(size_t most) {
    constexpr size_t kSummed = 5;
    std::vector<Image> left = unread();
    while (left.size() > most) {
        const std::vector<int> axes = some_axes(left.back());
        Expr sum;  // of floats where one of them is
        for (size_t i = 0; i < kSummed && !left.empty(); i++, left.pop_back()) {
            const Expr value = read(left.back(), place(axes));
            sum = sum.defined() ? sum + value : value;
        }
        const bool is_real = sum.type().is_float();
        add_of_some_type("gathered", axes, is_real ? sum * (1.0F / kSummed) : small(sum));
        left.insert(left.begin(), images_.back());
    }
}

void PipelineMaker::add_output(const Image &image, const std::vector<int> &axes) {
    Func out = func("out");
    const Expr value = read(image, place(axes));
    const std::vector<Var> vars = variables(axes);
    if (draw.one_in(6)) {
        out(vars) = Halide::Tuple(value, read_near(any(false), place(axes)));
    } else {
        out(vars) = value;
        if (draw.one_in(6)) {
            out(vars) = image.is_float() ? out(vars) * 0.5F : small(out(vars) * 3 + 1);
        }
    }
    const bool as_estimated = draw.flip();
    std::vector<int> extents;
    for (const int axis : axes) {
        const auto estimate = static_cast<int>(extent(axis));
        out.set_estimate(variable(axis), 0, estimate);
        // Fewer than a vector has, a few more than estimated, primes.
        extents.push_back(as_estimated || draw.flip()
                              ? estimate
                              : draw.of({1, 2, 3, 5, 7, 13, 17, 31, std::max(estimate - 1, 1),
                                         estimate + 1, estimate + 5}));
    }
    made_.outputs.push_back(out);
    made_.extents.push_back(extents);
}

std::vector<Func> PipelineMaker::stages() const {
    std::vector<Func> funcs;
    for (const Image &image : images_) {
        if (!is_unread(image) && image.element == 0) {
            funcs.push_back(image.func);
        }
    }
    return funcs;
}

RandomPipeline PipelineMaker::finish(int outputs) {
    sum_unread(static_cast<size_t>(outputs));
    const std::vector<Image> left = unread();
    for (int i = 0; i < std::max(outputs, static_cast<int>(left.size())); i++) {
        const auto at = static_cast<size_t>(i);
        const Image image = at < left.size() ? left[at] : any(true);
        add_output(image, image.axes.empty() || draw.one_in(3) ? some_axes(image) : image.axes);
    }
    schedule_in_part(draw, stages(), made_);
    return std::move(made_);
}

}  // namespace emulsion::test
