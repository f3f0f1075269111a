// Trains a predictor on what was recorded of many tasks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tuner/predictor.h"
#include "tuner/record.h"

namespace emulsion {

// Of networks, whose points are those that tuners have looked at. Throws Error where there is nothing to learn from.
std::unique_ptr<Model> trained_model(const std::vector<NetworkRecord> &networks);

// What a predictor has picked for tasks that it was not trained on.
struct HeldOutFigures {
    std::string network;
    size_t tasks = 0;
    // Geometric means over tasks, judged by the second sitting: of what was picked over the best that was recorded, and over the planned
    // nest; and of the planned nest over the best.
    double over_best = 1.0, over_planned = 1.0, planned_over_best = 1.0;
    double worst = 1.0;  // over the best
    size_t changed = 0;  // tasks for which it has picked another nest than the planned one
};

// Of all recorded points of a network, with a model of others.
HeldOutFigures held_out(const NetworkRecord &network, const Predictor &predictor);

struct Trained {
    Predictor predictor;  // of all networks
    std::vector<HeldOutFigures>
        held_out;  // of each, by a model of all others, with the same margin
};

// The margin is the one of a few with which models of all networks but one have picked the fastest nests for that one.
Trained train(const std::vector<NetworkRecord> &networks);

}  // namespace emulsion
