// emulsion check: everything in a model that is not supported.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/json_file.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/support_text.h"
#include "bench/user_files.h"
#include "frontend/lower/analyze_network.h"
#include "frontend/lower/load_network.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kCheckManual =
    "Loads the model, runs the graph passes, asks every operator whether it takes its node, and builds\n"
    "the loop nests of a model that is supported as a whole; nothing is planned or compiled. 'compile' and\n"
    "the other commands refuse a model with the same list.\n"
    "\n"
    "What it prints, for each refusal: the node, its position in the model's list and its operator type;\n"
    "the reason; what to do. Then how many refusals each operator type has, and a line that says how many\n"
    "nodes are\n"
    "  refused      for themselves, or for a node of the function that they call\n"
    "  not judged   they read what a refused node makes, so that types and shapes are not known. Where\n"
    "               Emulsion does not have the operator at all, the node is refused all the same\n"
    "  supported    the others\n"
    "\n"
    "Exit code 0 if all is supported, 2 if not. At most 1000 refusals are listed; all are counted.\n"
    "\n"
    "--json FILE has these keys: model, supported (whether all is), nodes, supported_nodes,\n"
    "refused_nodes, unjudged_nodes, refusals (all of them, counted), by_operator = [ { operator,\n"
    "refusals } ], listed = [ { node, index, operator, reason, to_do } ]. Node, index and operator are\n"
    "null where an input, a weight or the whole model is meant.\n"
    "\n"
    "Examples:\n"
    "  emulsion check model.onnx\n"
    "  emulsion check model.onnx --shape batch=1 --json -";

struct CheckArguments {
    std::string model, json;
    CompileFlags flags;
};

Json listed(const SupportReport &report) {
    Json list = Json::array();
    for (const UnsupportedPart &refusal : report.in_model_order()) {
        const ErrorPlace &place = refusal.place;
        list.push_back(
            {{"node", place.node.empty() ? Json() : Json(place.node)},
             {"index", place.node_index < 0 ? Json() : Json(place.node_index)},
             {"operator", place.operator_type.empty() ? Json() : Json(place.operator_type)},
             {"reason", refusal.reason},
             {"to_do", what_to_do(refusal)}});
    }
    return list;
}

Json check_json(const SupportReport &report) {
    Json types = Json::array();
    for (const auto &[type, count] : report.by_operator()) {
        types.push_back({{"operator", type.empty() ? Json() : Json(type)}, {"refusals", count}});
    }
    return {{"model", report.file()},
            {"supported", report.clean()},
            {"nodes", report.nodes()},
            {"supported_nodes", report.nodes_that_are(Verdict::Supported)},
            {"refused_nodes", report.nodes_that_are(Verdict::Refused)},
            {"unjudged_nodes", report.nodes_that_are(Verdict::NotJudged)},
            {"refusals", report.count()},
            {"by_operator", types},
            {"listed", listed(report)}};
}

// What is not supported; also of files that are damaged further on.
std::shared_ptr<const SupportReport> examined(const std::string &path,
                                              const CompileOptions &options) {
    try {
        const ImportedModel model = examine_model(path, load_options(options));
        if (model.report->clean()) {
            naming_file(path, [&] {
                analyze_network(model.graph, machine_for(options.plan), options.plan.exact);
            });
        }
        return model.report;
    } catch (const UnsupportedModel &error) {
        return error.shared_report();
    }
}

int check(const CheckArguments &given) {
    expect_writable(given.json);
    Progress progress;
    const CompileOptions options = given.flags.options(progress);
    progress.show(0, 0, "checking " + given.model);
    const auto report = examined(given.model, options);
    progress.clear();
    fmt::print("{}", support_text(*report, SupportReport::kMostKept));
    fmt::print("{}{}: {} of {} nodes are supported, {} refused, {} not judged\n",
               report->clean() ? "" : "\n", given.model, report->nodes_that_are(Verdict::Supported),
               report->nodes(), report->nodes_that_are(Verdict::Refused),
               report->nodes_that_are(Verdict::NotJudged));
    write_json(given.json, "emulsion-check", check_json(*report));
    return report->clean() ? 0 : 2;
}

std::function<int()> add_check(CLI::App &app) {
    auto options = std::make_shared<CheckArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    add_result_flag(app, "--json", options->json, "Write the list there");
    options->flags.add_to(app, CompileFlags::Policies::One, CompileFlags::Use::CheckOnly);
    app.footer(kCheckManual);
    return [options] { return check(*options); };
}

}  // namespace

const Command &command_check() {
    static const Command command = {"check", "List everything in a model that is not supported",
                                    add_check};
    return command;
}

}  // namespace emulsion
