#include "tests/graphs/finding.h"

#include <filesystem>
#include <fstream>

#include "bench/npy.h"
#include "bench/random_array.h"
#include "frontend/onnx/loader.h"
#include "tests/graphs/case_run.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace fs = std::filesystem;

namespace {

std::string inputs_beside(const std::string &model) {
    return fs::path(model).replace_extension(".inputs").string();
}

Value to_value(const Array &array) {
    Value value;
    value.type = array.type;
    value.shape = array.shape;
    value.at = to_doubles(make_constant(array.bytes), array.type);
    return value;
}

}  // namespace

std::string write_finding(const std::string &folder, const std::string &name,
                          const GraphCase &example, const ConfigurationEnd &end) {
    fs::create_directories(folder);
    const std::string model = folder + "/" + name + ".onnx";
    write_model(example.graph, model);
    const std::string inputs = inputs_beside(model);
    fs::create_directories(inputs);
    for (size_t i = 0; i < example.inputs.size(); i++) {
        const Value &value = example.inputs[i];
        write_npy(inputs + "/" + example.graph.tensor(example.graph.inputs[i]).name + ".npy",
                  {value.type, value.shape, to_bytes(value.at, value.type)});
    }
    std::ofstream text(folder + "/" + name + ".txt");
    text << end.configuration << ": " << end.outcome << ": " << end.text << "\n"
         << "Repeat it with: tools/fuzz-graphs --repeat " << model << " --configuration '"
         << end.configuration << "'\n"
         << dump(example.graph);
    return model;
}

GraphCase read_case(const std::string &model) {
    GraphCase example;
    example.graph = load_model(model);
    for (const TensorId id : example.graph.inputs) {
        const Tensor &tensor = example.graph.tensor(id);
        const std::string file = inputs_beside(model) + "/" + tensor.name + ".npy";
        example.inputs.push_back(to_value(
            fs::exists(file) ? read_npy(file)
                             : random_array(tensor.type, tensor.extents(), 1, tensor.name)));
    }
    return example;
}

}  // namespace emulsion::test
