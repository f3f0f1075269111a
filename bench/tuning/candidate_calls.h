// How candidates are called, whatever they are.
#pragma once

#include <cstddef>
#include <string>

#include "bench/tuning/reference_level.h"

namespace emulsion {

// How candidates, numbered from 0, are called; in the child alone.
class CandidateCalls {
public:
    CandidateCalls() = default;
    CandidateCalls(const CandidateCalls &) = delete;
    CandidateCalls &operator=(const CandidateCalls &) = delete;
    virtual ~CandidateCalls() = default;

    // Milliseconds of a call. Throws Error where it fails.
    virtual double run(size_t candidate) = 0;
    // What is wrong with what a call computes; "" where it is what the first candidate computes, which is asked before all
    // others. Throws Error where it fails.
    virtual std::string check(size_t candidate) = 0;
    // What is called from now on has buffers in other memory, with the same contents.
    virtual void take_other_memory() {}
    // Times of reference kernels, the same for all candidates of all tasks; 0: there are none.
    virtual ReferenceTimes reference() { return {}; }
};

}  // namespace emulsion
