// What there is to plan before anything is decided: every operator with all ways to compute it. Decisions
// applied to a problem give the graph that policies, legality, layouts and prices see.
#pragma once

#include <string>
#include <vector>

#include "fusion/operator_graph.h"

namespace emulsion {

// One way to compute an operator: an implementation of it, or several operators that make its result together (a
// transform, products and the inverse transform, say), which loop nests, placements and fusion serve like others.
struct Alternative {
    std::string name;
    std::vector<PlannerOperator> operators;  // topological order; the last one makes the result
    // It is for what another operator's alternative of the same name makes, and nothing is gained by it alone.
    bool follows = false;
};

struct ProblemOperator {
    std::string name;                       // as users know it
    std::vector<Alternative> alternatives;  // never empty; the first is the default
    int result() const { return alternatives.front().operators.back().result; }
};

struct Problem {
    std::vector<Value> values;  // those between the operators of an alternative as well
    std::vector<ProblemOperator> operators;  // topological order

    // The index of the alternative of that name of an operator, or -1.
    int alternative(int op, const std::string &name) const;
};

// By operator of a problem: which of its alternatives is taken. Operators beyond the end take the first.
using Decisions = std::vector<int>;

int taken(const Decisions &decisions, size_t op);

struct DecidedGraph {
    OperatorGraph graph;
    std::vector<int> value_of;  // by value of the graph: the problem's
    // By value of the problem: the one that its readers read in its place, mostly itself. Where one alternative
    // gives its result the shape that another one has just changed, both leave it as it is.
    std::vector<int> stand_in;
};

// The graph of what was decided. Values and operators are in the problem's order; values that nobody needs then,
// and copies of them, are left out.
DecidedGraph decide(const Problem &problem, const Decisions &decisions);

// A problem without a choice.
Problem without_alternatives(OperatorGraph graph);

}  // namespace emulsion
