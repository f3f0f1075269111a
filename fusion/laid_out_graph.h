// An operator graph whose layouts are decided: where every value lies, which operators move nothing (views), and which
// values are converted from one layout into another. All of it is decided before any group is, and here only: what
// policies and prices are told of it is what the plan is made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/machine.h"
#include "fusion/move_way.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"
#include "fusion/slices.h"

namespace emulsion {

// What layouts depend on besides the graph.
struct LayoutOptions {
    // Layouts are the planner's; false: inputs and outputs are the caller's, nothing is a view, and nothing is converted.
    bool owns_layouts = true;
    // Operands of concatenations lie in the result, and what only moves axes is no copy (Policy::absorbs_copies).
    bool absorbs_copies = false;
    int64_t aligned = 1;  // elements, of vectors (preferred_layouts)
    MoveWays ways;
};

LayoutOptions layout_options(const Machine &machine, bool owns_layouts, bool absorbs_copies,
                             MoveWays ways);
// Those that a plan of `graph` with layouts of its own was made with.
LayoutOptions layout_options(const OperatorGraph &graph, const Machine &machine, const Plan &plan);

// Why an operator that is a group by itself needs no kernel.
enum class ViewKind {
    None,         // it needs one
    Concatenate,  // its operands are written to their places in the result, or converted to there
    Write,        // its operand is written where the result lies
    Slice,        // its result is read where the operand lies
    Reshape,      // its result is the operand's bytes in another shape
};

// An operand of a concatenation that is a view.
struct ConcatenatedPart {
    int value = -1;
    int conversion = -1;  // that brings it to its place; -1: it is written there
};

// A value that is copied from the layout in which it is into another one.
struct Conversion {
    int value = -1;
    Layout from, to;
};

class LaidOutGraph {
public:
    LaidOutGraph(OperatorGraph graph, LayoutOptions options);

    // With the order of every value.
    const OperatorGraph &graph() const { return graph_; }
    const LayoutOptions &options() const { return options_; }

    // Where value `v` lies while operators read it.
    const Layout &layout(int v) const { return layouts_[static_cast<size_t>(v)]; }
    // The value in whose memory `v` lies; -1: it has memory of its own. What is reshaped lies in the operand's only
    // where its operator is a view.
    int whole(int v) const { return slices_[static_cast<size_t>(v)].whole; }

    ViewKind view(int op) const { return views_[static_cast<size_t>(op)]; }
    // By operator: whether it is a view where it is a group by itself.
    std::vector<bool> free_operators() const;

    // Of a concatenation that is a view: its operands in order.
    const std::vector<ConcatenatedPart> &parts(int op) const {
        return parts_[static_cast<size_t>(op)];
    }
    // The conversions of an input from the caller's layout, and of an output into it, or -1.
    int input_conversion(int v) const { return of_input_[static_cast<size_t>(v)]; }
    int output_conversion(int v) const { return of_output_[static_cast<size_t>(v)]; }
    const Conversion &conversion(int c) const { return conversions_[static_cast<size_t>(c)]; }
    // What conversions compute: operator c of this graph is conversion c, with the loop nests of a copy
    // (Value::copy). They are priced and placed like other operators.
    const OperatorGraph &copies() const { return copies_; }

private:
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    void lay_out();
    ViewKind find_view(int op) const;
    void add_parts(int op);
    int add_conversion(const std::string &name, int v, const Layout &from, const Layout &to);
    void convert_for_caller();

    OperatorGraph graph_;
    LayoutOptions options_;
    std::vector<Slice> slices_;    // by value
    std::vector<Layout> layouts_;  // by value
    std::vector<bool> movers_;     // by operator: its slices would begin at odd places
    std::vector<ViewKind> views_;  // by operator
    std::vector<std::vector<ConcatenatedPart>> parts_;
    std::vector<int> of_input_, of_output_;
    std::vector<Conversion> conversions_;
    OperatorGraph copies_;
};

}  // namespace emulsion
