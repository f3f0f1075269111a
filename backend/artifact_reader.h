// An artifact opened for running: its manifest, its library and a context. What the command line's
// run, bench and verify use; a C program uses NAME.h instead.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontend/graph/data_type.h"

namespace emulsion {

// An input or output.
struct TensorInfo {
    std::string name;
    DataType type = DataType::F32;
    std::vector<int64_t> shape;

    int64_t element_count() const;
    int64_t bytes() const;
};

// After a launch: what it was and what it wrote.
struct LaunchEvent {
    int launch = 0;
    std::string label;
    double seconds = 0.0;
    double fill_seconds = 0.0;     // of these, for halos around the result
    TensorInfo tensor;             // the result, by its name in the model
    std::vector<int64_t> strides;  // per axis, in elements; of the blocks if the axis is blocked
    int block_axis = -1;
    int64_t block = 1;           // elements of a block, which lie side by side
    const void *data = nullptr;  // element (0, 0, ...); valid during the call

    // The result's elements, row-major and dense.
    std::vector<std::byte> dense() const;
};

class Artifact {
public:
    // Opens folder `folder`. Throws Error: refused when it is no artifact or its files do not belong
    // together, failed when the system refuses.
    explicit Artifact(const std::string &folder);
    ~Artifact();
    Artifact(Artifact &&) noexcept;
    Artifact &operator=(Artifact &&) noexcept;

    const std::string &name() const;
    const std::string &manifest() const;  // JSON text
    const std::vector<TensorInfo> &inputs() const;
    const std::vector<TensorInfo> &outputs() const;

    // inputs[i] and outputs[i] point to the dense row-major elements of input i and output i. Not
    // from two threads at a time: open another Artifact for that. Throws Error (failed).
    void run(std::span<const void *const> inputs, std::span<void *const> outputs);
    // The same, calling `observer` after each launch.
    void run_observed(std::span<const void *const> inputs, std::span<void *const> outputs,
                      const std::function<void(const LaunchEvent &)> &observer);

    // Gives up the memory of weights and values, and takes new one: what part of the machine's memory they
    // get decides how well the caches serve a run. Between the two nothing can run. reopen() throws Error.
    void release();
    void reopen();

    void set_threads(int count);
    int threads() const;
    // Of an artifact for a GPU with a CPU to fall back on: whether the CPU runs it. What follows is then of the
    // CPU's network, which the manifest has as "fallback".
    bool fell_back() const;
    int launch_count() const;
    int64_t arena_bytes() const;
    int64_t live_bytes() const;

private:
    struct Library;
    std::unique_ptr<Library> library_;
};

}  // namespace emulsion
