#include "autoscheduler/image_analysis.h"

#include <algorithm>
#include <map>
#include <set>

#include "autoscheduler/channels.h"
#include "autoscheduler/func_facts.h"
#include "autoscheduler/ignored_arguments.h"
#include "autoscheduler/index_values.h"
#include "autoscheduler/operation_count.h"
#include "autoscheduler/partial_sums.h"
#include "autoscheduler/pinned_axes.h"
#include "autoscheduler/regions.h"
#include "autoscheduler/taps.h"
#include "autoscheduler/unit_steps.h"
#include "autoscheduler/user_schedule.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;

// The values of each Func that are read, by their places in the tuple.
class ReadValues : public IRGraphVisitor {
public:
    std::map<std::string, std::set<int>> values;

private:
    using IRGraphVisitor::visit;

    void visit(const Call *op) override {
        if (op->call_type == Call::Halide) {
            values[op->name].insert(op->value_index);
        }
        IRGraphVisitor::visit(op);
    }
};

// Whether an update that writes at `index` may write elsewhere for another element.
bool scatters(const Expr &index, const std::vector<std::string> &args) {
    return reads_something(index) ||
           std::any_of(args.begin(), args.end(),
                       [&](const std::string &arg) { return expr_uses_var(index, arg); });
}

// Whether an update is evaluated, in an iteration, for some elements only.
bool has_condition(const Function &f, int update) {
    const Expr condition = f.update(update).predicate();
    const std::vector<std::string> &args = f.args();
    return std::any_of(args.begin(), args.end(),
                       [&](const std::string &arg) { return expr_uses_var(condition, arg); });
}

class ImageAnalyzer {
public:
    explicit ImageAnalyzer(const std::vector<Func> &outputs)
        : regions_(outputs), env_(regions_.env()), order_(regions_.order()),
          fixed_(fixed_boxes(outputs)),
          with_channels_(channels_as_estimated(outputs).defined() ? boxes_with_channels(outputs)
                                                                  : fixed_),
          schedules_(user_schedules(env_)) {
        for (const Func &output : outputs) {
            outputs_.insert(output.name());
        }
        inlined_ = inlined_between(schedules_, env_, order_, outputs_);
        for (size_t i = 0; i < order_.size(); i++) {
            position_[order_[i]] = static_cast<int>(i);
        }
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
        std::set<std::string> stored = funcs_ignoring_reads(regions_);
        stored.merge(index_values_without_bounds(regions_));
        for (const std::string &name : stored) {
            ImageStage &stage = graph.stages[static_cast<size_t>(position_.at(name))];
            stage.is_opaque = stage.is_opaque || !stage.is_inline_only;
        }
        mark_unread_values(graph);
        return graph;
    }

private:
    void mark_unread_values(ImageGraph &graph) const {
        ReadValues read;
        for (const std::string &name : order_) {
            for (const FuncDefinition &definition : regions_.definitions(name)) {
                for (const Expr &e : definition.expressions) {
                    e.accept(&read);
                }
            }
        }
        for (ImageStage &stage : graph.stages) {
            const auto values = static_cast<size_t>(env_.at(stage.name).outputs());
            stage.has_unread_value = read.values[stage.name].size() < values && !stage.is_output;
        }
    }

    // Intervals of the pure and reduction variables of a definition, for a tile of the Func. In one
    // iteration of the reduction loops, or in all of them.
    Scope<Interval> scope_of(const Function &f, const FuncDefinition &definition, const Box &tile,
                             bool one_iteration) const {
        Scope<Interval> scope;
        for (size_t i = 0; i < f.args().size(); i++) {
            scope.push(f.args()[i], tile[i]);
        }
        for (const ReductionVariable &r : definition.reduced) {
            const Interval all = regions_.range(r);
            const auto first = *as_const_int(all.min), last = *as_const_int(all.max);
            const auto middle = static_cast<int>(first + (last - first + 1) / 2);
            scope.push(r.var, one_iteration ? Interval(middle, middle) : all);
        }
        return scope;
    }

    // `before`: the stages of those that it reads.
    ImageStage stage(const Function &f, const std::vector<ImageStage> &before) const {
        ImageStage result;
        result.name = f.name();
        result.is_output = outputs_.count(f.name()) != 0;
        const auto fixed = schedules_.find(f.name());
        result.is_opaque = f.has_extern_definition() || fixed != schedules_.end();
        result.has_own_loops = fixed != schedules_.end() && fixed->second.has_loops;
        result.is_inline_only =
            regions_.inline_only().count(f.name()) != 0 || inlined_.count(f.name()) != 0;
        result.is_tuple = f.outputs() > 1;
        result.element_bytes = 0;
        for (const Halide::Type &type : f.output_types()) {
            result.element_bytes += type.bytes();
        }
        for (size_t axis = 0; axis < f.args().size(); axis++) {
            result.extents.push_back(regions_.extent(f.name(), axis));
            result.guessed.push_back(regions_.is_guessed(f.name(), axis));
        }
        bool reads_stages = false;
        result.channel_axis = channel_axis(f, result.is_output);
        for (const FuncDefinition &source : regions_.definitions(f.name())) {
            result.definitions.push_back(definition(f, source, result.channel_axis));
            result.has_unit_steps = result.has_unit_steps || has_steps(source.expressions);
            const int update = static_cast<int>(result.definitions.size()) - 2;
            result.definitions.back().scans = update >= 0 && is_scan(f.name(), f.update(update));
            result.definitions.back().has_condition = update >= 0 && has_condition(f, update);
            for (const ImageRead &read : result.definitions.back().reads) {
                reads_stages =
                    reads_stages ||
                    (read.producer >= 0 && !before[static_cast<size_t>(read.producer)].is_wrapper);
            }
        }
        result.is_wrapper = !result.is_output && !reads_stages && is_wrapper(f);
        if (result.is_wrapper && !f.args().empty()) {
            result.outside = outside(f);
        }
        if (result.channel_axis >= 0) {
            const std::string &channel = f.args()[static_cast<size_t>(result.channel_axis)];
            for (const FuncDefinition &source : regions_.definitions(f.name())) {
                result.decides_by_channel =
                    result.decides_by_channel || decides_branches(source.expressions, channel);
            }
        }
        return result;
    }

    // Elements along an axis, in all calls or, of what can be specialised, in those for as many channels as estimated.
    int64_t known_extent(const Function &f, size_t axis, bool is_output) const {
        if (!f.is_pure()) {
            return fixed_extent(fixed_.at(f.name())[axis]);
        }
        return is_output ? regions_.extent(f.name(), axis)
                         : fixed_extent(with_channels_.at(f.name())[axis]);
    }

    // Of the axes but the first, which has the vectors: one that decides between expressions, else the innermost.
    int channel_axis(const Function &f, bool is_output) const {
        int found = -1;
        for (size_t axis = 1; axis < f.args().size(); axis++) {
            const int64_t extent = known_extent(f, axis, is_output);
            if (extent < 2 || extent > kMostChannels) {
                continue;
            }
            for (const FuncDefinition &source : regions_.definitions(f.name())) {
                if (decides_branches(source.expressions, f.args()[axis])) {
                    return static_cast<int>(axis);
                }
            }
            found = found < 0 ? static_cast<int>(axis) : found;
        }
        return found;
    }

    // Elements of a wrapper along its first axis that lie beyond what it reads.
    int64_t outside(const Function &f) const {
        const FuncDefinition &source = regions_.definitions(f.name()).front();
        const auto needed =
            regions_.needed(source.expressions, scope_of(f, source, regions_.box(f.name()), false));
        const int64_t extent = regions_.extent(f.name(), 0);
        double most = 0.0;
        for (const auto &[name, box] : needed) {
            if (!box.empty()) {
                most = std::max(most, static_cast<double>(extent) - length(needed, name, 0));
            }
        }
        return static_cast<int64_t>(most);
    }

    emulsion::Definition definition(const Function &f, const FuncDefinition &source,
                                    int channel) const {
        emulsion::Definition result;
        for (const Expr &e : source.expressions) {
            result.operations += count_operations(e);
            result.common +=
                channel < 0 ? 0.0
                            : count_operations_without(e, f.args()[static_cast<size_t>(channel)]);
        }
        result.pinned = pinned_axes(f.args(), source.expressions);
        for (size_t axis = 0; axis < f.args().size(); axis++) {
            const auto *v = source.args.empty() ? nullptr : source.args[axis].as<Variable>();
            result.free.push_back(source.args.empty() ||
                                  (v != nullptr && v->name == f.args()[axis]));
            result.scatters =
                result.scatters || (!result.free.back() && scatters(source.args[axis], f.args()));
        }
        for (const ReductionVariable &r : source.reduced) {
            const Interval range = regions_.range(r);
            result.reduced.push_back(*as_const_int(range.max) - *as_const_int(range.min) + 1);
        }
        NamedReads reads = reads_of(f.name(), f.args(), source.expressions);
        add_reaches(f, source, false, reads, &ImageRead::all);
        add_reaches(f, source, true, reads, &ImageRead::step);
        if (!source.reduced.empty()) {
            add_lanes(f, source, reads, result);
        }
        for (auto &[name, read] : reads) {
            const auto known = position_.find(name);
            read.producer = known == position_.end() ? -1 : known->second;
            result.reads.push_back(std::move(read));
        }
        return result;
    }

    static void add_lanes(const Function &f, const FuncDefinition &source, NamedReads &reads,
                          emulsion::Definition &result) {
        result.adds_up = adds_up_in_parts(f);
        result.lane_loop = adds_up_in_lanes(f) ? contiguous_loop(f.name(), f.args(), source) : -1;
        if (result.lane_loop < 0) {
            return;
        }
        std::vector<std::string> with_loop = f.args();
        with_loop.push_back(source.reduced[static_cast<size_t>(result.lane_loop)].var);
        const NamedReads again = reads_of(f.name(), with_loop, source.expressions);
        for (size_t i = 0; i < reads.size(); i++) {
            reads[i].second.lane_taps = again[i].second.taps;
        }
    }

    // How regions grow with tiles: asked of Halide for a tile of one element in the middle, and for one
    // that is longer along one axis at a time.
    void add_reaches(const Function &f, const FuncDefinition &source, bool one_iteration,
                     NamedReads &reads, std::vector<Reach> ImageRead::*reaches) const {
        constexpr int64_t kLonger = 32;
        const size_t rank = f.args().size();
        Box middle(rank);
        for (size_t axis = 0; axis < rank; axis++) {
            const Expr at = static_cast<int>(regions_.min(f.name(), axis) +
                                             regions_.extent(f.name(), axis) / 2);
            middle[axis] = Interval(at, at);
        }
        const auto single =
            regions_.needed(source.expressions, scope_of(f, source, middle, one_iteration));
        for (auto &[name, read] : reads) {
            for (size_t i = 0; i < read.ordered.size(); i++) {
                (read.*reaches)
                    .push_back({std::vector<double>(rank, 0.0), length(single, name, i)});
            }
        }
        for (size_t axis = 0; axis < rank; axis++) {
            const int64_t longer = std::min(kLonger, regions_.extent(f.name(), axis) - 1);
            if (longer <= 0) {
                continue;
            }
            Box tile = middle;
            const auto low =
                regions_.min(f.name(), axis) + (regions_.extent(f.name(), axis) - longer) / 2;
            tile[axis] = Interval(static_cast<int>(low), static_cast<int>(low + longer));
            const auto needed =
                regions_.needed(source.expressions, scope_of(f, source, tile, one_iteration));
            for (auto &[name, read] : reads) {
                for (size_t i = 0; i < (read.*reaches).size(); i++) {
                    Reach &reach = (read.*reaches)[i];
                    reach.stride[axis] = std::max(0.0, length(needed, name, i) - reach.window) /
                                         static_cast<double>(longer);
                }
            }
        }
    }

    // Elements along an axis of what is needed of `name`; all of the axis if it is not bounded, and one of a branch
    // that is never taken.
    double length(const std::map<std::string, Box> &needed, const std::string &name,
                  size_t axis) const {
        constexpr double kEverything = 1e9;
        const auto box = needed.find(name);
        if (box == needed.end()) {
            return 1.0;
        }
        const Interval &bounds = box->second[axis];
        const auto number = [&](bool known, const Expr &e) {
            return known ? regions_.estimates().constant(e) : std::nullopt;
        };
        const auto min = number(bounds.has_lower_bound(), bounds.min),
                   max = number(bounds.has_upper_bound(), bounds.max);
        return min && max ? static_cast<double>(std::max<int64_t>(*max - *min + 1, 1))
                          : kEverything;
    }

    const Regions regions_;
    const std::map<std::string, Function> &env_;
    const std::vector<std::string> &order_;
    std::set<std::string> outputs_;
    std::map<std::string, int> position_;
    const std::map<std::string, Box> fixed_, with_channels_;
    const std::map<std::string, UserSchedule> schedules_;
    std::set<std::string> inlined_;  // because of these
};

}  // namespace

ImageGraph analyze_images(const std::vector<Func> &outputs) { return ImageAnalyzer(outputs).run(); }

}  // namespace emulsion
