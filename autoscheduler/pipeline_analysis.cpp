#include "autoscheduler/pipeline_analysis.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "autoscheduler/analysis.h"
#include "autoscheduler/func_facts.h"
#include "autoscheduler/regions.h"
#include "autoscheduler/user_schedule.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Func;

// Collects the buffers that are called as images, with their constant extents if they have any.
class ImageCollector : public IRVisitor {
public:
    struct Image {
        std::vector<int64_t> extents;
        int element_bytes;
    };
    std::map<std::string, Image> images;

private:
    using IRVisitor::visit;

    void visit(const Call *call) override {
        IRVisitor::visit(call);
        if (call->call_type != Call::Image) {
            return;
        }
        std::vector<int64_t> extents(call->args.size(), 0);
        for (size_t i = 0; i < extents.size(); i++) {
            if (call->image.defined()) {
                extents[i] = call->image.dim(static_cast<int>(i)).extent();
            } else if (call->param.defined()) {
                for (const Halide::Expr &e :
                     {call->param.extent_constraint(static_cast<int>(i)),
                      call->param.extent_constraint_estimate(static_cast<int>(i))}) {
                    if (e.defined()) {
                        if (const auto known = as_const_int(e)) {
                            extents[i] = *known;
                            break;
                        }
                    }
                }
            }
        }
        images[call->name] = {extents, call->type.bytes()};
    }
};

class PipelineAnalyzer {
public:
    PipelineAnalyzer(const std::vector<Func> &outputs, const Machine &machine)
        : machine_(machine), regions_(outputs), env_(regions_.env()) {
        for (const Func &output : outputs) {
            output_names_.push_back(output.name());
        }
        for (const std::string &name : regions_.order()) {
            const bool is_output = std::count(output_names_.begin(), output_names_.end(), name) > 0;
            if (regions_.inline_only().count(name) != 0 ||
                (!is_output && is_wrapper(env_.at(name)))) {
                wrappers_.push_back(env_.at(name));
            } else {
                order_.push_back(name);
            }
        }
        innermost_first_ = is_innermost_first(outputs.front().function());
    }

    OperatorGraph run() {
        for (const std::string &name : order_) {
            collect_images(env_.at(name));
        }
        for (const std::string &name : order_) {
            add_operator(env_.at(name));
        }
        return std::move(graph_);
    }

private:
    // Halide programs usually put the innermost dimension first; strides of the output that say
    // otherwise are believed.
    static bool is_innermost_first(const Function &output) {
        const auto &buffers = output.output_buffers();
        if (buffers.empty() || output.dimensions() < 2) {
            return true;
        }
        const Halide::Expr stride = buffers.front().stride_constraint(0);
        return stride.defined() && is_const_one(stride);
    }

    std::vector<int> natural_order(size_t rank) const {
        std::vector<int> order(rank);
        std::iota(order.begin(), order.end(), 0);
        if (innermost_first_) {
            std::reverse(order.begin(), order.end());
        }
        return order;
    }

    int add_value(const std::string &name, std::vector<int64_t> extents, ValueRole role,
                  int bytes) {
        Value value;
        value.name = name;
        value.natural_order = natural_order(extents.size());
        value.extents = std::move(extents);
        value.element_bytes = bytes;
        value.role = role;
        value.is_output = std::count(output_names_.begin(), output_names_.end(), name) > 0;
        graph_.values.push_back(std::move(value));
        value_of_[name] = static_cast<int>(graph_.values.size()) - 1;
        return value_of_[name];
    }

    void collect_images(const Function &f) {
        ImageCollector collector;
        for (const FuncDefinition &definition : regions_.definitions(f.name())) {
            for (const Halide::Expr &e : definition.expressions) {
                inline_wrappers(e, wrappers_).accept(&collector);
            }
        }
        for (const auto &[name, image] : collector.images) {
            if (value_of_.count(name) == 0) {
                add_value(name, image.extents, ValueRole::Input, image.element_bytes);
            }
        }
    }

    void add_operator(const Function &f) {
        if (f.has_extern_definition()) {
            throw Error(
                "Func '" + f.name() +
                "' is computed by code of your own (define_extern), which policy gao2025 schedules for CPUs "
                "only");
        }
        if (!user_schedule(f).is_empty()) {
            throw Error("Func '" + f.name() +
                        "' has a schedule of your own, which policy gao2025 keeps for CPUs only");
        }
        std::vector<int64_t> extents;
        for (size_t axis = 0; axis < f.args().size(); axis++) {
            extents.push_back(regions_.extent(f.name(), axis));
        }
        OperatorSource source;
        source.implementation = "func";
        source.parts = {func_facts(f, wrappers_)};
        source.part_names = {""};
        source.extents = extents;
        source.natural_order = natural_order(extents.size());
        for (const std::string &callee : func_facts(f, wrappers_).callees()) {
            source.operands.push_back({callee, value_of_.at(callee)});
        }
        PlannerOperator op;
        op.name = f.name();
        op.result =
            add_value(f.name(), extents, ValueRole::Intermediate, f.output_types().front().bytes());
        op.implementation = analyze_implementation(source, graph_.values, machine_);
        op.type = operator_type(op.implementation, graph_.values);
        graph_.operators.push_back(std::move(op));
    }

    Machine machine_;
    const Regions regions_;
    const std::map<std::string, Function> &env_;
    std::vector<std::string> output_names_, order_;
    std::vector<Function> wrappers_;
    std::map<std::string, int> value_of_;
    bool innermost_first_ = true;
    OperatorGraph graph_;
};

}  // namespace

OperatorGraph analyze_pipeline(const std::vector<Func> &outputs, const Machine &machine) {
    return PipelineAnalyzer(outputs, machine).run();
}

}  // namespace emulsion
