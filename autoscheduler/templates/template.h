// A loop-nest template: one way to schedule the Funcs of a group, with integer parameters. One file
// in this folder defines one:
//
//     const NestTemplate &nest_template_<filename>();
//
// found when CMake configures. `offer` answers at planning time whether the template fits an
// operator, and with which parameters; `apply` turns a chosen nest into Halide scheduling calls.
#pragma once

#include <Halide.h>

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "autoscheduler/func_facts.h"
#include "fusion/layout.h"
#include "fusion/machine.h"
#include "fusion/nest_space.h"

namespace emulsion {

// What a template sees of an operator at planning time.
struct NestSubject {
    // Facts of the operator's Funcs, producers first, the result last.
    std::vector<FuncFacts> parts;
    std::vector<int64_t> extents;  // of the result
    // Axes of the result, outermost first, as the program thinks of them.
    std::vector<int> natural_order;
    Machine machine;
    // Names of constant tensors whose layout may be chosen.
    std::vector<std::string> constants;
    // Extents of the tensors read, by name.
    std::map<std::string, std::vector<int64_t>> tensor_extents;
    // The axis of the result that vectors have to run along, -1: the one that the template likes best.
    int vector_axis = -1;
    // A contraction's products are summed up in blocks of at most so many channels; 0: in one.
    int64_t sum_block = 0;

    // The operator's only reduction, or null when it has none or several.
    const FuncFacts *single_reduction() const;
    const FuncFacts &result() const { return parts.back(); }
    bool is_constant(const std::string &tensor) const;
};

// What a template answers.
struct NestOffer {
    NestSpace space;
    Placement reduction_placement = Placement::Register;  // of the operator's reductions
    // Other parts (indices into the subject's) that are placed like the reductions; the rest is inlined.
    std::set<size_t> kept_parts;
    // Operations of all definitions, in those of an element, where the template knows them better than by counting each
    // definition once for every element of the result.
    std::optional<double> operations;
    int innermost_axis = -1;  // axis of the result that vectors run along, -1: any
    std::map<std::string, Layout> constant_layouts;  // what it wants of constants
    std::map<std::string, int> operand_innermost;    // ... and of other tensors: innermost axis
};

// The Funcs of a group at scheduling time.
struct NestFuncs {
    // The result: the group's, compute_root or an output, or that of a stage which is computed panel by
    // panel of another one's rows.
    Halide::Func root;
    bool is_panel = false;  // the latter: its loops are serial
    bool is_output = false;
    std::vector<Halide::Func> registers;  // Funcs to compute at the innermost tile
    std::vector<Halide::Func> panels;     // Funcs to compute at the outermost tile, producers first
    // Results of other stages, producers first, to compute for each panel of the root's rows. They are
    // scheduled by nests of their own.
    std::vector<Halide::Func> stages;
    // Constant extents of the root where they are known, -1 otherwise.
    std::vector<int64_t> extents;
    // Elements of the root along an axis in every call, or -1. It takes a pass over the pipeline: to be asked where it
    // matters only. May be empty.
    std::function<int64_t(int axis)> fixed_extent;
    // Elements along an axis in calls as they are estimated. It takes such a pass, too. May be empty.
    std::function<int64_t(int axis)> estimated_extent;
    // Like `fixed_extent`, in calls for which `channels_as_estimated` holds (autoscheduler/channels.h).
    std::function<int64_t(int axis)> extent_with_channels;
    std::function<Halide::Expr()> channels_as_estimated;
    Halide::Target target;
    // Of a panel, the group's root, its nest and its extents as above: on a GPU the threads of its workgroups
    // compute the panel.
    const Nest *host = nullptr;
    Halide::Func host_root;
    std::vector<int64_t> host_extents;
};

struct NestTemplate {
    std::string name;
    std::string description;
    int rank = 0;  // special ones have lower ranks (autoscheduler/analysis.cpp chooses)
    std::function<std::optional<NestOffer>(const NestSubject &)> offer;
    // Throws Error when the nest doesn't fit the Funcs. It is inside of the bounds.
    std::function<void(const NestFuncs &, const Nest &)> apply;
    // What a nest for these Funcs must be, whoever made it: of what is offered to an operator, what `apply` needs to
    // hold for itself. The name is left empty.
    std::function<NestSpace(const NestFuncs &)> bounds;
    bool for_gpu = false;  // its loops are workgroups and threads of a kernel
    // The nest with fewer registers and less LDS, if there is one: where a kernel turns out to need more than
    // its GPU has. For a CPU, the nest with less unrolled, and at last without vectors: where Halide can't compile
    // it, for instance because it doesn't see how large a tile is.
    std::function<std::optional<Nest>(const Nest &)> smaller = {};
    // Of a nest that computes other stages panel by panel: how much of the root, with these extents, such a panel
    // is for, by axis. Empty where that isn't known.
    std::function<std::vector<int64_t>(const Nest &, const std::vector<int64_t> &)> panel_block =
        {};
    bool takes_everything = false;  // it is for what no other template takes
    int version = 1;                // rises where equal points become other code
};

// All templates, by file name (generated).
std::span<const NestTemplate *const> all_templates();
// Those for a GPU, or those for a CPU, by rising rank.
std::vector<const NestTemplate *> ranked_templates(bool for_gpu);
// Throws Error for an unknown name.
const NestTemplate &find_template(const std::string &name);

}  // namespace emulsion
