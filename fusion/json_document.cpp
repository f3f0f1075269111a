#include "fusion/json_document.h"

#include <cassert>
#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

using nlohmann::ordered_json;

namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// A value of the file's, for a message.
std::string shown(const ordered_json &j) {
    constexpr size_t kLongest = 60;
    const std::string text = j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

void expect_schema(JsonSchema schema, const ordered_json &document, const std::string &file) {
    const auto named = document.find("schema");
    const auto version = document.find("version");
    if (named == document.end() && version == document.end()) {
        return;
    }
    if (named == document.end() || *named != schema.name()) {
        throw Error(
            "has " + (named == document.end() ? "no schema" : "the schema " + shown(*named)) +
                " where \"" + std::string(schema.name()) + "\" is needed; give a file that " +
                quoted(schema.writer()) + " has written",
            {.file = file});
    }
    if (version == document.end() || !version->is_number_integer() || *version < 1) {
        throw Error(
            "has " + (version == document.end() ? "no version" : "the version " + shown(*version)) +
                " of its schema where a number from 1 is needed; give a file that " +
                quoted(schema.writer()) + " has written",
            {.file = file});
    }
    if (*version > schema.version()) {
        throw Error("has version " + shown(*version) + " of the schema \"" +
                        std::string(schema.name()) + "\", and this Emulsion knows those to " +
                        std::to_string(schema.version()) +
                        "; use the Emulsion that has written it, or write it again with " +
                        quoted(schema.writer()),
                    {.file = file});
    }
}

ordered_json with_schema(JsonSchema schema, const ordered_json &content) {
    assert(content.is_object() && !content.contains("schema") && !content.contains("version"));
    ordered_json document = {{"schema", schema.name()}, {"version", schema.version()}};
    document.update(content);
    return document;
}

std::string as_text(const ordered_json &document) {
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string json_document(JsonSchema schema, const ordered_json &content) {
    return as_text(with_schema(schema, content));
}

std::string json_document_inside(const std::string &inside, JsonSchema schema,
                                 ordered_json content) {
    content[inside] = with_schema(schema, content[inside]);
    return as_text(content);
}

ordered_json read_json_document(JsonSchema schema, const std::string &text,
                                const std::string &file) {
    ordered_json document = ordered_json::parse(text, nullptr, false);
    if (!document.is_object()) {
        throw Error("is no JSON object, as " + quoted(schema.writer()) + " writes it",
                    {.file = file});
    }
    expect_schema(schema, document, file);
    document.erase("schema");
    document.erase("version");
    return document;
}

}  // namespace emulsion
