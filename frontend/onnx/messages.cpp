#include "frontend/onnx/messages.h"

#include <onnx/onnx_pb.h>

#include <charconv>
#include <string_view>

namespace emulsion {

namespace {

constexpr size_t kLongestMessage = 400;

void erase_all(std::string &text, std::string_view part) {
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.erase(at, part.size());
    }
}

// What follows `key` in `text` up to the first character of `end`; "" if there is no `key`.
std::string value_after(const std::string &text, std::string_view key, std::string_view end) {
    const size_t at = text.find(key);
    if (at == std::string::npos) {
        return "";
    }
    const size_t begin = at + key.size();
    return text.substr(begin, text.find_first_of(end, begin) - begin);
}

}  // namespace

std::string one_sentence(const std::string &text) {
    std::string message = text;
    // Shape inference lists every node that follows from the first bad one: the first is enough.
    if (const size_t list = message.find("Inference error(s): "); list != std::string::npos) {
        message = message.substr(list + std::string_view("Inference error(s): ").size());
        message = message.substr(0, message.find("\n("));
    }
    // The checker appends the node on lines of its own; the place says it already.
    message = message.substr(0, message.find("\n\n==> Context"));
    // Assertions: "FILE:LINE: FUNCTION: Assertion `CONDITION` failed: TEXT".
    constexpr std::string_view failed = "` failed: ";
    if (const size_t at = message.find(failed); at != std::string::npos) {
        message = message.substr(at + failed.size());
    }
    for (const std::string_view tag :
         {"[ShapeInferenceError] ", "[TypeInferenceError] ", "[ConvertError] "}) {
        erase_all(message, tag);
    }

    std::string line;
    for (const char c : message) {
        const bool space = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
        if (!space) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    if (line.size() > kLongestMessage) {
        line.resize(kLongestMessage);
        while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) {
            line.pop_back();  // the rest of a UTF-8 character that was cut
        }
        line += "...";
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == '.')) {
        line.pop_back();
    }
    return line;
}

void set_index(onnx::NodeProto &node, int index) { node.set_doc_string(std::to_string(index)); }

int index_of(const onnx::NodeProto &node) {
    const std::string &text = node.doc_string();
    int index = -1;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), index);
    return result.ec == std::errc() ? index : -1;
}

ErrorPlace place_of(const onnx::NodeProto &node) {
    ErrorPlace place;
    place.node = node.name();
    place.node_index = index_of(node);
    place.operator_type = node.op_type();
    return place;
}

Error no_such_domain(const std::string &domain) {
    return Error("there are no operators of domain '" + domain +
                 "'; those of ai.onnx and functions of the model are supported")
        .with_remedy(
            "export the model with operators of ONNX only, or the operator as a function of "
            "the model");
}

Error no_such_operator(const std::string &type, int64_t opset) {
    return Error("ONNX has no operator '" + type + "' at opset " + std::to_string(opset))
        .with_remedy("correct its name, domain or opset, or write it with operators that ONNX has");
}

Error complaint(const std::string &what, const std::string &text, const onnx::GraphProto &graph) {
    std::string message = text;
    // Shape inference: "(op_type:Conv, node name: conv1): ..."; the checker: "... Name: conv1
    // OpType: Conv".
    std::string type = value_after(text, "(op_type:", ",)");
    std::string name = value_after(text, "node name: ", ")");
    if (type.empty()) {
        type = value_after(text, "OpType: ", "\n ");
        name = value_after(text, "Name: ", " \n");
    } else if (const size_t end = message.find("): ", message.find("(op_type:"));
               end != std::string::npos) {
        message = message.substr(end + 3);
    }
    for (const onnx::NodeProto &node : graph.node()) {
        if (!type.empty() && node.name() == name && node.op_type() == type) {
            return Error(what + ": " + one_sentence(message), place_of(node));
        }
    }
    return Error(what + ": " + one_sentence(text));
}

}  // namespace emulsion
