// Units that the networks of one command have in common.
#pragma once

#include <memory>

namespace emulsion {

struct CompileOptions;
class TemporaryFolder;

// Where `options` use no cache, they use one from now on that goes with this object: what is compared, a network
// under several policies, is to a large part the same, and Halide's run-time system is in all of it.
class SharedUnits {
public:
    explicit SharedUnits(CompileOptions &options);
    ~SharedUnits();
    SharedUnits(const SharedUnits &) = delete;
    SharedUnits &operator=(const SharedUnits &) = delete;

private:
    std::unique_ptr<TemporaryFolder> folder_;
};

}  // namespace emulsion
