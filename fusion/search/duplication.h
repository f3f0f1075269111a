// Duplication: a cheap value that several groups need is computed in each of them, instead of being stored
// by one and read by all.
//
//     relu -> conv_a            {relu} {conv_a} {conv_b}   ->   {relu conv_a} {relu conv_b}
//          -> conv_b
//
// Copied is a value's *cone*: the operator that makes it and, of its group, operators that lead only there.
// A cone has no reduction. With G the group that stores the value, and R the groups that read it,
//
//     won = cost(G) - cost(what is left of G) + sum over R of  cost(group) - cost(group and cone)
//
// where every group of R has the cone. Where the value is stored in any case (it is an output, or feeds a
// group that nothing may join), or where that is better, those groups have it that get cheaper by it.
//
// Groups with copies have at most eight operators. Values are decided on in topological order, each for
// good, and nothing is copied that does not win: the groups never get dearer. Tried is what can win: a
// cone that is a group, which nobody would launch any more, or one that reads fewer bytes than it makes.
#pragma once

#include <vector>

#include "fusion/search/search.h"

namespace emulsion {

// Operators that are computed in several groups, in topological order.
struct Duplication {
    std::vector<int> operators;
    double cycles_won = 0.0;  // predicted
};

// Duplicates operators in `found`, groups of which every operator is in one: afterwards a duplicated operator
// is a member of several. Says in the report how many cones were tried, at most `tries`, and what the groups
// cost then. Groups of an operator of `alone` stay as they are.
std::vector<Duplication> duplicate(const OperatorGraph &graph, const GroupCost &cost,
                                   const std::vector<bool> &alone, int64_t tries,
                                   SearchResult &found);

}  // namespace emulsion
