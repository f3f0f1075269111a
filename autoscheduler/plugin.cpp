// The plugin libautoschedule_gao2025.so: registers the autoscheduler "Gao2025" with Halide.
#include <Halide.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "autoscheduler/kernels/kernel_passes.h"
#include "autoscheduler/machine.h"
#include "autoscheduler/network_share.h"
#include "autoscheduler/params.h"
#include "autoscheduler/pipeline_analysis.h"
#include "autoscheduler/refusal.h"
#include "autoscheduler/schedule_source.h"
#include "autoscheduler/tuned_pipelines.h"
#include "autoscheduler/unrelated_outputs.h"
#include "autoscheduler/user_schedule.h"
#include "fusion/chips.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"
#include "fusion/join_plans.h"
#include "fusion/machine_constants.h"
#include "fusion/placed_stages.h"
#include "fusion/planner.h"

namespace emulsion {

namespace {

// The JSON text that parameter `name` is, or that the file of that name holds.
std::string json_text(const std::string &name, const std::string &value) {
    if (value.front() == '{') {
        return value;
    }
    std::ifstream in(value, std::ios::binary);
    if (!in) {
        throw Error("autoscheduler." + name + ": can't read '" + value + "'");
    }
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::string &path, const std::string &text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw failure("autoscheduler.plan_out: can't write '" + path + "'");
    }
}

TunedPipelines tuned_for(const Halide::Target &target, const Gao2025Params &params) {
    if (params.tuned.empty()) {
        return {};
    }
    const std::string file = params.tuned.front() == '{' ? "autoscheduler.tuned" : params.tuned;
    return {tuned_images_from_json(json_text("tuned", params.tuned), file), target, file};
}

// For outputs that share Funcs.
Plan plan_made(const std::vector<Halide::Func> &outputs, const Machine &machine,
               const Gao2025Params &params, TunedPipelines &tuned) {
    if (params.policy == "gao2025" && !machine.is_gpu()) {
        const ImageGraph images = analyze_images(outputs);
        if (!is_network(outputs, images, machine)) {
            return plan_images(machine.cpu(), tuned.decide(outputs, images, machine.cpu()));
        }
    }
    PlannerOptions options;
    options.policy = params.policy;
    options.machine = machine;
    options.owns_layouts = false;
    options.search.budget = params.budget;
    return make_plan(analyze_pipeline(outputs, machine), options);
}

Plan plan_for(const std::vector<Halide::Func> &outputs, const Halide::Target &target,
              const Gao2025Params &params) {
    if (!params.plan.empty() && !params.tuned.empty()) {
        throw Error("autoscheduler.plan and autoscheduler.tuned are given; give one of them");
    }
    if (!params.plan.empty()) {
        return plan_from_document(json_text("plan", params.plan), "autoscheduler.plan");
    }
    Machine machine = params.chip.empty() ? machine_of(target, params.parallelism)
                                          : machine_of(find_chip(params.chip));
    if (machine.is_gpu() != target.has_gpu_feature()) {
        throw Error("autoscheduler.chip is given, but target '" + target.to_string() +
                    "' has no GPU's API");
    }
    if (!params.machine.empty()) {
        set_constants(machine, constants_from_json(json_text("machine", params.machine),
                                                   "autoscheduler.machine"));
    }
    TunedPipelines tuned = tuned_for(target, params);
    std::vector<Plan> plans;
    for (const std::vector<Halide::Func> &related : unrelated_outputs(outputs)) {
        plans.push_back(plan_made(related, machine, params, tuned));
    }
    if (const std::string warning = tuned.warning(); !warning.empty()) {
        std::cerr << kRefusal << "warning: " << warning << '\n';
    }
    return join_plans(std::move(plans));
}

// Another libHalide than the one this plugin was built for has other classes under the same names.
void check_halide() {
    const int llvm = Halide::Internal::get_llvm_version();
    if (llvm != EMULSION_HALIDE_LLVM) {
        throw Error("this plugin was built for Halide " EMULSION_HALIDE_VERSION " with LLVM " +
                    std::to_string(EMULSION_HALIDE_LLVM / 10) +
                    ", but the libHalide that loaded it has LLVM " + std::to_string(llvm / 10));
    }
}

void autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                  const Halide::AutoschedulerParams &given, Halide::AutoSchedulerResults *results) {
    try {
        check_halide();
        const Gao2025Params params = params_from(given.extra);
        const std::vector<Halide::Func> outputs = pipeline.outputs();
        const Plan plan = plan_for(outputs, target, params);
        if (!params.plan_out.empty()) {
            write_file(params.plan_out, plan_document(plan));
        }
        const std::set<std::string> kept = with_loops_of_users(outputs);
        const std::map<std::string, std::string> names =
            apply_plan(outputs, plan, target, params.exact_estimates);
        add_kernel_passes(pipeline);
        results->target = target;
        results->autoscheduler_params = given;
        std::map<std::string, std::string> reasons;
        for (const PlacedStage &stage : placed_stages(plan)) {
            const auto name = names.find(stage.name);
            reasons[name == names.end() ? stage.name : name->second] =
                stage.name + ": " + sentence(stage);
        }
        results->schedule_source = schedule_source(outputs, reasons, kept);
    } catch (const Error &e) {
        throw Halide::CompileError(std::string(kRefusal) + e.what());
    }
}

struct Registration {
    Registration() { Halide::Pipeline::add_autoscheduler("Gao2025", autoschedule); }
};
const Registration kRegistration;

}  // namespace

}  // namespace emulsion
