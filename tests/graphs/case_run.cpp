#include "tests/graphs/case_run.h"

#include <Halide.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "backend/artifact_reader.h"
#include "backend/compiler.h"
#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/write_model.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

// What differs first, or "".
std::string difference(const std::string &name, const std::vector<double> &actual,
                       const Value &expected) {
    for (size_t i = 0; i < expected.at.size(); i++) {
        const double error = std::abs(actual[i] - expected.at[i]);
        const double bound = is_float(expected.type) ? 1e-4 + 1e-3 * std::abs(expected.at[i]) : 0.0;
        if (!(error <= bound)) {
            std::ostringstream text;
            text << "output '" << name << "', element " << i << " of " << expected.at.size() << ": "
                 << actual[i] << " instead of " << expected.at[i];
            return text.str();
        }
    }
    return "";
}

}  // namespace

void write_model(const Graph &graph, const std::string &path) {
    const SerializedModel bytes =
        serialize_model(graph, std::vector<Metadata>(graph.nodes.size()), {}, "weights.bin");
    std::ofstream file(path, std::ios::binary);
    for (const std::string_view piece : bytes.model) {
        file << piece;
    }
    file.close();
    if (!file || !bytes.data.empty()) {
        throw Error("'" + path + "' can't be written");
    }
}

CaseRun::CaseRun(const GraphCase &example, std::string folder, std::string cache)
    : example_(example), folder_(std::move(folder)), cache_(std::move(cache)),
      reference_(evaluate_graph(example.graph, example.inputs)) {
    for (size_t id = 0; id < example.graph.tensors.size(); id++) {
        tensors_[example.graph.tensors[id].name] = id;
    }
    write_model(example.graph, folder_ + "/graph.onnx");
    loaded_ = load_model(folder_ + "/graph.onnx");
}

Verdict CaseRun::run(const Configuration &configuration) {
    try {
        return configuration.jobs > 0
                   ? as_artifact(configuration)
                   : in_process(run_passes(loaded_, configuration.disabled_passes), configuration);
    } catch (const Error &error) {
        return error.kind() == ErrorKind::Refused
                   ? Verdict{Outcome::Refused, error.what()}
                   : Verdict{Outcome::Wrong, std::string("a failure: ") + error.what()};
    } catch (const Halide::Error &error) {
        return {Outcome::Wrong, std::string("Halide: ") + error.what()};
    } catch (const std::exception &error) {
        return {Outcome::Wrong, std::string("an exception: ") + error.what()};
    }
}

Verdict CaseRun::in_process(const Graph &graph, const Configuration &configuration) {
    const PlannedNetwork network = plan_network(graph, configuration.plan);
    TensorValues inputs(graph.tensors.size()), reference(graph.tensors.size());
    for (size_t id = 0; id < graph.tensors.size(); id++) {
        const Tensor &tensor = graph.tensors[id];
        const auto found = tensors_.find(tensor.name);
        if (found == tensors_.end()) {
            continue;
        }
        const Value &value = reference_[found->second];
        if (tensor.extents() == value.shape && tensor.type == value.type) {
            reference[id] = value.at;
        }
    }
    for (const TensorId id : graph.inputs) {
        inputs[static_cast<size_t>(id)] = reference[static_cast<size_t>(id)];
    }
    for (const TensorId id : graph.outputs) {
        if (reference[static_cast<size_t>(id)].empty()) {
            return {Outcome::Wrong,
                    "output '" + graph.tensor(id).name + "' has another type or shape"};
        }
    }
    const std::string wrong = run_and_compare(network, inputs, reference, &compiled_);
    return {wrong.empty() ? Outcome::Right : Outcome::Wrong, wrong};
}

Verdict CaseRun::as_artifact(const Configuration &configuration) {
    CompileOptions options;
    options.plan = configuration.plan;
    options.disabled_passes = configuration.disabled_passes;
    options.jobs = configuration.jobs;
    options.cache_folder = cache_;
    options.worker_program = EMULSION_BINARY_DIR "/bin/emulsion";
    options.name = "net";
    compile_model(folder_ + "/graph.onnx", folder_ + "/net", options);
    Artifact artifact(folder_ + "/net");
    artifact.set_threads(2);
    const auto value_of_name = [&](const std::string &name) -> const Value & {
        return reference_[tensors_.at(name)];
    };
    std::vector<std::vector<std::byte>> memory;
    std::vector<const void *> inputs;
    std::vector<void *> outputs;
    memory.reserve(artifact.inputs().size() + artifact.outputs().size());
    for (const TensorInfo &info : artifact.inputs()) {
        memory.push_back(to_bytes(value_of_name(info.name).at, info.type));
        inputs.push_back(memory.back().data());
    }
    for (const TensorInfo &info : artifact.outputs()) {
        memory.emplace_back(static_cast<size_t>(info.bytes()), std::byte{0xff});
        outputs.push_back(memory.back().data());
    }
    // Twice: the second run finds the arena as the first one left it.
    for (int run = 0; run < 2; run++) {
        artifact.run(inputs, outputs);
        for (size_t i = 0; i < artifact.outputs().size(); i++) {
            const TensorInfo &info = artifact.outputs()[i];
            const Value &expected = value_of_name(info.name);
            if (info.shape != expected.shape || info.type != expected.type) {
                return {Outcome::Wrong, "output '" + info.name + "' has another type or shape"};
            }
            const auto &bytes = memory[inputs.size() + i];
            const std::string wrong =
                difference(info.name, to_doubles(make_constant(bytes), info.type), expected);
            if (!wrong.empty()) {
                return {Outcome::Wrong, wrong + (run > 0 ? ", in the second run" : "")};
            }
        }
    }
    return {};
}

}  // namespace emulsion::test
