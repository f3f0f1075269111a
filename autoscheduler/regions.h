// What is computed of every Func of a pipeline when its outputs are as large as estimated.
#pragma once

#include <Halide.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "autoscheduler/definitions.h"
#include "autoscheduler/estimates.h"

namespace emulsion {

// Regions as Halide's bounds inference has them where every Func is stored that can be, with numbers for
// everything symbolic. Where the region depends on data (a bound that is itself read, a Func that is only ever
// inlined): the estimate of the Func itself, its declared bounds, the range of the data's type; and where
// nothing else is left, as much as the longest axis of the outputs. That is a guess of ours for prices
// only: it may make a schedule slow, never wrong, since Halide infers afresh what it computes and allocates
// when it lowers the pipeline.
class Regions {
public:
    explicit Regions(const std::vector<Halide::Func> &outputs);

    const std::map<std::string, Halide::Internal::Function> &env() const { return env_; }
    // Names, producers first: as structural_order() has them.
    const std::vector<std::string> &order() const { return order_; }
    const Estimates &estimates() const { return estimates_; }
    const std::set<std::string> &inline_only() const { return inline_only_; }
    const std::vector<FuncDefinition> &definitions(const std::string &func) const {
        return definitions_.at(func);
    }
    // Numbers all of them.
    const Halide::Internal::Box &box(const std::string &func) const { return boxes_.at(func); }
    int64_t min(const std::string &func, size_t axis) const;
    int64_t extent(const std::string &func, size_t axis) const;
    // Whether nothing says how long an axis is, so that it counts as the longest of the outputs; also where that follows
    // from such an axis of a reader.
    bool is_guessed(const std::string &func, size_t axis) const {
        return guessed_.count({func, axis}) != 0;
    }
    // Of a reduction variable of a definition.
    Halide::Internal::Interval range(const Halide::Internal::ReductionVariable &r) const;

    // What is read while `variables` are in these intervals. An axis may be unbounded.
    std::map<std::string, Halide::Internal::Box>
    needed(const std::vector<Halide::Expr> &expressions,
           const Halide::Internal::Scope<Halide::Internal::Interval> &variables) const;

private:
    void infer(const Halide::Internal::Function &f);
    void pass_guesses_on(const Halide::Internal::Function &f, const Halide::Expr &e);
    void settle(const Halide::Internal::Function &f);
    bool settle_axis(const Halide::Internal::Function &f, size_t axis);
    std::optional<int64_t> end(const Halide::Internal::Interval &interval,
                               Halide::Internal::Direction direction) const;

    Estimates estimates_;
    std::map<std::string, Halide::Internal::Function> env_;
    std::vector<std::string> order_;
    std::set<std::string> outputs_, inline_only_;
    std::map<std::string, std::vector<FuncDefinition>> definitions_;
    // Of the values of Funcs, with numbers.
    Halide::Internal::FuncValueBounds estimated_values_;
    std::map<std::string, Halide::Internal::Box> boxes_;
    std::set<std::pair<std::string, size_t>> guessed_;
};

// By Func, bounds that hold whatever sizes and parameters turn out to be: those that follow from axes that outputs fix.
// Axes that nothing fixes are unbounded. `restrict`, where given, changes the box of an output: bounds of calls for no
// more than that.
using RestrictOutput = std::function<void(const Halide::Func &output, Halide::Internal::Box &)>;
std::map<std::string, Halide::Internal::Box> fixed_boxes(const std::vector<Halide::Func> &outputs,
                                                         const RestrictOutput &restrict = {});

// Elements along an axis with numbers for both ends, else -1.
int64_t fixed_extent(const Halide::Internal::Interval &axis);

// Extents of a Func where its schedule or its output buffer says them, else -1.
std::vector<int64_t> declared_extents(const Halide::Func &func);

// What an output is estimated to have along an axis, where its estimates are numbers.
struct AxisEstimate {
    int64_t min = 0, extent = 0;
};
std::optional<AxisEstimate> estimated_axis(const Halide::Func &output, int axis);

// The Funcs that an extern stage reads.
std::vector<std::string> extern_reads(const Halide::Internal::Function &f);

}  // namespace emulsion
