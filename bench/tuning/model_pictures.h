// What a search's models have believed, as pictures (SVG).
#pragma once

#include <string>

#include "bench/tuning/network_search.h"
#include "bench/tuning/tune_network.h"

namespace emulsion {

// What a model believes over two parameters: the time of every nest over that of the fastest one known, the darker the less, and how unsure it is of that.
std::string belief_picture(const Belief &belief);

// How a group became faster, by batch, and where, before each batch, its next value was thought to lie with a probability of 80 % (tuner/learning_curve.h).
std::string learning_curve_picture(const TuningCurve &curve);

// Of every trial that a model proposed and that ran: predicted and measured throughput over that of the group's fastest. Empty where there is no such trial.
std::string predictions_picture(const TunedNetwork &tuned);

}  // namespace emulsion
