// Who writes and who fills what launches read, in plans of random networks in which values lie in each other.

#include <gtest/gtest.h>

#include "frontend/lower/compute_constants.h"
#include "frontend/lower/network.h"
#include "fusion/layout.h"
#include "tests/backend/memory_check.h"
#include "tests/lower/network_maker.h"

namespace emulsion {

namespace {

using test::NetworkMaker;
using test::Shape;

// Convolutions, transposed ones and pools that read around images which are joined, cut and turned.
class JoinedImages {
public:
    explicit JoinedImages(uint64_t seed) : maker_(seed) {}

    Graph make() {
        for (int64_t i = integer(1, 2); i > 0; i--) {
            images_.push_back(maker_.input({1, integer(1, 3) * 2, integer(3, 7), integer(3, 7)}));
        }
        const int64_t steps = integer(4, 9);
        for (int64_t i = 0; i < steps; i++) {
            step();
        }
        return maker_.finish_all();
    }

private:
    int64_t integer(int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(maker_.engine());
    }

    void step() {
        const TensorId x =
            images_[static_cast<size_t>(integer(0, static_cast<int64_t>(images_.size()) - 1))];
        switch (integer(0, 7)) {
        case 0:
        case 1:
            images_.push_back(maker_.conv(x, {.channels = integer(1, 3) * 2,
                                              .kernel = 3,
                                              .padding = integer(0, 1),
                                              .bias = false}));
            break;
        case 2: images_.push_back(maker_.pool("MaxPool", x, 3, 1, 1)); break;
        case 3: images_.push_back(transposed_conv(x)); break;
        case 4: images_.push_back(cut(x)); break;
        case 5: images_.push_back(turned(x)); break;
        default: images_.push_back(joined(x)); break;
        }
        if (element_count(maker_.shape(images_.back())) > 4000 || smallest() < 3) {
            images_.pop_back();  // it stays an output
        }
    }

    int64_t smallest() const {
        const Shape shape = maker_.shape(images_.back());
        return std::min(shape[2], shape[3]);
    }

    TensorId transposed_conv(TensorId x) {
        const Shape in = maker_.shape(x);
        const TensorId w = maker_.constant({in[1], 2, 3, 3});
        return maker_.node("ConvTranspose", {x, w}, {in[0], 2, 2 * in[2] - 1, 2 * in[3] - 1},
                           {{"strides", Shape{2, 2}}, {"pads", Shape{1, 1, 1, 1}}});
    }

    TensorId cut(TensorId x) {
        Shape shape = maker_.shape(x);
        const int64_t axis = integer(1, 3);
        int64_t &extent = shape[static_cast<size_t>(axis)];
        const int64_t first = integer(0, extent - 1), last = integer(first, extent - 1);
        extent = last + 1 - first;
        return maker_.node(
            "Slice",
            {x, maker_.integers({first}), maker_.integers({last + 1}), maker_.integers({axis})},
            shape);
    }

    TensorId turned(TensorId x) {
        const Shape in = maker_.shape(x);
        return maker_.node("Transpose", {x}, {in[0], in[1], in[3], in[2]},
                           {{"perm", Shape{0, 1, 3, 2}}});
    }

    // With a constant, an image of the same shape, an activation of it, or itself.
    TensorId joined(TensorId x) {
        const auto axis = static_cast<size_t>(integer(0, 3));
        std::vector<TensorId> parts{x};
        for (int64_t i = integer(1, 2); i > 0; i--) {
            const int64_t kind = integer(0, 3);
            parts.push_back(kind == 0   ? maker_.constant(maker_.shape(x))
                            : kind == 1 ? maker_.unary("Relu", x)
                            : kind == 2 ? x
                                        : like(x));
        }
        Shape shape = maker_.shape(x);
        shape[axis] *= static_cast<int64_t>(parts.size());
        return maker_.node("Concat", parts, shape, {{"axis", static_cast<int64_t>(axis)}});
    }

    TensorId like(TensorId x) {
        for (const TensorId other : images_) {
            if (other != x && maker_.shape(other) == maker_.shape(x)) {
                return other;
            }
        }
        return maker_.conv(x, {.channels = maker_.shape(x)[1], .kernel = 3, .padding = 1});
    }

    NetworkMaker maker_;
    std::vector<TensorId> images_;
};

std::string fault_of(const Graph &graph, const std::string &target, const std::string &policy) {
    PlanOptions options;
    options.target = target;
    options.policy = policy;
    PlannedNetwork network = plan_network(graph, options);
    compute_constants(network);
    return test::memory_fault(network.graph, network, place(network).program);
}

}  // namespace

// Of parts that are all copied to their places: nobody but the whole has a halo where they meet its edge.
TEST(ProgramMemory, TheHaloAroundAConcatenationOfCopiesIsFilled) {
    for (const int64_t axis : {2, 3}) {
        NetworkMaker m(1);
        const TensorId a = m.input({1, 1, 5, 5}), b = m.input({1, 1, 5, 5});
        Shape shape{1, 1, 5, 5};
        shape[static_cast<size_t>(axis)] = 10;
        const TensorId c = m.node("Concat", {a, b}, shape, {{"axis", axis}});
        const TensorId y = m.pool("MaxPool", c, 3, 1, 1);
        const Graph graph = m.finish({y});
        EXPECT_EQ("", fault_of(graph, "x86-64-linux-avx2", "gao2025")) << axis;
    }
}

TEST(ProgramMemory, LaunchesReadWhatWasWrittenForThem) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        const Graph graph = JoinedImages(seed).make();
        for (const char *policy : {"gao2025", "none"}) {
            EXPECT_EQ("", fault_of(graph, "x86-64-linux-avx2", policy))
                << policy << ", seed " << seed;
        }
        EXPECT_EQ("", fault_of(graph, "amdgpu-gfx90a", "gao2025")) << "seed " << seed;
    }
}

}  // namespace emulsion
