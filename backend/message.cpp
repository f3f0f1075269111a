#include "backend/message.h"

#include <array>
#include <cerrno>

#include <unistd.h>

namespace emulsion {

using nlohmann::json;

bool send_message(int file, const json &message) {
    const std::string line = message.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
    size_t sent = 0;
    while (sent < line.size()) {
        const ssize_t count = write(file, line.data() + sent, line.size() - sent);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        sent += static_cast<size_t>(count);
    }
    return true;
}

std::optional<json> MessageReader::next() {
    size_t searched = 0;
    for (;;) {
        const size_t end = pending_.find('\n', searched);
        if (end != std::string::npos) {
            json message = json::parse(pending_.substr(0, end), nullptr, false);
            pending_.erase(0, end + 1);
            return message.is_object() ? std::optional(std::move(message)) : std::nullopt;
        }
        searched = pending_.size();
        std::array<char, 65536> buffer;
        const ssize_t count = read(file_, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return std::nullopt;
        }
        pending_.append(buffer.data(), static_cast<size_t>(count));
    }
}

json error_message(const Error &error) {
    const ErrorPlace &place = error.place();
    return {{"refused", error.kind() == ErrorKind::Refused},
            {"message", error.message()},
            {"remedy", error.remedy()},
            {"file", place.file},
            {"node", place.node},
            {"node_index", place.node_index},
            {"operator_type", place.operator_type}};
}

Error error_from_message(const json &message) {
    const ErrorPlace place{message.value("file", ""), message.value("node", ""),
                           message.value("node_index", -1), message.value("operator_type", "")};
    return Error(message.value("message", "unknown error"), place,
                 message.value("refused", false) ? ErrorKind::Refused : ErrorKind::Failed)
        .with_remedy(message.value("remedy", ""));
}

}  // namespace emulsion
