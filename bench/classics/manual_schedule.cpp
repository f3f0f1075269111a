#include "bench/classics/manual_schedule.h"

#include "fusion/error.h"

namespace emulsion::classics {

NamedFuncs::NamedFuncs(const Halide::Pipeline &pipeline, const Halide::Target &target)
    : target_(target) {
    for (const Halide::Func &output : pipeline.outputs()) {
        for (const auto &[name, function] :
             Halide::Internal::find_transitive_calls(output.function())) {
            // Halide numbers a name that was given before.
            funcs_.emplace(name.substr(0, name.find('$')), Halide::Func(function));
        }
    }
}

Halide::Func NamedFuncs::operator[](const std::string &name) const {
    const auto it = funcs_.find(name);
    if (it == funcs_.end()) {
        throw Error("the schedule by hand names '" + name + "', which the pipeline lacks");
    }
    return it->second;
}

const ManualSchedule *find_manual_schedule(const std::string &pipeline) {
    for (const ManualSchedule *schedule : manual_schedules()) {
        if (schedule->pipeline == pipeline) {
            return schedule;
        }
    }
    return nullptr;
}

}  // namespace emulsion::classics
