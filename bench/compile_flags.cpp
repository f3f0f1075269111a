#include "bench/compile_flags.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cli/validators.h"
#include "bench/host.h"
#include "bench/progress.h"
#include "bench/tuning/predicted_nests.h"
#include "bench/user_files.h"
#include "frontend/graph/pass.h"
#include "frontend/lower/network_plan.h"
#include "frontend/lower/target.h"
#include "frontend/lower/tuned_nests.h"
#include "frontend/onnx/shapes_text.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"
#include "fusion/machine_constants.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

constexpr int kMostJobs = 1024;

std::vector<std::string> policy_names() {
    std::vector<std::string> names;
    for (const Policy *policy : all_policies()) {
        names.push_back(policy->name);
    }
    return names;
}

std::vector<std::string> pass_names() {
    std::vector<std::string> names;
    for (const Pass *pass : ordered_passes()) {
        names.push_back(pass->name);
    }
    return names;
}

void check_policy(const std::string &name) { find_policy(name); }

// OPERATOR=NAME each; an operator's name may have any characters, an implementation's has no '='.
std::map<std::string, std::string> parse_implementations(const std::vector<std::string> &texts) {
    std::map<std::string, std::string> implementations;
    for (const std::string &text : texts) {
        const size_t at = text.rfind('=');
        if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
            throw Error(fmt::format("--implementation '{}' is not OPERATOR=NAME", text));
        }
        const auto [known, first] =
            implementations.emplace(text.substr(0, at), text.substr(at + 1));
        if (!first && known->second != text.substr(at + 1)) {
            throw Error(
                fmt::format("--implementation gives operator '{}' two implementations, {} and {}",
                            known->first, known->second, text.substr(at + 1)));
        }
    }
    return implementations;
}

}  // namespace

void CompileFlags::add_to(CLI::App &app, Policies policies, Use use) {
    use_ = use;
    app_ = &app;
    if (policies == Policies::All) {
        policies_ = {"none", "tvm", "dnnfusion", "priority", "gao2025"};
    }
    add_policy_flags(policies);
    add_machine_flags();
    add_model_flags();
    if (use == Use::Compile) {
        add_build_flags();
    }
    if (plans()) {
        // Of a compiled folder, too: how many threads its pool has is not part of the plan.
        app.add_option("--threads", threads, "Threads to plan for and to run on")
            ->default_str("the cores")
            ->type_name("N")
            ->check(within(1, kMostThreads));
    }
}

void CompileFlags::add(CLI::Option *option) {
    given_.push_back(option->group("How the model is compiled"));
}

void CompileFlags::add_policy_flags(Policies policies) {
    if (policies != Policies::One) {
        add(app_->add_option("--policies", policies_, "Fusion policies to compare")
                ->default_str(fmt::format("{}", fmt::join(policies_, ",")))
                ->delimiter(',')
                ->type_name("LIST")
                ->check(words(policy_names())));
    } else if (plans()) {
        add(app_->add_option("--policy", policy_, "What is fused with what")
                ->capture_default_str()
                ->type_name("P")
                ->check(words(policy_names())));
    }
    if (plans() && policies == Policies::One) {
        add(app_->add_option(
                    "--plan", plan_file_,
                    "A plan that 'emulsion plan' has written, perhaps edited, in the place "
                    "of one made now; target, threads and constants are its own")
                ->type_name("FILE"));
    }
}

void CompileFlags::add_machine_flags() {
    add(app_->add_option(
                "--target", target_,
                "host (this machine), a Halide target (x86-64-linux-avx2-fma), AMD GPUs by their "
                "chips (amdgpu-gfx906,gfx1100; with ,host also for a CPU), or the GPU that an API "
                "finds (host-opencl, host-cuda)")
            ->capture_default_str()
            ->type_name("TARGET"));
    if (plans()) {
        add(app_->add_option(
                    "--machine", machine_file_,
                    "The machine's constants, as 'emulsion calibrate' writes them; with AMD GPUs "
                    "those of the CPU behind them")
                ->default_str("those of a typical machine")
                ->type_name("FILE"));
        add(app_->add_option(
                    "--search-budget", search_budget_,
                    "Groups that the search of gao2025 looks at before its best plan stands")
                ->capture_default_str()
                ->type_name("N"));
    }
}

void CompileFlags::add_model_flags() {
    add(app_->add_option("--shape", shapes_,
                         "Sizes that the model leaves open: all of an input, those that it fixes "
                         "included (x=1x3x224x224), or of a symbol wherever it stands (batch=1); "
                         "may be repeated")
            ->type_name("NAME=SIZES")
            ->allow_extra_args(false));
    add(app_->add_flag("--exact", exact_, "No implementations that change rounding noticeably"));
    if (plans()) {
        add(app_->add_option(
                    "--implementation", implementations_,
                    "How to compute an operator of the model, whatever it costs; 'emulsion "
                    "explain' lists what there is; may be repeated")
                ->type_name("OPERATOR=NAME")
                ->allow_extra_args(false));
    }
    add(app_->add_option("--disable-pass", disabled_passes_, "Leave out a graph pass")
            ->type_name("NAME")
            ->check(words(pass_names()))
            ->allow_extra_args(false));
}

void CompileFlags::add_build_flags() {
    add(app_->add_option(
                "--tuned", tuned_file_,
                "Loop nests that 'emulsion tune' has found, for the groups that they are of")
            ->type_name("FILE"));
    add(app_->add_flag("--predict", predicts_,
                       "Take the loop nests that a predictor picks, which was trained before; "
                       "nothing is measured"));
    add(app_->add_option("--predictor", predictor_file_,
                         "The predictor, as 'emulsion train' has written it")
            ->default_str("the one that comes with Emulsion")
            ->type_name("FILE"));
    add(app_->add_flag("--checked", checked_,
                       "Keep Halide's run-time checks in the code for CPUs"));
    add(app_->add_option("--jobs", jobs_, "Worker processes")
            ->default_str("one per core")
            ->type_name("N")
            ->check(within(1, kMostJobs)));
    add(app_->add_option("--cache", cache_folder_, "Folder of compiled units")
            ->default_str("$XDG_CACHE_HOME/emulsion or ~/.cache/emulsion")
            ->type_name("DIR"));
    add(app_->add_flag("--no-cache", no_cache_,
                       "Compile every unit again, those of several networks once, and keep none"));
}

CompileOptions CompileFlags::options(Progress &progress) const {
    check_policy(policy_);
    check_machine();
    check_plan();
    CompileOptions options;
    options.plan.policy = policy_;
    options.plan.target = target_;
    options.plan.threads = threads > 0 ? threads : available_cores();
    options.plan.exact = exact_;
    options.plan.implementations = parse_implementations(implementations_);
    options.plan.checked = checked_;
    options.plan.search_budget = search_budget_;
    if (!machine_file_.empty()) {
        options.plan.machine = constants_from_json(read_user_file(machine_file_), machine_file_);
    }
    if (!plan_file_.empty()) {
        const bool checked = options.plan.checked;
        options.plan = options_from_plan(read_user_file(plan_file_), plan_file_);
        options.plan.checked = checked;
    }
    options.shapes = parse_shapes(shapes_, "--shape");
    options.disabled_passes = {disabled_passes_.begin(), disabled_passes_.end()};
    options.jobs = jobs_;
    options.cache_folder = cache_folder_;
    options.use_cache = !no_cache_;
    options.progress = [&progress](int done, int total, const std::string &label) {
        progress.show(done, total, label);
    };
    options.warning = [&progress, said = std::set<std::string>()](const std::string &text) mutable {
        if (said.insert(text).second) {  // of a network and its fallback the same
            progress.clear();
            std::fputs(fmt::format("emulsion: warning: {}\n", text).c_str(), stderr);
        }
    };
    if (!tuned_file_.empty()) {
        take_tuned(options);
    }
    if (predicts_) {
        take_predictor(options);
    }
    return options;
}

std::shared_ptr<const Predictor> CompileFlags::predictor() const {
    if (predictor_file_.empty()) {
        return Predictor::shipped();
    }
    return std::make_shared<const Predictor>(
        Predictor::from_text(read_user_file(predictor_file_), predictor_file_));
}

void CompileFlags::take_predictor(CompileOptions &options) const {
    const std::shared_ptr<const Predictor> given = predictor();
    const TargetChoice target = target_choice(options.plan.target);
    const auto knows = [&](const std::string &name) {
        return given->knows({name, options.plan.threads, ""});
    };
    if (!knows(target.name) && (target.fallback.empty() || !knows(target.fallback))) {
        options.warning(fmt::format(
            "the predictor was trained for {} on {} threads, and this is for {} on {}: none of its loop nests is "
            "taken; 'emulsion train' makes one of what 'emulsion tune --trajectory' has measured",
            given->scope().target, given->scope().threads, target.name, options.plan.threads));
        return;
    }
    options.plan.predictor = predicted_nests(given, options.plan.threads);
}

// What was measured elsewhere, or with other threads, says nothing here: then it is the planner's nests.
void CompileFlags::take_tuned(CompileOptions &options) const {
    const TunedNests tuned = tuned_from_json(read_user_file(tuned_file_), tuned_file_);
    const std::string here = machine_fingerprint(host_info());
    if (tuned.machine != here) {
        options.warning(
            fmt::format("{} was tuned on another processor ({}; this is {}): none of its "
                        "loop nests is taken",
                        tuned_file_, tuned.machine, here));
    } else if (tuned.threads != options.plan.threads) {
        options.warning(
            fmt::format("{} was tuned for --threads {}: none of its loop nests is taken",
                        tuned_file_, tuned.threads));
    } else {
        options.plan.tuned = std::make_shared<TunedNests>(tuned);
    }
}

// Of chips the constants are known; a file's are of the CPU that was measured.
void CompileFlags::check_machine() const {
    const TargetChoice target = target_choice(target_);
    if (machine_file_.empty() || target.chips.empty()) {
        return;
    }
    if (target.fallback.empty()) {
        throw Error(fmt::format("--machine has the constants of a CPU, and target '{}' has none; "
                                "'{},host' has one",
                                target_, target_));
    }
    if (use_ == Use::PlanOnly) {
        throw Error(fmt::format("--machine has the constants of a CPU, and of target '{}' the plan "
                                "for the GPU is shown",
                                target_));
    }
}

std::vector<std::string> CompileFlags::policies() const {
    for (size_t i = 0; i < policies_.size(); i++) {
        check_policy(policies_[i]);
        if (std::find(policies_.begin(), policies_.begin() + static_cast<std::ptrdiff_t>(i),
                      policies_[i]) != policies_.begin() + static_cast<std::ptrdiff_t>(i)) {
            throw Error(fmt::format("--policies names '{}' twice", policies_[i]));
        }
    }
    return policies_;
}

void CompileFlags::refuse_for(const std::string &folder) const {
    for (const CLI::Option *option : given_) {
        if (option->count() > 0) {
            throw Error(fmt::format("{} does not go with a compiled folder, whose plan is fixed; "
                                    "give the MODEL.onnx instead",
                                    option->get_name()),
                        {.file = folder});
        }
    }
}

void CompileFlags::check_plan() const {
    if (plan_file_.empty()) {
        return;
    }
    for (const char *decided : {"--policy", "--target", "--machine", "--search-budget", "--exact",
                                "--implementation", "--threads"}) {
        const CLI::Option *option = app_->get_option_no_throw(decided);
        if (option != nullptr && option->count() > 0) {
            throw Error(
                fmt::format("{} does not go with --plan: the plan has it decided", decided));
        }
    }
}

}  // namespace emulsion
