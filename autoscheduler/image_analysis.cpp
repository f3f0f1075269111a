#include "autoscheduler/image_analysis.h"

#include <algorithm>
#include <map>
#include <set>

#include "autoscheduler/func_facts.h"
#include "autoscheduler/operation_count.h"
#include "autoscheduler/output_box.h"
#include "autoscheduler/taps.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;

// An axis that decides between expressions is unrolled up to this length.
constexpr int64_t kMostBranches = 4;

std::optional<int64_t> constant(const Expr &e) {
    return e.defined() ? as_const_int(simplify(substitute_var_estimates(e))) : std::nullopt;
}

// A definition with all that it evaluates, in the order of Function's definitions.
struct Stage {
    std::vector<Expr> expressions;
    std::vector<Expr> args;  // of an update: where it writes; else empty
    std::vector<ReductionVariable> reduced;
};

std::vector<Stage> stages_of(const Function &f) {
    std::vector<Stage> stages;
    if (f.has_extern_definition()) {
        return stages;
    }
    stages.push_back({f.values(), {}, {}});
    for (const Halide::Internal::Definition &update : f.updates()) {
        Stage stage{update.values(), update.args(), update.schedule().rvars()};
        stage.expressions.insert(stage.expressions.end(), update.args().begin(),
                                 update.args().end());
        stages.push_back(std::move(stage));
    }
    return stages;
}

class ImageAnalyzer {
public:
    explicit ImageAnalyzer(const std::vector<Func> &outputs) {
        std::vector<Function> functions;
        for (const Func &output : outputs) {
            functions.push_back(output.function());
            outputs_.insert(output.name());
        }
        env_ = build_environment(functions);
        order_ = topological_order(functions, env_);
        for (size_t i = 0; i < order_.size(); i++) {
            position_[order_[i]] = static_cast<int>(i);
        }
        for (const Func &output : outputs) {
            boxes_[output.name()] = output_box(output.function());
        }
        infer_boxes();
        infer_fixed_boxes();
    }

    ImageGraph run() {
        ImageGraph graph;
        for (const std::string &name : order_) {
            graph.stages.push_back(stage(env_.at(name), graph.stages));
        }
        for (const std::string &name : order_) {
            for (const std::string &read : extern_reads(env_.at(name))) {
                graph.stages[static_cast<size_t>(position_.at(read))].is_opaque = true;
            }
        }
        return graph;
    }

private:
    static std::vector<std::string> extern_reads(const Function &f) {
        std::vector<std::string> names;
        for (const Halide::ExternFuncArgument &argument : f.extern_arguments()) {
            if (argument.is_func()) {
                names.push_back(Function(argument.func).name());
            }
        }
        return names;
    }

    // Intervals of the pure and reduction variables of a definition, for a tile of the Func. In one
    // iteration of the reduction loops, or in all of them.
    static Scope<Interval> scope_of(const Function &f, const Stage &stage, const Box &tile,
                                    bool one_iteration) {
        Scope<Interval> scope;
        for (size_t i = 0; i < f.args().size(); i++) {
            scope.push(f.args()[i], tile[i]);
        }
        for (const ReductionVariable &r : stage.reduced) {
            const auto min = constant(r.min), extent = constant(r.extent);
            if (!min || !extent) {
                throw Error("the extent of the reduction variable '" + r.var + "' of Func '" +
                            f.name() + "' does not follow from the estimates");
            }
            const Expr first = static_cast<int>(*min + (one_iteration ? *extent / 2 : 0));
            scope.push(r.var,
                       Interval(first, one_iteration ? first
                                                     : Expr(static_cast<int>(*min + *extent - 1))));
        }
        return scope;
    }

    // What a definition needs of everything it reads, for a tile of its own.
    static std::map<std::string, Box> needs(const Function &f, const Stage &stage, const Box &tile,
                                            bool one_iteration) {
        const Scope<Interval> scope = scope_of(f, stage, tile, one_iteration);
        std::map<std::string, Box> needed;
        for (const Expr &e : stage.expressions) {
            for (auto &[callee, box] : boxes_required(substitute_var_estimates(e), scope)) {
                if (callee != f.name()) {
                    merge_boxes(needed[callee], box);
                }
            }
        }
        return needed;
    }

    // Bounds that do not follow are the estimates of the Func itself.
    void settle(const Function &f) {
        Box &box = boxes_[f.name()];
        box.resize(f.args().size());
        for (size_t i = 0; i < f.args().size(); i++) {
            const auto min = box[i].has_lower_bound() ? constant(box[i].min) : std::nullopt;
            const auto max = box[i].has_upper_bound() ? constant(box[i].max) : std::nullopt;
            if (min && max) {
                box[i] = Interval(static_cast<int>(*min), static_cast<int>(*max));
                continue;
            }
            bool estimated = false;
            for (const Bound &b : f.schedule().estimates()) {
                if (b.var == f.args()[i] && constant(b.min) && constant(b.extent)) {
                    box[i] = Interval(b.min, simplify(b.min + b.extent - 1));
                    estimated = true;
                }
            }
            if (!estimated) {
                throw Error("the extents of Func '" + f.name() +
                            "' do not follow from the estimates; call set_estimate on it for its "
                            "dimension " +
                            std::to_string(i));
            }
        }
    }

    void infer_boxes() {
        for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
            const Function &f = env_.at(*it);
            settle(f);
            for (const std::string &read : extern_reads(f)) {
                // The user's code asks for what it needs when it runs: taken to be as much as it makes.
                const auto rank = static_cast<size_t>(env_.at(read).dimensions());
                if (rank == boxes_[*it].size()) {
                    merge_boxes(boxes_[read], boxes_[*it]);
                }
            }
            for (const Stage &stage : stages_of(f)) {
                for (auto &[callee, box] : needs(f, stage, boxes_[*it], false)) {
                    if (env_.count(callee) != 0) {
                        merge_boxes(boxes_[callee], box);
                    }
                }
            }
        }
    }

    // Bounds that hold for every call, whatever is estimated: those of axes that outputs fix.
    void infer_fixed_boxes() {
        for (const std::string &name : outputs_) {
            const Function &f = env_.at(name);
            Box box(f.args().size());
            for (size_t i = 0; i < box.size(); i++) {
                const int dim = static_cast<int>(i);
                const auto &buffer = f.output_buffers().front();
                const Expr min = buffer.min_constraint(dim), extent = buffer.extent_constraint(dim);
                const bool known = min.defined() && extent.defined();
                box[i] = known ? Interval(min, simplify(min + extent - 1)) : Interval::everything();
            }
            fixed_[name] = box;
        }
        for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
            const Function &f = env_.at(*it);
            Box &box = fixed_[*it];
            box.resize(f.args().size());
            for (const Stage &stage : stages_of(f)) {
                Scope<Interval> scope;
                for (size_t i = 0; i < f.args().size(); i++) {
                    scope.push(f.args()[i], box[i]);
                }
                for (const ReductionVariable &r : stage.reduced) {
                    scope.push(r.var, Interval(r.min, simplify(r.min + r.extent - 1)));
                }
                for (const Expr &e : stage.expressions) {
                    for (auto &[callee, needed] : boxes_required(e, scope)) {
                        if (env_.count(callee) != 0 && callee != *it) {
                            merge_boxes(fixed_[callee], needed);
                        }
                    }
                }
            }
        }
    }

    bool is_fixed(const std::string &name, size_t axis) const {
        const Interval &interval = fixed_.at(name)[axis];
        return interval.is_bounded() && as_const_int(simplify(interval.min)) &&
               as_const_int(simplify(interval.max));
    }

    int64_t min_of(const std::string &name, size_t axis) const {
        return *constant(boxes_.at(name)[axis].min);
    }
    int64_t extent_of(const std::string &name, size_t axis) const {
        return *constant(boxes_.at(name)[axis].max) - min_of(name, axis) + 1;
    }

    // `before`: the stages of those that it reads.
    ImageStage stage(const Function &f, const std::vector<ImageStage> &before) const {
        ImageStage result;
        result.name = f.name();
        result.is_output = outputs_.count(f.name()) != 0;
        result.is_opaque = f.has_extern_definition();
        result.element_bytes = 0;
        for (const Halide::Type &type : f.output_types()) {
            result.element_bytes += type.bytes();
        }
        for (size_t axis = 0; axis < f.args().size(); axis++) {
            result.extents.push_back(extent_of(f.name(), axis));
        }
        bool reads_stages = false;
        for (const Stage &stage : stages_of(f)) {
            result.definitions.push_back(definition(f, stage));
            for (const ImageRead &read : result.definitions.back().reads) {
                reads_stages =
                    reads_stages ||
                    (read.producer >= 0 && !before[static_cast<size_t>(read.producer)].is_wrapper);
            }
        }
        result.is_wrapper = !result.is_output && !reads_stages && is_wrapper(f);
        for (const Stage &stage : stages_of(f)) {
            for (size_t axis = 0; axis < f.args().size(); axis++) {
                if (is_fixed(f.name(), axis) && extent_of(f.name(), axis) <= kMostBranches &&
                    decides_branches(stage.expressions, f.args()[axis])) {
                    result.branch_axis = static_cast<int>(axis);
                }
            }
        }
        return result;
    }

    emulsion::Definition definition(const Function &f, const Stage &stage) const {
        emulsion::Definition result;
        for (const Expr &e : stage.expressions) {
            result.operations += count_operations(e);
        }
        for (size_t axis = 0; axis < f.args().size(); axis++) {
            const auto *v = stage.args.empty() ? nullptr : stage.args[axis].as<Variable>();
            result.free.push_back(stage.args.empty() ||
                                  (v != nullptr && v->name == f.args()[axis]));
        }
        for (const ReductionVariable &r : stage.reduced) {
            result.reduced.push_back(constant(r.extent).value_or(1));
        }
        std::map<std::string, ImageRead> reads = reads_of(f.name(), f.args(), stage.expressions);
        add_reaches(f, stage, false, reads, &ImageRead::all);
        add_reaches(f, stage, true, reads, &ImageRead::step);
        for (auto &[name, read] : reads) {
            const auto known = position_.find(name);
            read.producer = known == position_.end() ? -1 : known->second;
            result.reads.push_back(std::move(read));
        }
        return result;
    }

    // How regions grow with tiles: asked of Halide for a tile of one element in the middle, and for one
    // that is longer along one axis at a time.
    void add_reaches(const Function &f, const Stage &stage, bool one_iteration,
                     std::map<std::string, ImageRead> &reads,
                     std::vector<Reach> ImageRead::*reaches) const {
        constexpr int64_t kLonger = 32;
        const size_t rank = f.args().size();
        Box middle(rank);
        for (size_t axis = 0; axis < rank; axis++) {
            const Expr at =
                static_cast<int>(min_of(f.name(), axis) + extent_of(f.name(), axis) / 2);
            middle[axis] = Interval(at, at);
        }
        const auto single = needs(f, stage, middle, one_iteration);
        for (auto &[name, read] : reads) {
            for (const Interval &i : single.at(name).bounds) {
                (read.*reaches).push_back({std::vector<double>(rank, 0.0), length(i)});
            }
        }
        for (size_t axis = 0; axis < rank; axis++) {
            const int64_t longer = std::min(kLonger, extent_of(f.name(), axis) - 1);
            if (longer <= 0) {
                continue;
            }
            Box tile = middle;
            const auto low = min_of(f.name(), axis) + (extent_of(f.name(), axis) - longer) / 2;
            tile[axis] = Interval(static_cast<int>(low), static_cast<int>(low + longer));
            const auto needed = needs(f, stage, tile, one_iteration);
            for (auto &[name, read] : reads) {
                for (size_t i = 0; i < (read.*reaches).size(); i++) {
                    Reach &reach = (read.*reaches)[i];
                    reach.stride[axis] = std::max(0.0, length(needed.at(name)[i]) - reach.window) /
                                         static_cast<double>(longer);
                }
            }
        }
    }

    // Elements of an interval; all of the axis if it is not bounded.
    static double length(const Interval &interval) {
        constexpr double kEverything = 1e9;
        const auto min = interval.has_lower_bound() ? constant(interval.min) : std::nullopt;
        const auto max = interval.has_upper_bound() ? constant(interval.max) : std::nullopt;
        return min && max ? static_cast<double>(std::max<int64_t>(*max - *min + 1, 1))
                          : kEverything;
    }

    std::set<std::string> outputs_;
    std::map<std::string, Function> env_;
    std::vector<std::string> order_;
    std::map<std::string, int> position_;
    std::map<std::string, Box> boxes_, fixed_;  // as estimated; as known
};

}  // namespace

ImageGraph analyze_images(const std::vector<Func> &outputs) { return ImageAnalyzer(outputs).run(); }

}  // namespace emulsion
