// The OperatorContext of the compiler: hands an operator its operands as Halide expressions, wherever
// they come from.
#pragma once

#include <Halide.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/ops/operator.h"
#include "fusion/layout.h"

namespace emulsion {

// A tensor as the Funcs of a group see it: another Func, a buffer, or a number.
class TensorSource {
public:
    static TensorSource func(Halide::Func func);
    // A buffer argument of this name. Without a layout its margins are taken to hold whatever is
    // asked of them (planning, before there is a layout).
    static TensorSource buffer(const Tensor &tensor, const std::string &name,
                               std::optional<Layout> layout);
    static TensorSource number(const Tensor &tensor);

    Halide::Expr at(const std::vector<Halide::Expr> &coordinates) const;
    // True if reading up to `padding.margin` outside gives padding.value.
    bool holds(const Padding &padding) const;
    // Name in the expressions of its readers; empty for a number.
    std::string name() const;
    // Only of a buffer.
    const Halide::Parameter &parameter() const { return parameter_; }

private:
    Halide::Func func_;
    Halide::Parameter parameter_;
    std::optional<Layout> layout_;
    Halide::Expr number_;
};

class LoweringContext : public OperatorContext {
public:
    // `sources` by tensor; an operand without one may only be read at compile time.
    LoweringContext(const Graph &graph, const Node &node, std::string func_prefix,
                    const std::map<TensorId, TensorSource> &sources);

    const Node &node() const override { return node_; }
    bool has_input(int index) const override;
    const Tensor &input(int index) const override;
    const Tensor &result() const override { return graph_.tensor(node_.result()); }
    Access operand(int index) override;
    Access padded_operand(int index, const Padding &padding) override;
    Halide::Func func(const std::string &part) override;

    // What the operator asked for, after it has been built: paddings by operand, Funcs by part in
    // the order of their creation.
    const std::map<int, Padding> &paddings() const { return paddings_; }
    const std::vector<std::pair<std::string, Halide::Func>> &parts() const { return parts_; }

private:
    const TensorSource &source(int index) const;

    const Graph &graph_;
    const Node &node_;
    std::string prefix_;
    const std::map<TensorId, TensorSource> &sources_;
    std::map<int, Padding> paddings_;
    std::vector<std::pair<std::string, Halide::Func>> parts_;
};

// True for constants that become numbers in the code instead of buffer arguments: single elements that
// are finite. Halide tells LLVM that there are no infinities and NaNs, so one that LLVM sees is taken
// to be any value; one that is loaded behaves.
bool is_number(const Tensor &tensor);

// The operands of `node` as its Funcs may read them outside of any group: numbers as numbers, the rest as
// buffers without a layout.
std::map<TensorId, TensorSource> buffer_sources(const Graph &graph, const Node &node);

// The implementation called `name` of the node's operator (empty: the first that applies), after the
// operator's checks. Throws Error with the node's place for an unknown operator and for what the
// checks refuse.
const Implementation &checked_implementation(const OperatorContext &context,
                                             const std::string &name = "");

}  // namespace emulsion
