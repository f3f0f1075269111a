// The schemas of all JSON that Emulsion writes: the one table. A file has the name and the version of its
// schema as its first keys, `schema` and `version` (fusion/json_document.h); docs/json.md has the keys of each.
// A key that is added leaves the version as it is; one that goes, or means something else, raises it.
#pragma once

#include <string_view>

namespace emulsion {

struct JsonSchemaEntry {
    std::string_view name;
    int version;
    std::string_view
        writer;  // the command that writes it, for messages and the table of docs/json.md
};

inline constexpr JsonSchemaEntry kJsonSchemas[] = {
    // What users read: figures.
    {"emulsion-bench", 1, "emulsion bench --json"},
    {"emulsion-check", 1, "emulsion check --json"},
    {"emulsion-compile", 1, "emulsion compile --json"},
    {"emulsion-examine", 1, "emulsion examine --json"},
    {"emulsion-explain", 2, "emulsion explain --json"},
    {"emulsion-explain-pipeline", 1, "emulsion explain PLAN.json --json"},
    {"emulsion-fusion", 1, "emulsion fusion --json"},
    {"emulsion-fusion-plans", 1, "emulsion fusion --plan-only --json"},
    {"emulsion-measure", 1, "emulsion measure --json"},
    {"emulsion-nests", 1, "emulsion nests --json"},
    {"emulsion-roofline", 1, "emulsion roofline --json"},
    {"emulsion-scaling", 1, "emulsion scaling --json"},
    {"emulsion-run", 1, "emulsion run --json"},
    {"emulsion-train", 1, "emulsion train --json"},
    {"emulsion-train-code", 1, "emulsion train-code --json"},
    {"emulsion-tune", 1, "emulsion tune --json"},
    {"emulsion-verify", 1, "emulsion verify --json"},
    {"emulsion-trace", 1, "emulsion bench --trace, emulsion run --trace"},
    {"emulsion-compare", 1, "bench/compare --json"},
    {"emulsion-compare-builds", 1, "bench/compare-builds --json"},
    {"emulsion-strategy-race", 1, "tools/strategy-figures"},
    {"emulsion-layers", 1, "bench/layers --json"},
    {"emulsion-implementations", 1, "bench/implementations --json"},
    {"emulsion-bandwidth", 1, "bench/bandwidth --json"},
    {"emulsion-limits", 1, "machine_limits"},
    {"emulsion-classics", 1, "tools/classics"},
    {"emulsion-classics-examine", 1, "classics examine --json"},
    {"emulsion-fuzz-graphs", 1, "tools/fuzz-graphs --json"},
    {"emulsion-fuzz-pipelines", 1, "tools/fuzz-pipelines --json"},
    {"emulsion-node-suite", 1, "tests/node_suite --json"},
    {"emulsion-torch", 1, "tools/torch --json"},
    // What Emulsion reads again.
    {"emulsion-machine", 1, "emulsion calibrate"},
    {"emulsion-plan", 1, "autoscheduler.plan_out"},
    {"emulsion-predictor", 1, "emulsion train"},
    {"emulsion-code-model", 1, "emulsion train-code"},
    {"emulsion-tuned", 1, "emulsion tune"},
    {"emulsion-tuned-images", 1, "classics tune"},
    {"emulsion-network-plan", 1, "emulsion plan"},
    {"emulsion-manifest", 1, "emulsion compile"},
    // What lies beside code.
    {"emulsion-launches", 1, "emulsion compile --emit kernels"},
    {"emulsion-kernel", 1, "emulsion compile --emit kernels"},
    {"emulsion-kernels", 1, "emulsion compile --emit kernels"},
    // Between programs of one installation, in temporary folders.
    {"emulsion-classics-step", 1, "classics, for itself"},
    {"emulsion-compare-inputs", 1, "bench/compare, for the engines"},
    {"emulsion-reference-request", 1, "emulsion verify, for bench/python/reference.py"},
};

// One of the table. A name that isn't there doesn't compile.
class JsonSchema {
public:
    consteval JsonSchema(const char *name) : entry_(&find(name)) {}

    std::string_view name() const { return entry_->name; }
    int version() const { return entry_->version; }
    std::string_view writer() const { return entry_->writer; }

private:
    static consteval const JsonSchemaEntry &find(std::string_view name) {
        for (const JsonSchemaEntry &entry : kJsonSchemas) {
            if (entry.name == name) {
                return entry;
            }
        }
        throw "this schema is not in kJsonSchemas";
    }

    const JsonSchemaEntry *entry_;
};

}  // namespace emulsion
