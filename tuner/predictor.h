// Loop nests without any measurement: a model that was trained before, on many tasks, picks them (One-Shot Tuner: J. Ryu, E.
// Park, H. Sung, CC 2022).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/model.h"
#include "tuner/replay.h"
#include "tuner/task.h"

namespace emulsion {

class Predictor {
public:
    // `model` says the order of points (ModelUse::order). A point has to be better than the planned nest by that much for it to be
    // picked: the best of many predictions was lucky, too.
    Predictor(std::unique_ptr<Model> model, double margin);

    // Of `candidates`, valid points of the task; the planned nest where none is better.
    Nest pick(const TuningTask &task, const std::vector<Nest> &candidates) const;
    // Of all points of the task's grid: those that evolution under the model finds.
    Nest search(const TuningTask &task, uint64_t seed = 1) const;

    const Model &model() const { return *model_; }
    double margin() const { return margin_; }

    // As a document (schema emulsion-predictor), and back; `file` is what messages call the text. Throws Error for what to_text would
    // not have written, and for features of another version.
    std::string to_text() const;
    static Predictor from_text(const std::string &text, const std::string &file);

private:
    std::unique_ptr<Model> model_;
    double margin_ = 0.0;
};

}  // namespace emulsion
