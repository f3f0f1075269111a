// What the planner plans on: operators with typed edges, values with extents, and for each operator
// what its loop nests may look like. Made by autoscheduler/analysis from Halide Funcs; this side
// knows neither Halide nor ONNX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fusion/footprint.h"
#include "fusion/layout.h"
#include "fusion/machine.h"
#include "fusion/mapping_type.h"
#include "fusion/nest_space.h"

namespace emulsion {

enum class ValueRole { Input, Constant, Intermediate };

struct ImplementationChoice;

// A tensor that crosses operators.
struct Value {
    std::string name;
    std::vector<int64_t> extents;
    int element_bytes = 4;
    ValueRole role = ValueRole::Intermediate;
    bool is_output = false;  // the caller sees it (it may be an intermediate as well)
    // Axes from outermost to innermost as the program that made the graph thinks of them; empty means
    // 0, 1, ... (row-major, ONNX's order). Interfaces with the caller keep it.
    std::vector<int> natural_order;
    // Axes from outermost to innermost as the value lies in memory, once the planner has decided. Empty: as
    // its producer and its readers like best.
    std::vector<int> order;
    // How a copy of it into another layout is computed: what reads it, and nothing else, element by element. Null where
    // nobody can want it converted (fusion/laid_out_graph.h).
    std::shared_ptr<const ImplementationChoice> copy{};
};

// An edge: operand of an operator.
struct Operand {
    int value = -1;  // index into OperatorGraph::values
    MappingType type = MappingType::OneToOne;
    Footprint footprint;
    // How often the operator's loop nest reads an element, all together: what is inlined is computed as
    // often.
    double reads = 0.0;
    // Where a One-to-One edge reads: the result's coordinates plus this, per axis. Empty: the edge is
    // no such one.
    std::vector<int64_t> offset;
    // Margins that the operator reads outside of the value, and what it expects there.
    std::vector<Margin> halo;
    double fill = 0.0;
    // The axis along which the loop nest reads vectors, or -1 if it does not care.
    int innermost_axis = -1;
    // The layout that the loop nest wants of a constant (empty order: row-major will do).
    Layout constant_layout;
    // Operator indexes into the value's flattened order, so it must lie dense and row-major for
    // the operator to be free of data movement.
    bool wants_row_major = false;
};

// One Func of an operator; `part` is empty for its result. `placement` is where the template wants it
// (for the result: where it wants it if the result is not the root of its group).
struct OperatorPart {
    std::string part;
    Placement placement = Placement::Inline;
};

// One way to compute an operator.
struct ImplementationChoice {
    std::string name;
    bool exact = true;
    std::vector<OperatorPart> parts;  // producers before consumers, the result last
    NestSpace nest;                   // of the anchor: its reduction, or the result itself
    std::vector<Operand> operands;    // as this implementation reads them
    int innermost_axis = -1;          // axis of the result along which the nest writes vectors
    bool copies = false;   // nothing is computed: elements of operands go to places of the result
    bool reduces = false;  // it has loops of its own, and can't be inlined
    // The result is a sum itself, with nothing after it: where it is kept, its loops run as they are written.
    bool ends_in_sum = false;
    // What it computes besides what its nest has an estimate of, in operations on whole vectors.
    double vector_operations = 0.0;
    // Of its sums of products of two tensors; 0 where there are none.
    double multiply_adds = 0.0;
    // Of the longest loop of its one sum that is no window's: a GPU's threads may take a part of it each. 0 where
    // there are several sums, or one whose order matters.
    int64_t shared_steps = 0;
};

// Cycles of one core for the arithmetic of an operator by itself, with the loop nest that it prefers.
double arithmetic_cycles(const ImplementationChoice &choice, const Machine &machine);

// The result is the operands one after the other along an axis.
struct Concatenation {
    int axis = -1;            // -1: the operator is none
    std::vector<int> values;  // all operands in order, also one that occurs twice
};

struct PlannerOperator {
    std::string name;
    std::string origin;                   // ONNX operator type, "" in a foreign pipeline
    int result = -1;                      // index into OperatorGraph::values
    ImplementationChoice implementation;  // as chosen
    // Type of the operator: the most complex of its edges from non-constant operands.
    MappingType type = MappingType::OneToOne;
    Concatenation concatenation{};
};

struct OperatorGraph {
    std::vector<Value> values;
    std::vector<PlannerOperator> operators;  // topological order

    // The operator of that name, or -1.
    int index_of(const std::string &name) const;
    // For each value, the operator that makes it or -1.
    std::vector<int> producers() const;
    // For each value, the operators that read it, ascending, each once.
    std::vector<std::vector<int>> consumers() const;
};

// Makes the estimates of all loop nests those of another machine than the one that the operators were analysed for; the
// nests stay as they were chosen for that. What is priced afterwards is what these nests take on `machine`.
void estimate_nests(OperatorGraph &graph, const Machine &machine);

// The value that `op` copies: where every element of its result is an element of one operand, and that is all
// that it reads. Else -1, as for a result that reads nothing.
int copied_value(const PlannerOperator &op);

// Per axis of its operand, the axis of the result that `op` makes of it, where moving axes is all that it
// does (Transpose); else empty.
std::vector<int> moved_axes(const OperatorGraph &graph, const PlannerOperator &op);

// Whether `op` copies a value into another shape whose flattened order is the same (Reshape, Flatten, Squeeze, ...).
bool is_reshape(const PlannerOperator &op);

// Whether `op` is a reshape, and some axis with more than
// one element is an axis of both.
bool keeps_axes(const OperatorGraph &graph, const PlannerOperator &op);

// Whether `marked`, by operator, has `op`; it may be shorter than the graph and has none beyond its end.
inline bool is_marked(const std::vector<bool> &marked, int op) {
    return static_cast<size_t>(op) < marked.size() && marked[static_cast<size_t>(op)];
}

// Whether `reader` computes an element of its result from the element of `operand` at the same place.
bool reads_in_place(const OperatorGraph &graph, const PlannerOperator &reader,
                    const Operand &operand);

}  // namespace emulsion
