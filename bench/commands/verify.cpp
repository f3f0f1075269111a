// emulsion verify: whether a network computes what a reference computes.

#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compare.h"
#include "bench/compile_flags.h"
#include "bench/group_check.h"
#include "bench/json_file.h"
#include "bench/loaded_network.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/reference.h"
#include "bench/result_flag.h"
#include "bench/second_opinion.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kVerifyManual =
    "The reference is ONNX Runtime in a Python process; with --against f64 the evaluator of the\n"
    "Python package onnx in double precision, which is slow; or with --against FILES the outputs in\n"
    ".npy files, for the inputs of --input. A DIR needs --model for the first two.\n"
    "\n"
    "Inputs are random, integers such as the network's operators accept, except for those that have\n"
    "a file: the first run takes it as it is, later ones its elements in another order.\n"
    "\n"
    "What the numbers mean:\n"
    "  max |error|   largest absolute difference of an output element from the reference\n"
    "  error/bound   largest ratio of that difference to 1e-4 + 1e-3 |reference|; at most 1 passes,\n"
    "                a value that is not a number on either side fails\n"
    "  sensitivity   whether a wrong result could show at all: for each output, the largest\n"
    "                elementwise difference over the bound between the reference results of two\n"
    "                different inputs; the smallest over outputs and pairs. Below 100 the\n"
    "                verification is inconclusive, and fails. With --against FILES the second result\n"
    "                is the network's own on a random input.\n"
    "\n"
    "--per-group also compares what every group writes with ONNX Runtime's value of the same name,\n"
    "on every input: the first group above the bound is where to look. It does not change whether\n"
    "the verification passes.\n"
    "\n"
    "Where the bound is missed, the network and ONNX Runtime are both compared with f64 on the worst\n"
    "input: the reference itself may be as far away. It does not change the result either.\n"
    "\n"
    "--json FILE has these keys: model, reference, runs, max_abs_error, worst_bound_ratio,\n"
    "sensitivity, pass, where the bound is missed from_f64 = { worst_bound_ratio,\n"
    "onnxruntime_bound_ratio, reference_is_as_far } (or null), and with --per-group groups = [ { operators, value, max_abs_error,\n"
    "worst_bound_ratio, worst_run } ] and first_wrong_group (or null); a figure that is not finite\n"
    "is null.\n"
    "\n"
    "Examples:\n"
    "  emulsion verify mobilenet_v1.onnx\n"
    "  emulsion verify mobilenet_v1 --model mobilenet_v1.onnx --per-group\n"
    "  emulsion verify net.onnx --against f64 --runs 2\n"
    "  emulsion verify net.onnx --input x=x.npy --against y.npy";

constexpr const char *kOnnxRuntime = "onnxruntime";
constexpr const char *kDouble = "f64";

struct VerifyArguments {
    std::string model, reference_model, python, json;
    std::vector<std::string> inputs;
    std::vector<std::string> against = {kOnnxRuntime};
    int runs = 10;
    uint64_t seed = 1;
    bool per_group = false;
    CompileFlags flags;

    // What computes the reference, or nothing where it is in files.
    std::optional<PythonReference::Engine> engine() const {
        if (against.size() == 1 && against[0] == kOnnxRuntime) {
            return PythonReference::Engine::OnnxRuntime;
        }
        if (against.size() == 1 && against[0] == kDouble) {
            return PythonReference::Engine::Double;
        }
        return {};
    }
    // The file for it.
    const std::string &onnx_file() const {
        return reference_model.empty() ? model : reference_model;
    }
};

void check_usage(const VerifyArguments &options) {
    if (options.engine()) {
        if (std::filesystem::is_directory(options.onnx_file())) {
            throw Error(
                fmt::format("a compiled folder needs --model MODEL.onnx to be verified against {}",
                            options.against[0]),
                {.file = options.model});
        }
        if (!std::filesystem::is_regular_file(options.onnx_file())) {
            throw Error("no such file", {.file = options.onnx_file()});
        }
        if (options.runs < 2) {
            throw Error("--runs has to be at least 2, for sensitivity compares different inputs");
        }
    } else if (options.inputs.empty()) {
        throw Error("--against FILES needs the inputs they belong to: --input NAME=FILE.npy");
    } else if (options.per_group) {
        throw Error("--per-group needs --against onnxruntime or f64, which know the inner values");
    }
}

struct Verdict {
    std::string source;  // of the reference
    int runs = 0;
    Difference worst;
    std::string worst_place;
    double sensitivity = 0.0;
    std::optional<GroupCheck> groups;
    std::optional<SecondOpinion> opinion;  // where the bound is missed

    bool pass() const { return worst.passes() && sensitivity >= kLeastSensitivity; }
};

// Compares one run after the other with the reference.
class Verification {
public:
    Verification(const VerifyArguments &options, LoadedNetwork &network)
        : options_(options), network_(network), artifact_(network.artifact()),
          engine_(options.engine()),
          source_(artifact_, options.inputs, options.seed,
                  engine_ ? NetworkInputs::Missing::Random : NetworkInputs::Missing::Refused) {
        verdict_.runs = engine_ ? options.runs : 1;
        progress_.show(0, verdict_.runs, "runs compared");
        if (options.per_group) {
            verdict_.groups.emplace(artifact_, source_.make(0));
        }
        if (engine_) {
            reference_ = std::make_unique<PythonReference>(
                *engine_, options.onnx_file(), options.python, artifact_,
                verdict_.groups ? verdict_.groups->values() : std::vector<std::string>());
        }
        verdict_.source = reference_ ? reference_->name() : "files";
    }

    Verdict run() {
        for (int run = 0; run < verdict_.runs; run++) {
            compare_run(run);
            check_interrupted();
            progress_.show(run + 1, verdict_.runs, "runs compared");
        }
        if (references_.size() == 1) {
            // Of files there is one result; the other is the network's own.
            references_.push_back(
                network_.run(NetworkInputs(artifact_, {}, options_.seed).make(0)));
        }
        verdict_.sensitivity = sensitivity(references_);
        if (engine_ && !verdict_.worst.passes()) {
            progress_.show(0, 0, "comparing with f64");
            reference_.reset();
            verdict_.opinion =
                second_opinion(*engine_, options_.onnx_file(), options_.python, artifact_, worst_);
        }
        return std::move(verdict_);
    }

private:
    void compare_run(int run) {
        std::vector<Array> inputs = source_.make(run);
        PythonReference::Results expected =
            reference_ ? reference_->run(inputs)
                       : PythonReference::Results{read_reference(options_.against, artifact_), {}};
        for (size_t i = 0; i < inputs.size(); i++) {
            expected.values.emplace(artifact_.inputs()[i].name, inputs[i]);  // a change of layout
        }
        const std::vector<Array> outputs =
            verdict_.groups ? verdict_.groups->run(inputs, expected.values) : network_.run(inputs);
        bool is_worst = false;
        for (size_t i = 0; i < outputs.size(); i++) {
            if (verdict_.worst.merge(compare(outputs[i], expected.outputs[i]))) {
                is_worst = true;
                verdict_.worst_place =
                    fmt::format("run {}, output '{}', element {}", run + 1,
                                artifact_.outputs()[i].name, verdict_.worst.worst_element);
            }
        }
        if (is_worst) {
            worst_ = {std::move(inputs), outputs, expected.outputs};
        }
        references_.push_back(std::move(expected.outputs));
    }

    const VerifyArguments &options_;
    LoadedNetwork &network_;
    Artifact &artifact_;
    const std::optional<PythonReference::Engine> engine_;
    const NetworkInputs source_;
    std::unique_ptr<PythonReference> reference_;  // none: files
    std::vector<std::vector<Array>> references_;  // of every run
    ComparedRun worst_;                           // whose error is the largest so far
    Verdict verdict_;
    Progress progress_;
};

Verdict verify(const VerifyArguments &options, LoadedNetwork &network) {
    if (!options.reference_model.empty()) {
        expect_model_of(options.reference_model, network.artifact());
    }
    return Verification(options, network).run();
}

Json verify_json(const Verdict &verdict, const VerifyArguments &options) {
    Json json = {{"model", options.model},
                 {"reference", verdict.source},
                 {"runs", verdict.runs},
                 {"max_abs_error", verdict.worst.max_abs_error},
                 {"worst_bound_ratio", verdict.worst.worst_ratio},
                 {"sensitivity", verdict.sensitivity},
                 {"pass", verdict.pass()}};
    if (verdict.opinion) {
        json["from_f64"] = to_json(*verdict.opinion);
    }
    if (verdict.groups) {
        json["groups"] = Json::array();
        for (const GroupDifference &group : verdict.groups->groups()) {
            json["groups"].push_back(to_json(group));
        }
        const int first = verdict.groups->first_wrong();
        json["first_wrong_group"] = first < 0 ? Json() : Json(first);
    }
    return json;
}

int report(const Verdict &verdict, const VerifyArguments &options) {
    fmt::print("{} against {}, {} run{}\n", options.model, verdict.source, verdict.runs,
               verdict.runs == 1 ? "" : "s");
    fmt::print("max |error|  {:.3g}\n", verdict.worst.max_abs_error);
    fmt::print("error/bound  {:.3g} (at most 1 passes)\n", verdict.worst.worst_ratio);
    fmt::print("sensitivity  {:.0f} (at least {:.0f} is needed)\n", verdict.sensitivity,
               kLeastSensitivity);
    if (verdict.groups) {
        print_groups(*verdict.groups);
    }
    if (verdict.opinion) {
        fmt::print("{}\n", describe(*verdict.opinion));
    }
    fmt::print("{}\n", verdict.pass() ? "pass" : verdict.worst.passes() ? "inconclusive" : "FAIL");
    std::fflush(stdout);  // before the sentence on stderr
    write_json(options.json, "emulsion-verify", verify_json(verdict, options));
    if (!verdict.worst.passes()) {
        const bool as_far = verdict.opinion && verdict.opinion->reference_is_as_far();
        throw failure(fmt::format("the result is {}: {}: the error is {:.3g} times the bound{}",
                                  as_far ? "not the reference's" : "wrong", verdict.worst_place,
                                  verdict.worst.worst_ratio,
                                  as_far ? "; " + describe(*verdict.opinion)
                                  : options.per_group || !options.engine()
                                      ? ""
                                      : " (--per-group says where it begins)"),
                      {.file = options.model});
    }
    if (!verdict.pass()) {
        throw failure(fmt::format("the verification is inconclusive: sensitivity {:.3g} is below "
                                  "{:.0f}, so a wrong result could have passed",
                                  verdict.sensitivity, kLeastSensitivity),
                      {.file = options.model});
    }
    return 0;
}

std::function<int()> add_verify(CLI::App &app) {
    auto options = std::make_shared<VerifyArguments>();
    app.add_option("MODEL.onnx|DIR", options->model, "A model, or what 'compile' wrote")
        ->required();
    app.add_option("--model", options->reference_model, "The model for the reference, for a DIR")
        ->type_name("MODEL.onnx");
    app.add_option("--runs", options->runs, "Inputs to run on, at least 2")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000'000));
    app.add_option("--against", options->against,
                   "ONNX Runtime, double precision, or the expected outputs: [NAME=]FILE.npy each")
        ->default_str(kOnnxRuntime)
        ->type_name("onnxruntime|f64|FILE.npy");
    app.add_option("--input", options->inputs, "An input; others are random")
        ->type_name("[NAME=]FILE.npy");
    app.add_flag("--per-group", options->per_group, "Also compare what every group writes");
    app.add_option("--seed", options->seed, "Of random inputs")
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--python", options->python, "Python with ONNX Runtime")
        ->default_str("the build's environment, else python3")
        ->type_name("PROGRAM");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app);
    app.footer(kVerifyManual);
    return [options] {
        check_usage(*options);
        expect_writable(options->json);
        const InterruptGuard guard;  // the temporary folders have to go
        LoadedNetwork network = LoadedNetwork::open(options->model, options->flags);
        return report(verify(*options, network), *options);
    };
}

}  // namespace

const Command &command_verify() {
    static const Command command = {"verify", "Compare a network's results with ONNX Runtime's",
                                    add_verify};
    return command;
}

}  // namespace emulsion
