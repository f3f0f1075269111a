// emulsion explain: what is computed together, where, and why not otherwise.

#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/explain/annotated_model.h"
#include "bench/explain/explain_network.h"
#include "bench/explain/measured_times.h"
#include "bench/explain/page.h"
#include "bench/explain/picture.h"
#include "bench/explain/pipeline_plan.h"
#include "bench/explain/render.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/user_files.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/load_network.h"
#include "frontend/lower/target.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kExplainManual =
    "Plans the network without compiling it, and shows the plan in the model's names.\n"
    "\n"
    "What it prints:\n"
    "  group          number of a kernel, in execution order, as 'bench --profile' and\n"
    "                 'verify --per-group' have it. A 'convert' copies a tensor into another layout,\n"
    "                 a 'view' moves no data and launches nothing\n"
    "  loop nest      the template; --verbose shows its parameters\n"
    "  read, written  bytes of the tensors, constants included, each counted once and whole; halos\n"
    "                 are not counted\n"
    "  predicted      milliseconds, by the cost model with the constants of --machine\n"
    "  measured, ratio   with --profile: milliseconds of the group in runs of the whole network, and\n"
    "                 predicted over measured: below 1, it is slower than predicted\n"
    "  mul-add        of sums of products of two tensors: convolutions and matrix products\n"
    "  placement      where an operator's result, or a part of it, is computed: inline in what reads\n"
    "                 it; in registers; in a panel, a tile or row in cache; whole, before the root's\n"
    "                 loops; or as the root, which is written to memory\n"
    "  duplicated     operators that several groups compute, each for itself, because that is predicted\n"
    "                 to be faster than storing the value and reading it: by how much\n"
    "  implementations   of operators that have several: the one taken, and what each takes by itself as\n"
    "                 predicted; the price of the whole plan decides, --implementation forces one\n"
    "  largest kernels   for AMD GPUs, compiled: vector and scalar registers of a thread; bytes of LDS;\n"
    "                 waves of a SIMD that fit, of those that it can keep; and of the loop with the most\n"
    "                 multiply-adds (the whole kernel, where it is unrolled): multiply-adds, the share that\n"
    "                 one instruction does (FMA, packed FMA, dot), loads from memory, from LDS, scalar ones\n"
    "  neighbours     pairs of producer and consumer in different groups, by reason; where the policy\n"
    "                 records none, what can be read off the groups\n"
    "\n"
    "--html FILE is one page that needs no network: a summary, the drawing with zoom, drag and search,\n"
    "and tables of the groups, of the edges between them and of the reasons. A group is a coloured box,\n"
    "a view a dashed one; what is under the pointer says more; a click on a group shows its row, and the\n"
    "other way round. --svg FILE is the drawing alone. Both need Graphviz. A network of more than 3000\n"
    "operators is drawn by groups.\n"
    "\n"
    "--onnx FILE is the graph as it was planned, after the passes, as a model for viewers such as Netron.\n"
    "Metadata of each node: emulsion.group (number of the kernel, or 'view'), emulsion.group_label,\n"
    "emulsion.placement, emulsion.loop_nest. Weights beyond 2 GiB go to FILE.data.\n"
    "\n"
    "--json FILE has everything, also what the text leaves out: model, target, policy, threads,\n"
    "operator_count, launched_groups, fusion_ratio, units, bytes_moved, multiply_adds, arena_bytes,\n"
    "live_bytes, weights_bytes, proven_optimal, search_states, search_groups, duplication_tries,\n"
    "layouts (ways for values to lie, of which this is the cheapest), predicted_ms, operators = [ {\n"
    "name, type, mapping, implementation, multiply_adds, group, groups } ] (groups:\n"
    "all that compute it; group: the one that stores it, if one does), choices = [ { operator, type,\n"
    "implementation, alone_ms } ],\n"
    "groups = [ { kind, members, placement = [ { operator, part, placement } ], predicted_ms, label,\n"
    "inputs, output, nest, nests = [ { template, parameters, members } ], launch, unit, bytes_read,\n"
    "bytes_written, multiply_adds } ], edges = [ { producer, consumer, producer_group, consumer_group,\n"
    "tensor, type, shape, bytes, reason, converted_by } ] between groups, duplications = [ { operators,\n"
    "predicted_won_ms } ], kernels = [ { group, chip, kernel, threads, vgprs, sgprs, lds_bytes,\n"
    "waves_per_simd, most_waves_per_simd, in_loop, multiply_adds, fma_share, fma_share_of_kernel,\n"
    "instructions, global_loads, lds_loads, scalar_loads } ], refusals = [ { producer, consumer, reason } ]. A tensor has name, type, shape,\n"
    "layout, storage, bytes, allocated_bytes and perhaps view_of. Where a group stands for another one,\n"
    "it is a position in groups.\n"
    "\n"
    "A file of JSON is the plan of a Halide pipeline, as autoscheduler.plan_out has written it: its\n"
    "stages, where each is computed and why, and what it would have cost elsewhere (predicted time of the\n"
    "groups concerned, over that of the place taken). --json, --html and --svg write the same.\n"
    "\n"
    "Examples:\n"
    "  emulsion explain mobilenet_v1.onnx\n"
    "  emulsion explain blur.plan.json --html blur.html\n"
    "  emulsion explain mobilenet_v1.onnx --html plan.html\n"
    "  emulsion explain mobilenet_v1.onnx --policy none --verbose --json plan.json";

constexpr int kMostKernels = 100'000;

struct ExplainArguments {
    std::string model, profile, json, html, svg, onnx;
    bool verbose = false;
    int kernels = 10;
    CompileFlags flags;
};

bool draws(const ExplainArguments &options) {
    return !options.html.empty() || !options.svg.empty();
}

void write_files(const ExplainArguments &options, const Graph &graph,
                 const Explanation &explanation, const Picture &picture) {
    if (!options.svg.empty() && picture.svg.empty()) {
        throw failure(picture.note, {.file = options.svg});
    }
    write_json(options.json, "emulsion-explain", to_json(explanation));
    if (!options.html.empty()) {
        write_whole_file(options.html, {render_page(explanation, picture)});
    }
    if (!options.svg.empty()) {
        write_whole_file(options.svg, {picture.svg});
    }
    if (!options.onnx.empty()) {
        write_annotated_model(graph, explanation, options.onnx);
    }
}

// The plan of a pipeline is what it is: what says how to plan a network does not go with it.
void refuse_flags_of_networks(const CLI::App &app) {
    const std::set<std::string> fitting = {"MODEL.onnx", "--json", "--html", "--svg", "--help"};
    for (const CLI::Option *option : app.get_options()) {
        if (option->count() > 0 && fitting.count(option->get_name()) == 0) {
            throw Error(option->get_name() +
                        " is for networks; the plan of a pipeline takes --json, --html and --svg");
        }
    }
}

int explain_plan(const ExplainArguments &options) {
    const PipelineExplanation explanation = explain_pipeline(options.model);
    for (const std::string &file : {options.json, options.html, options.svg}) {
        expect_writable(file);
    }
    Picture picture;
    if (draws(options)) {
        const InterruptGuard guard;  // the temporary folder has to go
        picture = draw_pipeline(explanation);
    }
    if (!options.svg.empty() && picture.svg.empty()) {
        throw failure(picture.note, {.file = options.svg});
    }
    fmt::print("{}", pipeline_text(explanation));
    write_json(options.json, "emulsion-explain-pipeline", pipeline_json(explanation));
    if (!options.html.empty()) {
        write_whole_file(options.html, {pipeline_page(explanation, picture)});
    }
    if (!options.svg.empty()) {
        write_whole_file(options.svg, {picture.svg});
    }
    return 0;
}

int explain(const ExplainArguments &options) {
    if (std::filesystem::is_directory(options.model)) {
        throw Error("is a folder; explain plans the model anew and needs the MODEL.onnx itself",
                    {.file = options.model});
    }
    for (const std::string &file : {options.json, options.html, options.svg, options.onnx}) {
        expect_writable(file);
    }
    Progress progress;
    const CompileOptions compile = options.flags.options(progress);
    progress.show(0, 0, "planning " + options.model);
    const Graph graph = load_network(options.model, load_options(compile));
    PlannedNetwork network =
        naming_file(options.model, [&] { return plan_network(graph, compile.plan); });
    compute_constants(network);
    Explanation explanation = explain_network(network);
    explanation.model = options.model;
    explanation.threads = compile.plan.threads;
    if (!options.profile.empty()) {
        add_measured_times(options.profile, explanation);
    }
    if (!target_choice(compile.plan.target).chips.empty() && options.kernels > 0) {
        const InterruptGuard guard;  // the temporary folders have to go
        explanation.kernels = report_kernels(
            network, options.kernels,
            [&](int done, int all, const std::string &label) { progress.show(done, all, label); });
    }
    Picture picture;
    if (draws(options)) {
        const InterruptGuard guard;  // the temporary folder has to go
        progress.show(0, 0, "drawing " + options.model);
        picture = draw(explanation);
    }
    progress.clear();
    fmt::print("{}", explanation_text(explanation, options.verbose));
    write_files(options, graph, explanation, picture);
    return 0;
}

std::function<int()> add_explain(CLI::App &app) {
    auto options = std::make_shared<ExplainArguments>();
    app.add_option("MODEL.onnx", options->model, "The network, or the plan of a pipeline (JSON)")
        ->required();
    app.add_flag("--verbose", options->verbose, "Every operator, tensor, parameter and refusal");
    app.add_option("--profile", options->profile,
                   "Times of this plan's groups, shown beside the predicted ones: what 'bench "
                   "--profile --json', 'measure --json' or '--trace' has written")
        ->type_name("FILE");
    add_result_flag(app, "--json", options->json, "Write the whole plan there");
    add_result_flag(app, "--html", options->html,
                    "Write a page there: the graph coloured by group, tables, and every reason");
    add_result_flag(app, "--svg", options->svg, "Write the drawing of that page there");
    app.add_option("--onnx", options->onnx,
                   "Write the planned graph there as a model whose nodes name their groups")
        ->type_name("FILE");
    app.add_option("--kernels", options->kernels,
                   "For AMD GPUs: of how many groups to compile the kernels, the largest first")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(0, kMostKernels));
    options->flags.add_to(app, CompileFlags::Policies::One, CompileFlags::Use::PlanOnly);
    app.footer(kExplainManual);
    return [options, &app] {
        if (!std::filesystem::is_directory(options->model) && is_json_file(options->model)) {
            refuse_flags_of_networks(app);
            return explain_plan(*options);
        }
        return explain(*options);
    };
}

}  // namespace

const Command &command_explain() {
    static const Command command = {"explain", "Show what is computed together, and why",
                                    add_explain};
    return command;
}

}  // namespace emulsion
