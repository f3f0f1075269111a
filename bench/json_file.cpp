#include "bench/json_file.h"

#include <cstdio>

#include "bench/user_files.h"

namespace emulsion {

void write_json(const std::string &path, const Json &json) {
    if (!path.empty()) {
        std::fflush(stdout);  // the file may be /dev/stdout
        // Names come from models and need not be valid UTF-8.
        write_whole_file(path, {json.dump(2, ' ', false, Json::error_handler_t::replace), "\n"});
    }
}

}  // namespace emulsion
