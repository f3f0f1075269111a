#include "backend/unit_entry.h"

#include <charconv>

#include <fmt/format.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr size_t kLengthDigits = 10;

}  // namespace

std::string to_bytes(const UnitEntry &entry) {
    const std::string plan = entry.shrunk ? to_json(*entry.shrunk) : "";
    return entry.object + plan + fmt::format("{:0{}}", plan.size(), kLengthDigits);
}

std::optional<UnitEntry> unit_entry(std::string bytes) {
    if (bytes.size() < kLengthDigits) {
        return std::nullopt;
    }
    const size_t end = bytes.size() - kLengthDigits;
    size_t length = 0;
    const char *digits = bytes.data() + end;
    const auto [stop, status] = std::from_chars(digits, digits + kLengthDigits, length);
    if (status != std::errc() || stop != digits + kLengthDigits || length >= end) {
        return std::nullopt;
    }
    UnitEntry entry;
    if (length > 0) {
        try {
            entry.shrunk = plan_from_json(bytes.substr(end - length, length));
        } catch (const Error &) {
            return std::nullopt;
        }
    }
    bytes.resize(end - length);
    entry.object = std::move(bytes);
    return entry;
}

}  // namespace emulsion
