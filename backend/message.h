// What the compiler and its worker processes tell each other: one JSON value per line.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

// Writes a line; false when the other side is gone.
bool send_message(int file, const nlohmann::json &message);

// Lines from a pipe, as they come.
class MessageReader {
public:
    explicit MessageReader(int file) : file_(file) {}

    // The next message. Nothing when the other side is gone, and when what it sent is not JSON
    // (it died in the middle of a line).
    std::optional<nlohmann::json> next();

private:
    int file_;
    std::string pending_;
};

// An error as a message and back.
nlohmann::json error_message(const Error &error);
Error error_from_message(const nlohmann::json &message);

}  // namespace emulsion
