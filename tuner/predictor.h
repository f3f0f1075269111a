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
    // What its tasks were measured for: of other targets, and of as many other threads, it says nothing.
    struct Scope {
        std::string target;
        int threads = 1;
        bool operator==(const Scope &) const = default;
    };

    // `model` says the order of points (ModelUse::order). A point has to be better than the planned nest by that much for it to be
    // picked: the best of many predictions was lucky, too.
    Predictor(std::shared_ptr<const Model> model, double margin, Scope scope);

    const Scope &scope() const { return scope_; }
    bool knows(const TuningScope &scope) const {
        return scope_ == Scope{scope.target, scope.threads};
    }

    // Of `candidates`, valid points of the task; the planned nest where none is better.
    Nest pick(const TuningTask &task, const std::vector<Nest> &candidates) const;
    // The fastest points of the task's grid that evolution under the model finds, the best first, without the planned nest.
    // At most 64.
    std::vector<Nest> fastest(const TuningTask &task, uint64_t seed = 1) const;
    // The pick of these.
    Nest search(const TuningTask &task, uint64_t seed = 1) const;

    const Model &model() const { return *model_; }
    double margin() const { return margin_; }

    // As a document (schema emulsion-predictor), and back; `file` is what messages call the text. Throws Error for what to_text would
    // not have written, and for features of another version.
    std::string to_text() const;
    static Predictor from_text(const std::string &text, const std::string &file);

    // The one that comes with Emulsion (docs/tuning.md says what it was trained on).
    static std::shared_ptr<const Predictor> shipped();

private:
    std::shared_ptr<const Model> model_;
    double margin_ = 0.0;
    Scope scope_;
};

}  // namespace emulsion
