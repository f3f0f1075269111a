#include "backend/api_header.h"

#include <fmt/format.h>

#include "backend/embedded.h"
#include "backend/names.h"

namespace emulsion {

namespace {

// A model's name inside a C comment: it may hold anything.
std::string in_comment(const std::string &name) {
    std::string result;
    for (char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        result += byte < 0x20 || byte >= 0x7F || c == '*' || c == '\\' || c == '?' ? '_' : c;
    }
    return result;
}

std::string described(const Graph &graph, const char *kind, size_t index, TensorId id) {
    const Tensor &tensor = graph.tensor(id);
    std::string shape;
    for (int64_t extent : tensor.extents()) {
        shape += fmt::format("{}{}", shape.empty() ? "" : " x ", extent);
    }
    return fmt::format(" *     {} {}: '{}', {} [{}]\n", kind, index, in_comment(tensor.name),
                       to_string(tensor.type), shape);
}

// Six on a line.
std::string element_types() {
    std::string list;
    size_t count = 0;
    for (const DataTypeTraits &traits : all_data_types()) {
        list += count == 0 ? "" : count % 6 == 0 ? ",\n    " : ", ";
        list += "NAME_" + c_enumerator(traits.type);
        count++;
    }
    return list;
}

void replace(std::string &text, std::string_view what, const std::string &by) {
    const size_t at = text.find(what);
    text.replace(at, what.size(), by);
}

}  // namespace

std::string api_header(const Graph &graph, const Program &program, const std::string &name) {
    std::string tensors;
    for (size_t i = 0; i < program.inputs.size(); i++) {
        tensors += described(graph, "input ", i, program.inputs[i]);
    }
    for (size_t i = 0; i < program.outputs.size(); i++) {
        tensors += described(graph, "output", i, program.outputs[i]);
    }
    tensors += " *";
    std::string text(api_header_template());
    replace(text, "ELEMENT_TYPES", element_types());
    text = replace_name(text, name);
    replace(text, "VERSION", EMULSION_VERSION);
    replace(text, " * INTERFACE\n *", tensors);
    return text;
}

}  // namespace emulsion
