// Which task is tuned next. One file of tuner/allocators/, which defines
//
//     const AllocatorKind &tuning_allocator_<filename>();
//
// found when CMake configures.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emulsion {

// How a task has become faster so far.
struct TuningCurve {
    double planned_ms = 0.0;   // of one launch with the planned nest; 0: nobody knows yet
    int launches = 1;          // in a run of the network
    std::vector<double> best;  // after every batch: the least ratio so far, at most 1
    bool ended = false;        // its strategy has no more points
    std::string kind;          // of its space: tasks of one kind are alike
    double operations = 0.0;   // of a launch; 0: nobody knows

    // Of a run of the network, after the first `batches` batches.
    double weighted_ms(size_t batches) const {
        return planned_ms * launches * (batches == 0 ? 1.0 : best[batches - 1]);
    }
};

class Allocator {
public:
    Allocator() = default;
    Allocator(const Allocator &) = delete;
    Allocator &operator=(const Allocator &) = delete;
    virtual ~Allocator() = default;

    // The index of a curve that has not ended, for the next batch; -1 where all have.
    virtual int next(const std::vector<TuningCurve> &curves) = 0;
};

struct AllocatorKind {
    std::string name;
    std::string description;  // one line
    std::function<std::unique_ptr<Allocator>()> make;
};

std::span<const AllocatorKind *const> all_allocators();
// Throws Error, listing the known ones, for an unknown name.
const AllocatorKind &find_allocator(const std::string &name);

}  // namespace emulsion
