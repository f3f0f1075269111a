#include "bench/second_opinion.h"

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Engine = PythonReference::Engine;

// Twice the error of another order of summation is no more than another order of summation.
constexpr double kAsFar = 2.0;

Difference worst_of(const std::vector<Array> &values, const std::vector<Array> &references) {
    Difference worst;
    for (size_t i = 0; i < values.size(); i++) {
        worst.merge(compare(values[i], references[i]));
    }
    return worst;
}

}  // namespace

bool SecondOpinion::reference_is_as_far() const {
    return unknown.empty() && !onnxruntime.passes() &&
           network.worst_ratio <= kAsFar * onnxruntime.worst_ratio;
}

SecondOpinion second_opinion(Engine judge, const std::string &model, const std::string &python,
                             const Artifact &network, const ComparedRun &run) {
    SecondOpinion opinion;
    const Engine other = judge == Engine::OnnxRuntime ? Engine::Double : Engine::OnnxRuntime;
    try {
        const std::vector<Array> others =
            PythonReference(other, model, python, network, {}).run(run.inputs).outputs;
        const std::vector<Array> &exact = judge == Engine::Double ? run.expected : others;
        opinion.network = worst_of(run.outputs, exact);
        opinion.onnxruntime = worst_of(judge == Engine::Double ? others : run.expected, exact);
    } catch (const Error &error) {
        check_interrupted();
        opinion.unknown = error.message();
    }
    return opinion;
}

std::string describe(const SecondOpinion &opinion) {
    if (!opinion.unknown.empty()) {
        return "how far either is from f64 is not known: " + opinion.unknown;
    }
    return fmt::format(
        "from f64, the network is {:.3g} times the bound away and ONNX Runtime {:.3g} times{}",
        opinion.network.worst_ratio, opinion.onnxruntime.worst_ratio,
        opinion.reference_is_as_far() ? ", so the reference itself is as far" : "");
}

Json to_json(const SecondOpinion &opinion) {
    if (!opinion.unknown.empty()) {
        return {};
    }
    return {{"worst_bound_ratio", opinion.network.worst_ratio},
            {"onnxruntime_bound_ratio", opinion.onnxruntime.worst_ratio},
            {"reference_is_as_far", opinion.reference_is_as_far()}};
}

}  // namespace emulsion
