// Trains a predictor on what was recorded of many tasks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/predictor.h"
#include "tuner/record.h"

namespace emulsion {

// A model of these tasks, whose points are those that tuners have looked at. Throws Error where there is nothing to learn from.
std::unique_ptr<Model> trained_model(const std::vector<const RecordedTask *> &tasks);

// What a predictor has picked for tasks that it was not trained on.
struct HeldOutFigures {
    std::string name;  // of the network, for instance
    size_t tasks = 0;
    // Geometric means over tasks, judged by the second sitting: of what was picked over the best that was recorded, and over the planned
    // nest; and of the planned nest over the best.
    double over_best = 1.0, over_planned = 1.0, planned_over_best = 1.0;
    double worst = 1.0;  // over the best
    size_t changed = 0;  // tasks for which it has picked another nest than the planned one
};

// Of all recorded points of a network's tasks, none of which `predictor` was trained on.
HeldOutFigures held_out(const NetworkRecord &network, const Predictor &predictor);

struct Trained {
    Predictor predictor;  // of all networks
    // Of each network, by a model of all tasks that it does not have; all with the predictor's margin.
    std::vector<HeldOutFigures> networks;
    // Of every task, by a model of four fifths of the tasks, which do not have it: its shape is new, but others of its network may be
    // known.
    HeldOutFigures shapes;
};

// Where none is given, the margin is the one of a few with which the models of `Trained::networks` have picked the fastest nests. Throws Error for less than
// two networks, and for records of different targets or numbers of threads.
Trained train(const std::vector<NetworkRecord> &networks,
              std::optional<double> margin = std::nullopt);

}  // namespace emulsion
