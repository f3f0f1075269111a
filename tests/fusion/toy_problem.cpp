#include "tests/fusion/toy_problem.h"

#include <utility>

#include "tests/fusion/graphs.h"

namespace emulsion::test {

ToyProblem::ToyProblem(double operations) {
    GraphMaker m;
    const int x = m.input();
    const int y = m.conv("conv", x);
    const int z = m.relu("relu", y);
    m.output(z);
    problem = without_alternatives(m.graph);
    add_toy(0, x, y, "conv", operations);
    add_toy(1, y, z, "relu", operations);
}

std::vector<std::string> ToyProblem::names(const Decisions &decisions) const {
    std::vector<std::string> names;
    for (const PlannerOperator &op : decide(problem, decisions).graph.operators) {
        names.push_back(op.name);
    }
    return names;
}

int ToyProblem::value(const std::string &name, std::vector<int64_t> extents) {
    problem.values.push_back({.name = name, .extents = std::move(extents)});
    return static_cast<int>(problem.values.size()) - 1;
}

PlannerOperator ToyProblem::made(const std::string &name, MappingType type, int from,
                                 int to) const {
    GraphMaker m;
    m.op(name, type, {m.input(problem.values[static_cast<size_t>(from)].extents)},
         problem.values[static_cast<size_t>(to)].extents);
    PlannerOperator op = m.graph.operators.front();
    op.result = to;
    op.implementation.operands.front().value = from;
    return op;
}

void ToyProblem::add_toy(size_t op, int from, int to, const std::string &name, double operations) {
    const int flat_from = value(name + "_from", {1, 8, 36});
    const int flat_to = value(name + "_to", {1, 8, 36});
    const MappingType type = problem.operators[op].alternatives.front().operators.front().type;
    PlannerOperator toy = made("toy_" + name, type, flat_from, flat_to);
    toy.implementation.vector_operations *= operations;
    problem.operators[op].alternatives.push_back(
        {"toy",
         {made("flat_" + name, MappingType::Reorganize, from, flat_from), toy,
          made("image_" + name, MappingType::Reorganize, flat_to, to)},
         type == MappingType::OneToOne});
}

}  // namespace emulsion::test
