// A whole network as one pipeline: model=FILE.onnx. The weights are one argument of f32, which
// weights_out=FILE writes. For networks of at most emulsion::kMaxStages Funcs.
#include <sstream>

#include "frontend/lower/load_network.h"
#include "frontend/onnx/shapes_text.h"
#include "generators/graph_generator.h"

namespace {

class Model : public emulsion::GraphGenerator<Model> {
public:
    GeneratorParam<std::string> model{"model", ""};
    GeneratorParam<std::string> shapes{"shapes", ""};  // image:1x3x224x224,batch:1
    GeneratorParam<std::string> weights_out{"weights_out", ""};

    emulsion::Graph make_graph() {
        const std::string path = model;
        if (path.empty()) {
            throw emulsion::Error("the parameter model is missing; it is the path of an ONNX file");
        }
        emulsion::LoadOptions options;
        options.shapes = open_sizes();
        return emulsion::load_network(path, options);
    }

    void write_files() const {
        if (!weights_out.value().empty()) {
            write_weights(weights_out);
        }
    }

private:
    emulsion::InputShapes open_sizes() const {
        std::vector<std::string> texts;
        std::istringstream list(shapes.value());
        for (std::string text; std::getline(list, text, ',');) {
            texts.push_back(text);
        }
        // Halide takes a parameter's value to have no '='.
        return emulsion::parse_shapes(texts, "the parameter shapes", ':');
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Model, model)
