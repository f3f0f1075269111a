#include "tests/fusion/documented_json.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace emulsion {

namespace {

using nlohmann::json;

std::vector<std::string> split(const std::string &text, const std::string &separator) {
    std::vector<std::string> parts;
    size_t begin = 0;
    for (size_t end = text.find(separator); end != std::string::npos;
         end = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::vector<std::string> quoted(const std::string &text) {
    std::vector<std::string> found;
    const std::vector<std::string> parts = split(text, "`");
    for (size_t i = 1; i < parts.size(); i += 2) {
        found.push_back(parts[i]);
    }
    return found;
}

// `policies.NAME.profile[].group` as policies, NAME, profile, [], group.
std::vector<std::string> steps(const std::string &key) {
    std::vector<std::string> all;
    for (const std::string &part : split(key, ".")) {
        const std::vector<std::string> lists = split(part, "[]");
        all.push_back(lists.front());
        all.insert(all.end(), lists.size() - 1, "[]");
    }
    return all;
}

// The whole keys of a row: one that begins with a dot takes the place of the last step of the one before.
std::vector<std::string> keys_of_row(const std::string &cell) {
    std::vector<std::string> keys;
    for (const std::string &name : quoted(cell)) {
        keys.push_back(name.front() == '.' ? keys.back().substr(0, keys.back().rfind('.')) + name
                                           : name);
    }
    return keys;
}

// NAME, or over_NAME.
bool matches(const std::string &documented, const std::string &step) {
    const size_t prefix =
        static_cast<size_t>(std::find_if(documented.begin(), documented.end(),
                                         [](unsigned char c) { return std::isupper(c) != 0; }) -
                            documented.begin());
    const bool is_name =
        prefix < documented.size() &&
        std::none_of(documented.begin() + static_cast<std::ptrdiff_t>(prefix), documented.end(),
                     [](unsigned char c) { return std::islower(c) != 0; });
    return is_name ? step.compare(0, prefix, documented, 0, prefix) == 0 : documented == step;
}

using Keys = std::vector<std::vector<std::string>>;

// The first key below `at` that none of `keys` allows. A key with nothing documented below it has anything there.
std::string first_undocumented(const json &value, const Keys &keys, size_t depth,
                               const std::string &at) {
    const bool ends =
        std::none_of(keys.begin(), keys.end(), [&](const auto &key) { return key.size() > depth; });
    if (ends || !value.is_structured()) {
        return "";
    }
    for (const auto &[name, element] : value.items()) {
        const std::string step = value.is_array() ? "[]" : name;
        Keys below;
        std::copy_if(keys.begin(), keys.end(), std::back_inserter(below), [&](const auto &key) {
            return key.size() > depth && matches(key[depth], step);
        });
        std::string path = at;
        path.append(value.is_array() || at.empty() ? "" : ".").append(step);
        const std::string missing =
            below.empty() ? path : first_undocumented(element, below, depth + 1, path);
        if (!missing.empty()) {
            return missing;
        }
    }
    return "";
}

}  // namespace

std::map<std::string, DocumentedSchema> documented_schemas() {
    std::ifstream page(EMULSION_SOURCE_DIR "/docs/json.md");
    std::map<std::string, DocumentedSchema> schemas;
    std::string section;
    for (std::string line; std::getline(page, line);) {
        if (line.rfind("## ", 0) == 0) {
            section = line.substr(3);
            schemas[section];
        } else if (line.rfind("```json", 0) == 0 && !section.empty()) {
            schemas[section].has_example = true;
        } else if (line.rfind("| ", 0) == 0) {
            const std::vector<std::string> cells = split(line, " | ");
            if (section.empty() && cells.size() == 3 && !quoted(cells[0]).empty()) {
                DocumentedSchema &schema = schemas[quoted(cells[0]).front()];
                schema.version = std::stoi(cells[1]);
                schema.writer = cells[2].substr(0, cells[2].rfind(" |"));
                std::erase(schema.writer, '`');
            } else if (!section.empty()) {
                const std::vector<std::string> keys = keys_of_row(cells[0]);
                std::vector<std::string> &all = schemas[section].keys;
                all.insert(all.end(), keys.begin(), keys.end());
            }
        }
    }
    return schemas;
}

std::string undocumented(const json &document) {
    if (!document.is_object()) {
        return "it is no object";
    }
    // A trace has a format of others, and the schema inside of it.
    const bool is_trace = document.contains("traceEvents");
    const json about = is_trace ? document.value("otherData", json::object()) : document;
    const auto schema = about.find("schema");
    if (schema == about.end() || !schema->is_string()) {
        return "it names no schema";
    }
    const auto schemas = documented_schemas();
    const auto known = schemas.find(schema->get<std::string>());
    if (known == schemas.end()) {
        return "schema " + schema->dump();
    }
    if (about.value("version", 0) != known->second.version) {
        return "a version other than " + std::to_string(known->second.version);
    }
    Keys keys;
    if (!is_trace) {
        keys = {{"schema"}, {"version"}};
    }
    for (const std::string &key : known->second.keys) {
        keys.push_back(steps(key));
    }
    const std::string key = first_undocumented(document, keys, 0, "");
    return key.empty() ? "" : known->first + ": " + key;
}

}  // namespace emulsion
