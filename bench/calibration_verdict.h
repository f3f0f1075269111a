// What became of a calibration, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace emulsion {

struct CalibrationErrors {
    double groups = 0.0;     // log_error (bench/fit_machine.h)
    double decisions = 0.0;  // decision_error
};

struct CalibrationVerdict {
    std::string sentence;               // whether the new constants are better
    std::vector<std::string> warnings;  // what speaks against them
};

// Of the constants that were fitted to `groups` measured groups, against those that the fit started from.
CalibrationVerdict judge_calibration(size_t groups, const CalibrationErrors &before,
                                     const CalibrationErrors &after);

}  // namespace emulsion
