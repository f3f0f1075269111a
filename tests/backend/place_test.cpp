#include "backend/program.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

Tensor tensor(const std::string &name, std::vector<int64_t> extents) {
    Tensor t;
    t.name = name;
    t.shape.assign(extents.begin(), extents.end());
    return t;
}

Tensor constant(const std::string &name, const std::vector<int64_t> &extents, uint8_t byte) {
    Tensor t = tensor(name, extents);
    t.constant = make_constant(std::vector<std::byte>(
        static_cast<size_t>(4 * element_count(extents)), static_cast<std::byte>(byte)));
    return t;
}

// A network by hand: planned values are added with their tensors.
struct Network {
    PlannedNetwork planned;
    Graph &graph = planned.graph;

    int value(Tensor t, const Layout &layout, int alias_of = -1) {
        planned.plan.values.push_back({t.name, layout, alias_of});
        planned.value_tensor.push_back(graph.add_tensor(std::move(t)));
        return static_cast<int>(planned.plan.values.size()) - 1;
    }
    TensorId id(int value) const { return planned.value_tensor[static_cast<size_t>(value)]; }
    void launch(std::vector<int> inputs, int output) {
        PlannedLaunch l;
        l.label = "launch" + std::to_string(planned.launches.size());
        l.inputs = std::move(inputs);
        l.output = output;
        planned.launches.push_back(std::move(l));
    }
    const BufferView &view(const Program &p, size_t launch, size_t argument) const {
        return p.views[static_cast<size_t>(p.launches[launch].views[argument])];
    }
};

}  // namespace

TEST(Place, ReadsInputsAndWritesOutputsWhereTheCallerHasThem) {
    Network n;
    const int x = n.value(tensor("x", {4, 8}), row_major(2));
    const int w = n.value(constant("w", {8, 8}, 1), {.order = {1, 0}});
    const int same = n.value(constant("same", {8, 8}, 1), {.order = {1, 0}});
    const int other = n.value(constant("other", {8, 8}, 1), row_major(2));
    const int mid = n.value(tensor("mid", {4, 8}), row_major(2));
    const int y = n.value(tensor("y", {4, 8}), row_major(2));
    n.graph.inputs = {n.id(x)};
    n.graph.outputs = {n.id(y), n.id(mid)};
    n.launch({x, w, other}, mid);
    n.launch({mid, same}, y);
    const LinkedNetwork linked = place(n.planned);
    const Program &p = linked.program;
    EXPECT_EQ(Storage::Input, n.view(p, 0, 0).storage);
    EXPECT_EQ(Storage::Weights, n.view(p, 0, 1).storage);
    EXPECT_EQ(Storage::Output, n.view(p, 0, 3).storage);
    EXPECT_EQ(1, n.view(p, 0, 3).index);
    // The second launch reads the caller's buffer, and the same bytes of weights.
    EXPECT_EQ(Storage::Output, n.view(p, 1, 0).storage);
    EXPECT_EQ(n.view(p, 0, 1).offset, n.view(p, 1, 1).offset);
    EXPECT_EQ(2U, linked.weights.size());
    EXPECT_EQ(512, p.weights_bytes);
    EXPECT_EQ(0, p.arena_bytes);
    EXPECT_TRUE(p.copies.empty());
}

TEST(Place, WritesTheInteriorOfATensorWithAHaloAndFillsTheHaloBefore) {
    Network n;
    const int x = n.value(tensor("x", {1, 3, 8, 8}), row_major(4));
    const Layout padded{.order = {0, 2, 3, 1}, .halo = {{}, {}, {1, 2}, {1, 1}}, .fill = -1.0};
    const int mid = n.value(tensor("mid", {1, 3, 8, 8}), padded);
    const int y = n.value(tensor("y", {1, 3, 8, 8}), row_major(4));
    n.graph.inputs = {n.id(x)};
    n.graph.outputs = {n.id(y)};
    n.launch({x}, mid);
    n.launch({mid}, y);
    const Program p = place(n.planned).program;
    ASSERT_EQ(1U, p.launches[0].fills.size());
    EXPECT_TRUE(p.launches[1].fills.empty());
    EXPECT_EQ(-1.0, p.launches[0].fills[0].value);
    EXPECT_EQ((Margin{1, 2}), p.launches[0].fills[0].margin[2]);
    const BufferView &written = n.view(p, 0, 1);
    const BufferView &read = n.view(p, 1, 0);
    EXPECT_EQ((BufferDimension{0, 8, 30}), written.dimensions[2]);
    EXPECT_EQ((BufferDimension{-1, 11, 30}), read.dimensions[2]);
    EXPECT_EQ(read.offset + (30 + 3) * 4, written.offset);
    EXPECT_EQ(p.arena_bytes, (11 * 10 * 3 * 4 + 63) / 64 * 64);
    EXPECT_EQ(8 * 8 * 3 * 4, p.live_bytes);
}

// Two tensors that are never alive at once, the first with a margin of `margin` on two axes.
Program program_of_margin(int64_t margin) {
    Network n;
    const int x = n.value(tensor("x", {1, 8, 8, 4}), row_major(4));
    const Layout padded{.order = {0, 1, 2, 3},
                        .halo = {{}, {margin, margin}, {margin, margin}, {}}};
    const int a = n.value(tensor("a", {1, 8, 8, 4}), padded);
    const int b = n.value(tensor("b", {1, 8, 8, 4}), row_major(4));
    const int c = n.value(tensor("c", {1, 8, 8, 4}), row_major(4));
    const int y = n.value(tensor("y", {1, 8, 8, 4}), row_major(4));
    n.graph.inputs = {n.id(x)};
    n.graph.outputs = {n.id(y)};
    n.launch({x}, a);
    n.launch({a}, b);
    n.launch({b}, c);
    n.launch({c}, y);
    return place(n.planned).program;
}

TEST(Place, AHaloLargerThanWhatItSurroundsIsFilledOnceAndSharesItsMemoryWithNobody) {
    constexpr int64_t kBytes = 8 * 8 * 4 * 4;
    const Program small = program_of_margin(1);
    EXPECT_FALSE(small.launches[0].fills.at(0).once);
    EXPECT_EQ(10 * 10 * 4 * 4 + kBytes, small.arena_bytes);
    const Program large = program_of_margin(3);
    EXPECT_TRUE(large.launches[0].fills.at(0).once);
    EXPECT_EQ(14 * 14 * 4 * 4 + 2 * kBytes, large.arena_bytes);
}

TEST(Place, AnAliasSharesMemoryAndKeepsItAlive) {
    Network n;
    const int x = n.value(tensor("x", {64}), row_major(1));
    const int a = n.value(tensor("a", {64}), row_major(1));
    const int reshaped = n.value(tensor("reshaped", {8, 8}), row_major(2), a);
    const int b = n.value(tensor("b", {64}), row_major(1));
    const int c = n.value(tensor("c", {64}), row_major(1));
    const int y = n.value(tensor("y", {64}), row_major(1));
    const int flat = n.value(tensor("flat", {8, 8}), row_major(2), y);
    n.graph.inputs = {n.id(x)};
    n.graph.outputs = {n.id(flat)};
    n.launch({x}, a);
    n.launch({x}, b);
    n.launch({b}, c);
    n.launch({reshaped, c}, y);
    const Program p = place(n.planned).program;
    EXPECT_EQ(n.view(p, 0, 1).offset, n.view(p, 3, 0).offset);
    EXPECT_EQ(2U, n.view(p, 3, 0).dimensions.size());
    EXPECT_EQ(3 * 256, p.arena_bytes);
    EXPECT_EQ(3 * 256, p.live_bytes);
    EXPECT_EQ(Storage::Output, n.view(p, 3, 2).storage);
}

TEST(Place, CopiesOutputsThatNoLaunchWrites) {
    Network n;
    const int x = n.value(tensor("x", {16}), row_major(1));
    const int k = n.value(constant("k", {4}, 3), row_major(1));
    n.graph.inputs = {n.id(x)};
    n.graph.outputs = {n.id(x), n.id(k), n.id(x)};
    const LinkedNetwork linked = place(n.planned);
    ASSERT_EQ(3U, linked.program.copies.size());
    EXPECT_EQ(64, linked.program.copies[0].bytes);
    EXPECT_EQ(16, linked.program.copies[1].bytes);
    EXPECT_EQ(1U, linked.weights.size());
}

}  // namespace emulsion
