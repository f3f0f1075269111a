#include "autoscheduler/problem_of_images.h"

#include <map>
#include <sstream>

#include "fusion/image/image_problem.h"

namespace emulsion {

namespace {

std::string types_of(const Halide::Internal::Function &f) {
    std::ostringstream text;
    for (const Halide::Type &type : f.output_types()) {
        text << type << ' ';
    }
    return text.str();
}

// Generators that CMake runs have these set.
std::string without_packing(Halide::Target target) {
    for (const auto feature : {Halide::Target::NoRuntime, Halide::Target::UserContext,
                               Halide::Target::CPlusPlusMangling}) {
        target.set_feature(feature, false);
    }
    return target.to_string();
}

}  // namespace

std::string problem_of_images(const std::vector<Halide::Func> &outputs, const ImageGraph &graph,
                              const CpuMachine &machine, const Halide::Target &target) {
    std::map<std::string, std::string> types;  // by Func
    for (const Halide::Func &output : outputs) {
        for (const auto &[name, function] :
             Halide::Internal::find_transitive_calls(output.function())) {
            types[name] = types_of(function);
        }
    }
    std::vector<std::string> of_stages;
    for (const ImageStage &stage : graph.stages) {
        of_stages.push_back(types[stage.name]);
    }
    return image_problem(graph, of_stages, machine, without_packing(target));
}

}  // namespace emulsion
