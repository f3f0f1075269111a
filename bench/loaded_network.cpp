#include "bench/loaded_network.h"

#include <filesystem>

#include <fmt/format.h>

#include "backend/compiler.h"
#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "backend/unit_builder.h"
#include "bench/compile_flags.h"
#include "bench/progress.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace emulsion {

LoadedNetwork LoadedNetwork::open(const std::string &path, const CompileFlags &flags) {
    if (!std::filesystem::is_directory(path)) {
        Progress progress;
        progress.show(0, 0, "planning " + path);
        return compile(path, flags.options(progress));
    }
    flags.refuse_for(path);
    LoadedNetwork network;
    network.folder_ = path;
    network.artifact_ = std::make_unique<Artifact>(path);
    network.artifact_->set_threads(flags.threads > 0 ? flags.threads : available_cores());
    return network;
}

LoadedNetwork LoadedNetwork::compile(const std::string &model, const CompileOptions &options,
                                     CompileReport *report) {
    return compile(planned_model(loaded_model(model, options), options), options, report);
}

template<typename Make>
LoadedNetwork LoadedNetwork::made(const CompileOptions &given, CompileReport *report,
                                  const Make &make) {
    CompileOptions options = given;
    options.archive = false;  // nobody links against it
    LoadedNetwork network;
    network.temporary_ = make_scratch_folder();
    network.folder_ = (network.temporary_->path() / "network").string();
    CompileReport compiled = make(network.folder_, options);
    if (report != nullptr) {
        *report = std::move(compiled);
    }
    network.artifact_ = std::make_unique<Artifact>(network.folder_);
    network.artifact_->set_threads(options.plan.threads);
    return network;
}

LoadedNetwork LoadedNetwork::compile(const PlannedModel &model, const CompileOptions &options,
                                     CompileReport *report) {
    return made(options, report, [&](const std::string &folder, const CompileOptions &without) {
        return compile_planned(model, folder, without);
    });
}

LoadedNetwork LoadedNetwork::link(const PlannedModel &model, const std::vector<BuiltUnits> &units,
                                  const CompileOptions &options, CompileReport *report) {
    return made(options, report, [&](const std::string &folder, const CompileOptions &without) {
        return link_planned(model, units, folder, without);
    });
}

std::vector<Array> LoadedNetwork::run(const std::vector<Array> &inputs) {
    check_interrupted();
    std::vector<Array> outputs = empty_outputs(*artifact_);
    artifact_->run(addresses(inputs), addresses(outputs));
    return outputs;
}

NetworkFacts LoadedNetwork::facts() const {
    try {
        const Json all = Json::parse(artifact_->manifest());
        const Json running = manifest();
        return {.policy = all.at("options").at("policy").get<std::string>(),
                .target = running.at("target").get<std::string>(),
                .operators = running.at("operators").get<int>(),
                .weights_bytes = all.at("weights").at("bytes").get<int64_t>()};
    } catch (const Json::exception &error) {
        throw Error(fmt::format("is not as 'emulsion compile' writes it: {}", error.what()),
                    {.file = folder_ + "/manifest.json"});
    }
}

Json LoadedNetwork::manifest() const {
    Json all = Json::parse(artifact_->manifest());
    return artifact_->fell_back() ? all.at("fallback") : all;
}

void take_other_memory(std::span<LoadedNetwork> networks, std::mt19937 &random) {
    std::vector<Artifact *> closed;
    for (LoadedNetwork &network : networks) {
        network.artifact().release();
        closed.push_back(&network.artifact());
    }
    while (!closed.empty()) {
        std::swap(closed[random() % closed.size()], closed.back());
        closed.back()->reopen();
        closed.pop_back();
    }
}

std::vector<const void *> addresses(const std::vector<Array> &arrays) {
    std::vector<const void *> pointers;
    for (const Array &array : arrays) {
        pointers.push_back(array.bytes.data());
    }
    return pointers;
}

std::vector<void *> addresses(std::vector<Array> &arrays) {
    std::vector<void *> pointers;
    for (Array &array : arrays) {
        pointers.push_back(array.bytes.data());
    }
    return pointers;
}

std::vector<Array> empty_outputs(const Artifact &artifact) {
    std::vector<Array> arrays;
    for (const TensorInfo &tensor : artifact.outputs()) {
        arrays.push_back({tensor.type, tensor.shape,
                          std::vector<std::byte>(static_cast<size_t>(tensor.bytes()))});
    }
    return arrays;
}

}  // namespace emulsion
