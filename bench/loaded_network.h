// A network to run: a compiled folder, or a MODEL.onnx that is compiled into a temporary one first.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "backend/artifact_reader.h"
#include "bench/json_file.h"
#include "bench/npy.h"
#include "bench/user_files.h"

namespace emulsion {

class CompileFlags;
struct BuiltUnits;
struct CompileOptions;
struct CompileReport;
struct PlannedModel;

// What a manifest says of a network.
struct NetworkFacts {
    std::string policy, target;
    int operators = 0;  // N0 of the fusion ratio
    int64_t weights_bytes = 0;
};

class LoadedNetwork {
public:
    // `path` is MODEL.onnx or DIR; DIR goes with no flag of compilation. Runs on as many threads as
    // the flags say. Throws Error.
    static LoadedNetwork open(const std::string &path, const CompileFlags &flags);
    // `model` compiled with `options`, without an archive; what was made goes to `report`, where there is one.
    static LoadedNetwork compile(const std::string &model, const CompileOptions &options,
                                 CompileReport *report = nullptr);
    // The same from plans, which are built as they are.
    static LoadedNetwork compile(const PlannedModel &model, const CompileOptions &options,
                                 CompileReport *report = nullptr);
    // And where the units of its networks were compiled before.
    static LoadedNetwork link(const PlannedModel &model, const std::vector<BuiltUnits> &units,
                              const CompileOptions &options, CompileReport *report = nullptr);

    const std::string &folder() const { return folder_; }
    Artifact &artifact() { return *artifact_; }
    const Artifact &artifact() const { return *artifact_; }

    NetworkFacts facts() const;
    // The part of the manifest that is about the network that runs: the manifest itself, or its "fallback".
    // Throws a Json::exception where it isn't there.
    Json manifest() const;

    // Outputs in the network's order. The inputs have the types and shapes of the network's.
    std::vector<Array> run(const std::vector<Array> &inputs);

private:
    LoadedNetwork() = default;
    // `make` writes the artifact into the folder that it is given.
    template<typename Make>
    static LoadedNetwork made(const CompileOptions &options, CompileReport *report,
                              const Make &make);

    std::unique_ptr<TemporaryFolder> temporary_;  // outlives the library loaded from it
    std::string folder_;
    std::unique_ptr<Artifact> artifact_;
};

// Gives all networks other memory for their weights and values, in an order that `random` chooses: where they
// lie makes the same code some percent faster or slower, which repeating runs alone would not show. Throws Error.
void take_other_memory(std::span<LoadedNetwork> networks, std::mt19937 &random);

// Arrays to pass by address, in order.
std::vector<const void *> addresses(const std::vector<Array> &arrays);
std::vector<void *> addresses(std::vector<Array> &arrays);
// Zeroed arrays for the outputs of a network.
std::vector<Array> empty_outputs(const Artifact &artifact);

}  // namespace emulsion
