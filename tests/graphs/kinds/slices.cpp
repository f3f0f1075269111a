#include <algorithm>
#include <numeric>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

std::vector<Value> reference_split(const Call &call) {
    const Value &x = call[0];
    const auto axis = static_cast<size_t>(axis_from_start(call.integer("axis", 0), x.rank()));
    Shape sizes;
    if (call.has(1)) {
        sizes = call.integers(1);
    } else {
        const auto parts =
            call.integer("num_outputs", static_cast<int64_t>(call.node.outputs.size()));
        const int64_t each = (x.shape[axis] + parts - 1) / parts;
        for (int64_t left = x.shape[axis], i = 0; i < parts; i++, left -= each) {
            sizes.push_back(std::min(left, each));
        }
    }
    std::vector<Value> results;
    int64_t start = 0;
    for (const int64_t size : sizes) {
        Shape shape = x.shape;
        shape[axis] = size;
        results.push_back(moved_elements(x, shape, [&](Shape at) {
            at[axis] += start;
            return at;
        }));
        start += size;
    }
    return results;
}

// Elements start, start + step, ... of every axis, and how many.
struct Taken {
    int64_t start = 0, step = 1, count = 0;
};

std::vector<Value> reference_slice(const Call &call) {
    const Value &x = call[0];
    std::vector<Taken> taken;
    Shape shape;
    for (const int64_t extent : x.shape) {
        taken.push_back({0, 1, extent});
    }
    const Shape starts = call.integers(1), ends = call.integers(2);
    Shape axes(starts.size());
    std::iota(axes.begin(), axes.end(), 0);
    axes = call.has(3) ? call.integers(3) : axes;
    const Shape steps = call.has(4) ? call.integers(4) : Shape(starts.size(), 1);
    for (size_t i = 0; i < axes.size(); i++) {
        const auto axis = static_cast<size_t>(axis_from_start(axes[i], x.rank()));
        const int64_t extent = x.shape[axis], step = steps[i];
        int64_t start = axis_from_start(starts[i], static_cast<size_t>(extent));
        int64_t end = axis_from_start(ends[i], static_cast<size_t>(extent));
        start = std::clamp<int64_t>(start, 0, step > 0 ? extent : extent - 1);
        end = std::clamp<int64_t>(end, step > 0 ? 0 : -1, extent);
        int64_t count = 0;
        for (int64_t at = start; step > 0 ? at < end : at > end; at += step) {
            count++;
        }
        taken[axis] = {start, step, count};
    }
    for (const Taken &each : taken) {
        shape.push_back(each.count);
    }
    return {moved_elements(x, shape, [&](Shape at) {
        for (size_t i = 0; i < at.size(); i++) {
            at[i] = taken[i].start + at[i] * taken[i].step;
        }
        return at;
    })};
}

void split(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const auto axis_of = [&](const Value &v) { return std::min<size_t>(1, v.rank() - 1); };
    const TensorId x =
        maker.pick([&](const Value &v) { return v.rank() > 0 && v.shape[axis_of(v)] > 1; });
    const Shape shape = maker.shape(x);
    size_t axis = axis_of(maker.value(x));
    for (size_t i = 0; i < shape.size(); i++) {
        axis = shape[i] > 1 && draw.one_in(3) ? i : axis;
    }
    const int64_t extent = shape[axis], parts = std::min<int64_t>(extent, draw.integer(2, 4));
    maker.option("Split");
    if (draw.flip()) {
        const int64_t each = (extent + parts - 1) / parts;
        maker.require(each * (parts - 1) < extent);
        maker.option(extent % parts == 0 ? "equal parts" : "a smaller last part");
        maker.nodes("Split", {x}, {{"axis", static_cast<int64_t>(axis)}, {"num_outputs", parts}},
                    static_cast<size_t>(parts));
        return;
    }
    Shape sizes;
    for (int64_t left = extent, i = 1; i <= parts; i++) {
        sizes.push_back(i == parts ? left : draw.integer(1, left - (parts - i)));
        left -= sizes.back();
    }
    maker.option("given parts");
    maker.nodes("Split", {x, maker.list(sizes)}, {{"axis", static_cast<int64_t>(axis)}},
                sizes.size());
}

void slice(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick([](const Value &v) { return v.rank() > 0 && v.at.size() > 3; });
    const Shape shape = maker.shape(x);
    Shape starts, ends, axes, steps;
    for (size_t i = 0; i < shape.size(); i++) {
        if (!draw.one_in(2)) {
            continue;
        }
        const int64_t extent = shape[i];
        int64_t low = draw.integer(0, extent - 1), high = draw.integer(low + 1, extent);
        int64_t step = draw.one_in(3) ? draw.integer(2, 3) : 1;
        if (draw.one_in(4)) {
            maker.option("backwards");
            starts.push_back(high - 1);
            ends.push_back(low == 0 ? -extent - 5 : low - 1);
            step = -step;
        } else {
            const bool from_end = draw.one_in(4);
            if (from_end && low > 0) {
                maker.option("from the end");
            }
            starts.push_back(from_end && low > 0 ? low - extent : low);
            ends.push_back(high == extent && draw.flip() ? int64_t{1} << 40 : high);
        }
        if (step > 1) {
            maker.option("step");
        }
        steps.push_back(step);
        axes.push_back(draw.one_in(4) ? static_cast<int64_t>(i) - static_cast<int64_t>(shape.size())
                                      : static_cast<int64_t>(i));
    }
    maker.require(!axes.empty());
    maker.option("Slice");
    maker.option(axes.size() == 1 ? "one axis" : "several axes");
    maker.node("Slice",
               {x, maker.list(starts), maker.list(ends), maker.list(axes), maker.list(steps)});
}

void make_slices(GraphMaker &maker) { return maker.draw.flip() ? split(maker) : slice(maker); }

}  // namespace

const GraphKind &graph_kind_slices() {
    static const GraphKind kind = {
        .name = "Split, Slice",
        .weight = 6,
        .options = {"Split", "equal parts", "a smaller last part", "given parts", "Slice",
                    "backwards", "from the end", "step", "one axis", "several axes"},
        .make = make_slices,
        .operators = {{"Split", reference_split}, {"Slice", reference_slice}},
    };
    return kind;
}

}  // namespace emulsion
