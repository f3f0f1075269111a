#include "bench/classics/library_calls.h"

#include <chrono>
#include <cstring>

#include "backend/seconds_since.h"
#include "bench/classics/agreement.h"
#include "bench/classics/steps.h"

namespace emulsion::classics {

LibraryCalls::LibraryCalls(const std::vector<std::string> &libraries) : libraries_(libraries) {
    keep_freed_memory();
}

Library &LibraryCalls::loaded(size_t candidate) {
    const auto known = loaded_.find(candidate);
    if (known != loaded_.end()) {
        return known->second;
    }
    Library &library = loaded_.emplace(candidate, libraries_[candidate]).first->second;
    if (!arguments_) {
        arguments_ = std::make_unique<Arguments>(library.metadata());
    }
    return library;
}

double LibraryCalls::run(size_t candidate) {
    constexpr double kMsPerSecond = 1e3;
    Library &library = loaded(candidate);
    const auto begin = std::chrono::steady_clock::now();
    library.run(*arguments_);
    return seconds_since(begin) * kMsPerSecond;
}

std::string LibraryCalls::check(size_t candidate) {
    constexpr int kOdd = 0x5a;
    Library &library = loaded(candidate);
    for (const size_t output : arguments_->outputs) {
        auto &buffer = arguments_->buffers[output];
        std::memset(buffer.data(), kOdd, buffer.size_in_bytes());
    }
    library.run(*arguments_);
    const bool is_first = expected_.empty();
    for (size_t i = 0; i < arguments_->outputs.size(); i++) {
        const auto &buffer = arguments_->buffers[arguments_->outputs[i]];
        if (is_first) {
            expected_.push_back(buffer.copy());
        } else if (std::string wrong = disagreement(buffer, expected_[i]); !wrong.empty()) {
            return wrong;
        }
    }
    return "";
}

void LibraryCalls::take_other_memory() {
    // Made before the memory of those before them is given back, which would be taken again.
    arguments_ = std::make_unique<Arguments>(loaded_.begin()->second.metadata());
}

TrialOptions library_trial() {
    return {.timeout_factor = 20.0,
            .race = {.few = 4,
                     .some = 12,
                     .many = 1000,
                     .few_within = 1.3,
                     .some_within = 1.05,
                     .most_seconds = 2.5}};
}

}  // namespace emulsion::classics
