// What became of a calibration, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace emulsion {

// What is measured and predicted, in words.
struct CalibrationSubject {
    const char *samples, *decisions, *programs, *sources;
};
constexpr CalibrationSubject kNetworkGroups{"groups", "whether fusing pays", "networks",
                                            "several networks and policies"};
constexpr CalibrationSubject kPipelineSchedules{"schedules", "which of two schedules is faster",
                                                "pipelines", "several pipelines"};

// Means of logarithms (bench/prediction_figures.h).
struct CalibrationErrors {
    double times = 0.0;
    double decisions = 0.0;
};

struct CalibrationVerdict {
    std::string sentence;               // whether the new constants are better
    std::vector<std::string> warnings;  // what speaks against them
};

// Of the constants that were fitted to so many samples, against those that the fit started from.
CalibrationVerdict judge_calibration(size_t samples, const CalibrationErrors &before,
                                     const CalibrationErrors &after,
                                     const CalibrationSubject &subject = kNetworkGroups);

}  // namespace emulsion
