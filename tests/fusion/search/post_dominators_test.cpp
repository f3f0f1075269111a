#include "fusion/search/post_dominators.h"

#include <gtest/gtest.h>

#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

// By definition: the first operator that is on every path from `op` to the end of the graph and neither is
// `op` itself; -1 where there is none.
int by_paths(const OperatorGraph &graph, const std::vector<std::vector<int>> &consumers, int op) {
    const auto leads_past = [&](auto &&self, int from, int without) -> bool {
        if (from == without) {
            return false;
        }
        const int result = graph.operators[static_cast<size_t>(from)].result;
        if (graph.values[static_cast<size_t>(result)].is_output ||
            consumers[static_cast<size_t>(result)].empty()) {
            return true;
        }
        for (const int reader : consumers[static_cast<size_t>(result)]) {
            if (self(self, reader, without)) {
                return true;
            }
        }
        return false;
    };
    for (int other = op + 1; other < static_cast<int>(graph.operators.size()); other++) {
        if (!leads_past(leads_past, op, other)) {
            return other;
        }
    }
    return -1;
}

}  // namespace

TEST(PostDominators, AreOnEveryPathToTheEnd) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 12);
        const auto consumers = graph.consumers();
        const std::vector<int> parents = post_dominators(graph, {});
        for (int op = 0; op < static_cast<int>(parents.size()); op++) {
            // A value that is an output as well as read ends a path where it is.
            EXPECT_EQ(parents[static_cast<size_t>(op)], by_paths(graph, consumers, op))
                << "seed " << seed << ", operator " << op;
        }
    }
}

TEST(PostDominators, OperatorsThatAreAloneAndWhatFeedsThemAreRoots) {
    GraphMaker m;
    const int a = m.relu("a", m.input());
    m.output(m.relu("c", m.relu("b", a)));
    EXPECT_EQ(post_dominators(m.graph, {}), (std::vector<int>{1, 2, -1}));
    EXPECT_EQ(post_dominators(m.graph, {false, true, false}), (std::vector<int>{-1, -1, -1}));
}

}  // namespace emulsion
