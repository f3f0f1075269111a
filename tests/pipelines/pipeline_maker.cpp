#include "tests/pipelines/pipeline_maker.h"

#include <algorithm>
#include <cmath>

namespace emulsion::test {

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::Type;
using Halide::Var;

constexpr int kMostAxes = 8;
constexpr int kMostOffset = 3;

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
    extents_ = some_extents(draw, rank, size.most_elements);
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
        Halide::Buffer<> buffer(type, size);
        fill(buffer, draw);
        input.set(buffer);
        made_.inputs.push_back(input);
        images_.push_back({bounded(draw, input), axes, type, 0});
    }
}

const PipelineMaker::Image &PipelineMaker::any(bool floats) {
    constexpr int64_t kRecent = 4;
    for (;;) {
        const auto all = static_cast<int64_t>(images_.size());
        const int64_t back =
            draw.one_in(5) ? draw.integer(1, all) : std::min(draw.integer(1, kRecent), all);
        const Image &image = images_[static_cast<size_t>(all - back)];
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
        return Halide::Float(32);
    }
    return draw.of({Halide::Int(32), Halide::Int(32), Halide::Int(32), Halide::UInt(8),
                    Halide::UInt(8), Halide::Int(8), Halide::Int(16), Halide::UInt(16),
                    Halide::UInt(32), Halide::Int(64), Halide::UInt(64)});
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
    const Halide::FuncRef call = image.func(at(image.axes, complete));
    const Expr value = image.func.outputs() > 1 ? Expr(call[image.element]) : Expr(call);
    return image.is_float() ? value : cast<int>(value);
}

Expr PipelineMaker::read_near(const Image &image, const Place &place) {
    Place near = place;
    for (auto &[axis, at] : near) {
        if (draw.one_in(2)) {
            at += static_cast<int>(draw.integer(-kMostOffset, kMostOffset));
        }
    }
    return read(image, near);
}

Expr PipelineMaker::real(const Expr &value) {
    return value.type().is_float() ? value : cast<float>(value);
}

void PipelineMaker::add(const Func &func, const std::vector<int> &axes, const Type &type,
                        int element) {
    images_.push_back({func, axes, type, element});
}

void PipelineMaker::add_of_some_type(const std::string &kind, const std::vector<int> &axes,
                                     const Expr &value) {
    const Type type = some_type(value.type().is_float());
    Func f = func(kind);
    f(variables(axes)) = cast(type, value);
    add(f, axes, type);
}

Halide::Region PipelineMaker::whole(const std::vector<int> &axes) const {
    Halide::Region all;
    for (const int axis : axes) {
        all.emplace_back(0, static_cast<int>(extent(axis)));
    }
    return all;
}

RandomPipeline PipelineMaker::finish(int outputs) {
    for (int i = 0; i < outputs; i++) {
        const Image &image = i == 0 ? images_.back() : any(true);
        const std::vector<int> axes = i == 0 && !image.axes.empty() ? image.axes : some_axes(image);
        Func out = func("out");
        const Expr value = read(image, place(axes));
        out(variables(axes)) = image.is_float() ? value : cast<int>(value);
        std::vector<int> extents;
        for (const int axis : axes) {
            extents.push_back(static_cast<int>(extent(axis)));
            out.set_estimate(variable(axis), 0, extents.back());
        }
        made_.outputs.push_back(out);
        made_.extents.push_back(extents);
    }
    return std::move(made_);
}

}  // namespace emulsion::test
