// Small models for tests, written in ONNX's text form.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/loader.h"

namespace emulsion::test {

// A folder that is removed with its owner.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    std::string file(const std::string &name) const { return (path_ / name).string(); }
    const std::filesystem::path &path() const { return path_; }

private:
    std::filesystem::path path_;
};

// The model of a graph in ONNX's text form: "agraph (float[1,4] x) => (float[1,4] y) { y = Relu(x) }".
onnx::ModelProto model(const std::string &graph, int opset = 22);

void write_file(const std::string &path, const std::string &bytes);
std::string read_file(const std::string &path);

// Writes the model and loads it.
Graph load(const onnx::ModelProto &model, const InputShapes &shapes = {});
Graph load(const std::string &graph, int opset = 22);

// What loading the file, or the model, is refused with; "" if it is not. Fails the test unless the
// refusal is one line that begins with the path and asks for exit code 2.
std::string refusal_of_file(const std::string &path, const InputShapes &shapes = {});
std::string refusal(const onnx::ModelProto &model, const InputShapes &shapes = {});
std::string refusal(const std::string &graph, int opset = 22);

// Fails the test unless `part` occurs in `text`.
void expect_contains(const std::string &text, const std::string &part);

// The tensor with this name; fails the test if there is none.
const Tensor &tensor(const Graph &graph, const std::string &name);
// The operator types of the graph's nodes, "Conv Relu".
std::string operators(const Graph &graph);

}  // namespace emulsion::test
