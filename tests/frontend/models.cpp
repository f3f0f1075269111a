#include "tests/frontend/models.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace emulsion::test {

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "emulsion-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

onnx::ModelProto model(const std::string &graph, int opset) {
    onnx::ModelProto result;
    const std::string text =
        "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + graph;
    const auto status = onnx::OnnxParser::Parse(result, text);
    if (!status.IsOK()) {
        throw std::runtime_error("bad model in a test: " + status.ErrorMessage());
    }
    return result;
}

void write_file(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string read_file(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Graph load(const onnx::ModelProto &model, const InputShapes &shapes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, model.SerializeAsString());
    return load_model(path, LoadLimits(), shapes);
}

Graph load(const std::string &graph, int opset) { return load(model(graph, opset)); }

std::string refusal_of_file(const std::string &path, const InputShapes &shapes) {
    try {
        load_model(path, LoadLimits(), shapes);
    } catch (const Error &error) {
        const std::string what = error.what();
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_EQ(what.rfind(path + ": ", 0), 0U) << what;
        EXPECT_EQ(error.exit_code(), 2) << what;
        return what;
    }
    return "";
}

std::string refusal(const onnx::ModelProto &model, const InputShapes &shapes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("model.onnx");
    write_file(path, model.SerializeAsString());
    return refusal_of_file(path, shapes);
}

std::string refusal(const std::string &graph, int opset) { return refusal(model(graph, opset)); }

void expect_contains(const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' lacks '" << part << "'";
}

const Tensor &tensor(const Graph &graph, const std::string &name) {
    for (const Tensor &candidate : graph.tensors) {
        if (candidate.name == name) {
            return candidate;
        }
    }
    throw std::runtime_error("no tensor " + name);
}

std::string operators(const Graph &graph) {
    std::string list;
    for (const Node &node : graph.nodes) {
        list += (list.empty() ? "" : " ") + node.operator_type;
    }
    return list;
}

}  // namespace emulsion::test
