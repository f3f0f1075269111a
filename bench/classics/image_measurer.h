// Measures points of image pipelines on this machine: has the plugin schedule and Halide compile each, as a generator
// would with the file that tuning writes, then runs them beside the planner's schedule.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "bench/classics/image_task.h"
#include "bench/classics/library_calls.h"
#include "bench/classics/run_step.h"
#include "tuner/measurer.h"

namespace emulsion::classics {

struct ImageMeasuring {
    int jobs = 1;  // schedules that are compiled at the same time
    StepLimits limits{60, 8};
    TrialOptions trial = library_trial();
    std::string folder;  // for libraries
};

class ImageMeasurer : public Measurer {
public:
    // Of tasks around this one.
    ImageMeasurer(const ImageTask &task, const ImageMeasuring &options);

    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &points) override;
    double seconds() const override;
    double planned_ms(const TuningTask & /*task*/) const override { return planned_ms_; }

    // The same in another sitting, also of what was measured before.
    std::vector<Result> measure_again(const std::vector<Nest> &points, const TrialOptions &trial);

private:
    struct Built {
        std::string library, failure;
        Outcome outcome = Outcome::Ok;
    };
    std::string plan_at(const Nest &point) const;
    Built build(const std::string &name, const Nest *point) const;
    // By point, all that are not built yet.
    void build_all(const std::vector<Nest> &points);
    std::vector<Result> try_all(const std::vector<Nest> &points, const TrialOptions &trial);

    const ImageTask &task_;
    ImageMeasuring options_;
    std::map<std::string, Built> built_;       // by point_text; "": the planner's
    std::map<std::string, std::string> seen_;  // plans, and the point that had it first
    double planned_ms_ = 0.0;
    std::chrono::steady_clock::time_point begin_;
    bool has_begun_ = false;
};

}  // namespace emulsion::classics
