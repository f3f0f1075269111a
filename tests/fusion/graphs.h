// Operator graphs made by hand: what the planner sees, without Halide or ONNX.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"

namespace emulsion::test {

class GraphMaker {
public:
    int input(const std::vector<int64_t> &extents = {1, 8, 6, 6}) {
        return value(extents, ValueRole::Input);
    }
    int constant(const std::vector<int64_t> &extents) {
        return value(extents, ValueRole::Constant);
    }
    // An operator that reads `from` by edges of type `type`; returns its result, of the extents of the
    // first operand unless given. Many-to-Many operators have a reduction of their own, "sum".
    int op(const std::string &name, MappingType type, const std::vector<int> &from,
           std::vector<int64_t> extents = {});
    int conv(const std::string &name, int from) {
        return op(name, MappingType::ManyToMany, {from});
    }
    int relu(const std::string &name, int from) { return op(name, MappingType::OneToOne, {from}); }
    int add(const std::string &name, int a, int b) {
        return op(name, MappingType::OneToOne, {a, b});
    }
    // An operator of an ONNX type, which policies may ask for.
    int node(const std::string &origin, const std::string &name, MappingType type,
             const std::vector<int> &from, std::vector<int64_t> extents = {}) {
        const int result = op(name, type, from, std::move(extents));
        graph.operators.back().origin = origin;
        return result;
    }
    // The part of `from` that begins at `offset`.
    int slice(const std::string &name, int from, const std::vector<int64_t> &offset,
              const std::vector<int64_t> &extents);
    // Axis `i` of the result is axis `axes[i]` of `from`.
    int transpose(const std::string &name, int from, const std::vector<int> &axes);
    int concat(const std::string &name, const std::vector<int> &from, int axis);
    void output(int value) { graph.values.at(static_cast<size_t>(value)).is_output = true; }
    // The last operator's first implementation, to change.
    ImplementationChoice &last() { return graph.operators.back().implementation; }

    OperatorGraph graph;

private:
    int value(const std::vector<int64_t> &extents, ValueRole role);
};

// Any number for any group, and always the same one: nothing that a search could rely on.
class HashedCost : public GroupCost {
public:
    explicit HashedCost(uint64_t seed) : seed_(seed) {}
    GroupPrice price(const std::vector<int> &members) const override {
        uint64_t hash = seed_;
        for (const int member : members) {
            hash = (hash ^ static_cast<uint64_t>(member + 1)) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 29;
        }
        return {"", static_cast<double>(hash % 1000 + 1), {}};
    }

private:
    uint64_t seed_;
};

// Member names of the groups of a plan that launch something, "conv relu | pool"; views in brackets,
// conversions as "convert".
std::string groups_of(const Plan &plan);

// The reason of the refusal between two operators, "" if there is none.
std::string refusal_between(const Plan &plan, const std::string &producer,
                            const std::string &consumer);

// What keeps `groups` from being an acyclic partition of the graph after duplication, "" if nothing does:
// every operator is in a group and ends one at most; what a group reads and does not compute is stored by an
// earlier one; what is an output is stored; and what a group computes is its result, or read inside of it.
std::string wrong_with(const OperatorGraph &graph, const std::vector<std::vector<int>> &groups);

// Calls `visit` for every legal group (fusion/legality.h) of at most `most` members.
void for_each_legal_group(const OperatorGraph &graph, size_t most,
                          const std::function<void(const std::vector<int> &)> &visit);

// A random graph of `operators` operators of all mapping types, values read several times or not at
// all, some of them outputs.
OperatorGraph random_graph(uint64_t seed, int operators);

}  // namespace emulsion::test
