#include "fusion/search/moves.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

// `count` blocks of a producer that writes channels innermost, a Transpose, and a reader of vectors along
// another axis; those of the second half are of another size.
OperatorGraph blocks(int count) {
    GraphMaker m;
    for (int i = 0; i < count; i++) {
        const int64_t size = i < count / 2 ? 6 : 12;
        const std::string number = std::to_string(i);
        const int x = m.conv("conv" + number, m.input({1, 8, size, size}));
        m.last().innermost_axis = 1;
        m.last().nest.template_name = "writer";
        const int y = m.transpose("transpose" + number, x, {0, 1, 3, 2});
        m.output(m.conv("reader" + number, y));
        m.last().innermost_axis = m.last().operands.front().innermost_axis = 3;
        m.last().nest.template_name = "reader";
    }
    return m.graph;
}

int64_t how_many(const MoveWays &ways, MoveWay way) {
    return std::count(ways.begin(), ways.end(), way);
}

}  // namespace

TEST(SearchTransposes, KeepsTheCheapestWayOfEveryKind) {
    const OperatorGraph graph = blocks(4);
    // Each of the small ones wants to be written, each of the large ones to be read.
    const auto price = [&](const MoveWays &ways) {
        double cycles = 0.0;
        for (size_t op = 1; op < ways.size(); op += 3) {
            const MoveWay best = op < ways.size() / 2 ? MoveWay::Written : MoveWay::Read;
            cycles += ways[op] == best ? 1.0 : 2.0;
        }
        return cycles;
    };
    const MoveWays found = search_moves(graph, {}, 100, price);
    EXPECT_EQ(4.0, price(found));
    EXPECT_EQ(2, how_many(found, MoveWay::Written));
    EXPECT_EQ(2, how_many(found, MoveWay::Read));
}

TEST(SearchTransposes, PricesEveryOrderOfAxesOnceAndKindsTogether) {
    const OperatorGraph graph = blocks(4);
    int priced = 0;
    search_moves(graph, MoveWays(graph.operators.size(), MoveWay::Free), 100,
                 [&](const MoveWays &) { return ++priced; });
    // Free means the same as Moved for these; of each of two kinds Read and Written are left.
    EXPECT_EQ(1 + 2 * 2, priced);
}

TEST(SearchTransposes, StaysWithinItsTries) {
    for (const int64_t tries : {1, 2, 4}) {
        int64_t priced = 0;
        search_moves(blocks(6), {}, tries,
                     [&](const MoveWays &) { return static_cast<double>(-++priced); });
        EXPECT_EQ(tries, priced);
    }
}

TEST(SearchTransposes, ResultsOfOneSizeAreConvertedTogether) {
    GraphMaker m;
    for (const int64_t size : {8, 8, 16}) {
        m.output(
            m.conv("conv" + std::to_string(m.graph.operators.size()), m.input({1, 8, size, size})));
        m.last().innermost_axis = 1;
        m.last().nest.template_name = "writer";
    }
    int priced = 0;
    const MoveWays found =
        search_moves(m.graph, MoveWays(3, MoveWay::Free), 100, [&](const MoveWays &ways) {
            priced++;
            return ways[0] == MoveWay::Converted ? 1.0 : 2.0;
        });
    EXPECT_EQ((MoveWays{MoveWay::Converted, MoveWay::Converted, MoveWay::Free}), found);
    EXPECT_EQ(3, priced);
}

TEST(SearchTransposes, WithoutATransposeThereIsOnePrice) {
    GraphMaker m;
    m.output(m.relu("relu", m.input()));
    int priced = 0;
    search_moves(m.graph, {}, 100, [&](const MoveWays &) { return ++priced; });
    EXPECT_EQ(1, priced);
}

}  // namespace emulsion
