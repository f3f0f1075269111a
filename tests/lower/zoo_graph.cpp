#include "tests/lower/zoo_graph.h"

#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "tests/frontend/models.h"

namespace emulsion::test {

Graph zoo_graph(const std::string &name, int64_t image_size) {
    const TemporaryFolder folder;
    write_zoo_model(name, folder.file("model.onnx"), {.image_size = image_size});
    return load_model(folder.file("model.onnx"));
}

}  // namespace emulsion::test
