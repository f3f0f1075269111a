// Members of JSON objects, of the types that they have to have: nlohmann's own readers turn 1.5, true and 2^32 into ints. All
// throw Error, naming the key.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

// One that `is` of that type, in words `what`.
template<typename Json>
const Json &member(const Json &object, const std::string &key, bool (Json::*is)() const noexcept,
                   const char *what) {
    const auto found = object.find(key);
    if (found == object.end() || !((*found).*is)()) {
        throw Error(std::string("'").append(key).append("' is no ").append(what));
    }
    return *found;
}

template<typename Json>
std::string text_member(const Json &object, const std::string &key) {
    return member(object, key, &Json::is_string, "text").template get<std::string>();
}

template<typename Json>
double number_member(const Json &object, const std::string &key) {
    return member(object, key, &Json::is_number, "number").template get<double>();
}

template<typename Json>
const Json &list_member(const Json &object, const std::string &key) {
    return member(object, key, &Json::is_array, "list");
}

template<typename Json>
const Json &object_member(const Json &object, const std::string &key) {
    return member(object, key, &Json::is_object, "object");
}

// A whole number from `least`, at least 0, to `most`.
template<typename Json>
uint64_t count_member(const Json &object, const std::string &key, uint64_t least, uint64_t most) {
    const auto &value = member(object, key, &Json::is_number_unsigned, "whole number from 0 on");
    const auto count = value.template get<uint64_t>();
    if (count < least || count > most) {
        throw Error(std::string("'")
                        .append(key)
                        .append("' is ")
                        .append(value.dump())
                        .append(", accepted are ")
                        .append(std::to_string(least))
                        .append(" to ")
                        .append(std::to_string(most)));
    }
    return count;
}

// Values by name that are whole numbers of 64 bits.
template<typename Json>
std::map<std::string, int64_t> whole_members(const Json &object) {
    std::map<std::string, int64_t> values;
    for (const auto &[name, value] : object.items()) {
        const bool is_too_large = value.is_number_unsigned() &&
                                  value.template get<uint64_t>() >
                                      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        if (!value.is_number_integer() || is_too_large) {
            throw Error(std::string("parameter '")
                            .append(name)
                            .append("' is ")
                            .append(value.dump())
                            .append(", which is no whole number of 64 bits"));
        }
        values[name] = value.template get<int64_t>();
    }
    return values;
}

}  // namespace emulsion
