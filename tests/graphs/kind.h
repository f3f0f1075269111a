// A kind of operators that random graphs are made of: how to add one to a graph, the options that it draws from,
// and the reference of its operators. One file in tests/graphs/kinds/ that defines
//
//     const GraphKind &graph_kind_<file>();
//
// found when CMake configures.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/graphs/reference.h"

namespace emulsion {

namespace test {
class GraphMaker;
}

struct GraphKind {
    std::string name;
    int weight = 1;  // how often it is drawn, beside the others
    // What make() may note with GraphMaker::option. A run of the tester counts them all.
    std::vector<std::string> options;
    // Adds one or a few nodes. Throws test::Unfit where the values at hand don't suit; nothing is added then.
    std::function<void(test::GraphMaker &)> make;
    std::map<std::string, test::Evaluate> operators;
};

std::span<const GraphKind *const> all_graph_kinds();

}  // namespace emulsion
