// docs/json.md, as a test holds it against what is written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace emulsion {

struct DocumentedSchema {
    int version = 0;
    std::string writer;             // as the table of the page has it, without quotes
    std::vector<std::string> keys;  // as policies.NAME.profile[].group
    bool has_example = false;
};

// By name.
std::map<std::string, DocumentedSchema> documented_schemas();

// Empty, or what the page does not say of this document: its schema, its version, or the path of a key.
std::string undocumented(const nlohmann::json &document);

}  // namespace emulsion
