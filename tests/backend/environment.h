// Environment variables for a while, and the library that takes the place of HIP.
#pragma once

#include <cstdlib>
#include <map>
#include <string>

namespace emulsion::test {

inline constexpr const char *kFakeHip = EMULSION_BINARY_DIR "/lib/fake_hip/libamdhip64.so";

// Sets them while it lives.
class Environment {
public:
    using Values = std::map<std::string, std::string>;
    explicit Environment(Values values) : values_(std::move(values)) {
        for (const auto &[name, value] : values_) {
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
    ~Environment() {
        for (const auto &[name, value] : values_) {
            unsetenv(name.c_str());
        }
    }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

private:
    Values values_;
};

}  // namespace emulsion::test
