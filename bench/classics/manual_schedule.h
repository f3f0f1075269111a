// Schedules written by hand, to measure autoschedulers beside: the best that were found for some of the
// pipelines of generators/classic, with what an expert knows of them. Each is a file in bench/classics/manual.
#pragma once

#include <map>
#include <span>
#include <string>

#include <Halide.h>

namespace emulsion::classics {

// The Funcs of a pipeline by the names that its generator gives them.
class NamedFuncs {
public:
    NamedFuncs(const Halide::Pipeline &pipeline, const Halide::Target &target);

    // Throws Error where there is none.
    Halide::Func operator[](const std::string &name) const;
    // Lanes of a vector of the target.
    int lanes(const Halide::Type &type) const { return target_.natural_vector_size(type); }
    int lanes() const { return lanes(Halide::Float(32)); }

private:
    std::map<std::string, Halide::Func> funcs_;
    Halide::Target target_;
};

struct ManualSchedule {
    std::string pipeline;
    void (*apply)(const NamedFuncs &funcs);
};

// Null where nobody wrote one.
const ManualSchedule *find_manual_schedule(const std::string &pipeline);

}  // namespace emulsion::classics

namespace emulsion {

std::span<const classics::ManualSchedule *const> manual_schedules();

}  // namespace emulsion
