// What an ONNX operator is to Emulsion: one file in this folder that defines
//
//     const Operator &onnx_<filename>();       e.g. onnx_conv() in conv.cpp
//
// with its checks and its *implementations* in Halide Funcs. Files are found when CMake configures;
// there is no list to edit.
//
// Funcs are written in logical ONNX coordinates: argument i of a Func is axis i of the tensor
// (N, C, H, W), whatever the layout. No layout, tile or schedule is mentioned here.
#pragma once

#include <Halide.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/graph/subgraph.h"
#include "fusion/layout.h"

namespace emulsion {

// Margins that an operator reads around an operand, and the value it expects to find there.
struct Padding {
    std::vector<Margin> margin;  // per axis of the operand
    double value = 0.0;          // -infinity stands for the lowest value of the type
};

// An operand as the Funcs of an operator see it: the element at logical coordinates.
using Access = std::function<Halide::Expr(const std::vector<Halide::Expr> &)>;

// What building an operator's Funcs may ask for. Implemented by frontend/lower, which knows where
// each operand comes from (another Func, a buffer, a small constant) and whether its margins
// already hold the padding.
class OperatorContext {
public:
    virtual ~OperatorContext() = default;

    virtual const Node &node() const = 0;
    // True if the node has operand `index` (optional operands may be absent).
    virtual bool has_input(int index) const = 0;
    virtual const Tensor &input(int index) const = 0;  // type, shape; constant data if known
    // Which of the results that ONNX gives the operator this node computes. It is always one:
    // loading gives each result of Split, say, a node of its own (frontend/graph/split_results.h).
    int result_index() const { return node().result_index(); }
    virtual const Tensor &result() const = 0;  // type, shape
    // Extents of operand `index`, or of the result, all constant.
    std::vector<int64_t> input_shape(int index) const { return input(index).extents(); }
    std::vector<int64_t> result_shape() const { return result().extents(); }
    // Operand `index`; coordinates must stay inside the tensor.
    virtual Access operand(int index) = 0;
    // Operand `index`, where coordinates may leave the tensor by up to `padding.margin` and then
    // give `padding.value`. An operator asks for at most one padding per operand.
    virtual Access padded_operand(int index, const Padding &padding) = 0;
    // A Func for a part of the operator: `func("")` is named like the operator itself and is meant
    // for its result, `func("sum")` for a part of it. Every Func of an operator is made
    // here, so that names are the same in every process.
    virtual Halide::Func func(const std::string &part) = 0;
};

struct Implementation {
    std::string name;   // e.g. "direct", "matrix_product"
    bool exact = true;  // false if it rounds noticeably differently; excluded by --exact
    // Whether this implementation can do the node (null: always). The first one that can is the
    // default; the planner takes another where the plan is cheaper with it.
    std::function<bool(const OperatorContext &)> applies;
    // The Func of the node's result, arguments in logical coordinates. A reduction is a Func of its
    // own (pure initial value + one update), and the result a pure Func that reads it: so an
    // epilogue can be computed where the reduction's accumulators are.
    std::function<Halide::Func(OperatorContext &)> build;
    // In the place of `build`: adds the operators that compute the result together. Not of the first one.
    std::function<void(const OperatorContext &, SubgraphBuilder &)> expand = {};
    // It changes the form of values and nothing else, so that others of the same name can do without: offered
    // only where the operator that makes an operand has one of that name.
    bool follows = false;
    // Vectors run along the last axis, so that values may lie as a network's caller has them, image by image: offered
    // where the operator reads a network's input and makes an output of it, perhaps by way of element-wise operators.
    bool planar = false;
    bool cpu_only = false;  // as those that are planar are: not offered on GPUs
    // Sums of products are made in blocks of at most so many channels, two or more blocks, whose sums are added up: rounding
    // errors grow with the root of the block instead of that of all channels. 0: one product after the other, as GPUs do
    // always, and CPUs where no number of channels from 16 on makes equal blocks.
    int64_t sum_block = 0;
};

// Domain of operators that only implementations of others are made of; models can't name it.
inline constexpr const char *kOwnDomain = "emulsion";

struct Operator {
    std::string type;    // ONNX operator type
    std::string domain;  // "" is ai.onnx
    // Refuses (throws Error) what the implementations can't do: the message names the attribute,
    // rank or type and what would be accepted. Called with shapes and types known.
    std::function<void(const OperatorContext &)> check;
    // At least one, but of an operator that has `compute`.
    std::vector<Implementation> implementations = {};
    // True when no Func reads input `index`: of Shape only the extents matter, and Reshape's `shape`
    // and Clip's limits are read at compile time (`check` wants those to be constant). Null: none.
    std::function<bool(int index)> compile_time_input = {};
    // Of an operator whose result is its operands one after the other: along which axis of the result.
    // The planner then makes them slices of it. Null: it is none.
    std::function<int(const OperatorContext &)> concatenation_axis = {};
    // Of an operator of our own domain whose operands are constants always: the bytes of its result, row-major. Weights
    // have millions of elements, and Halide would compile a program for every shape. Null: it has implementations.
    std::function<std::vector<std::byte>(const OperatorContext &)> compute = {};
};

// All operators, sorted by file name (generated).
std::span<const Operator *const> all_operators();
// The operator of this type, or null.
const Operator *find_operator(const std::string &domain, const std::string &type);

// ---- for the files of this folder ----------------------------------------------------------

// One Var per axis: "n", "c", "h", "w" for rank 4, "i0", "i1", ... otherwise.
std::vector<Halide::Var> axes(int rank);
std::vector<Halide::Expr> to_exprs(const std::vector<Halide::Var> &vars);
Halide::Type halide_type(DataType type);
// Coordinates of an operand of shape `from` that is broadcast (numpy rules) to coordinates `at` of
// a result of shape `to`: missing axes dropped, axes of extent 1 read at 0.
std::vector<Halide::Expr> broadcast(const std::vector<Halide::Expr> &at,
                                    const std::vector<int64_t> &from,
                                    const std::vector<int64_t> &to);
// `axis`, which counts from the end if negative, as 0 .. rank-1; throws Error naming `what` if it is
// outside [-rank, rank).
int normalize_axis(const OperatorContext &context, int64_t axis, int rank, const std::string &what);
// The elements of constant operand `index` as integers or reals; throws Error if it is no constant.
std::vector<int64_t> constant_integers(const OperatorContext &context, int index);
std::vector<double> constant_reals(const OperatorContext &context, int index);
// Throws Error unless the type of operand `index` is among `accepted`.
void require_type(const OperatorContext &context, int index,
                  std::initializer_list<DataType> accepted);
// Throws Error unless the rank of operand `index` is `rank`.
void require_rank(const OperatorContext &context, int index, int rank);

}  // namespace emulsion
