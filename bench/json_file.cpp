#include "bench/json_file.h"

#include "bench/user_files.h"

namespace emulsion {

void write_json(const std::string &path, JsonSchema schema, const Json &json) {
    if (!path.empty()) {
        write_whole_file(path, {json_document(schema, json)});
    }
}

Json read_json(const std::string &path, JsonSchema schema) {
    return read_json_document(schema, read_user_file(path), path);
}

}  // namespace emulsion
