#include "fusion/cost/copy_cost.h"

#include "fusion/cost/analytic_cost.h"

namespace emulsion {

double copy_cycles(const Value &value, const std::vector<int> &from, const std::vector<int> &to,
                   const Machine &machine) {
    OperatorGraph graph;
    graph.values = {value, value};
    graph.values[0].role = ValueRole::Input;
    graph.values[1].role = ValueRole::Intermediate;
    graph.values[0].order = from;
    graph.values[1].order = to;
    const auto elements = static_cast<double>(element_count(value.extents));
    Operand operand{.value = 0, .reads = elements};
    for (size_t axis = 0; axis < value.extents.size(); axis++) {
        operand.footprint.axes.push_back(
            {.axis = static_cast<int>(axis), .stride = 1, .window = 1});
    }
    ImplementationChoice choice;
    choice.copies = true;
    choice.operands = {operand};
    choice.nest.crossing_parameter = "crossing";
    choice.nest.panels.serial = {{"tasks", 0}};
    choice.vector_operations = elements / machine.lanes(value.element_bytes);
    graph.operators = {{.name = "copy", .result = 1, .implementation = choice}};
    return AnalyticCost(graph, machine).price({0}).cycles;
}

}  // namespace emulsion
