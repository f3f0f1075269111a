// What strategies have in common that search with a learned model.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tuner/ansor/programs.h"
#include "tuner/point_scores.h"
#include "tuner/strategy.h"

namespace emulsion {

// The first batch, half as large, is what a predictor thinks fastest, where there is one that knows the task; else half of
// it is what the machine suggests and half drawn at random. From then on choose() says what is measured, and what it leaves
// open is drawn at random.
class LearnedSearch : public Strategy {
public:
    LearnedSearch(const TuningTask &task, const SearchContext &context, const ModelUse &use);

    std::vector<Proposal> propose(size_t most) final;
    std::optional<Belief> belief(const Nest &around) final;
    void give_back(const std::vector<Nest> &nests) final;
    void observe(const std::vector<Result> &results) final;

protected:
    // Adds up to so many proposals before anything was measured. Whether these alone are to be observed first.
    virtual bool begin(size_t most);
    // Adds up to so many proposals, by what the model says.
    virtual void choose(size_t most) = 0;

    // A proposal, where the point is a new one.
    void add(const GridPoint &point, const std::string &origin,
             std::optional<double> predicted = std::nullopt);
    size_t proposed() const { return proposals_.size(); }
    // Measurements of the task, failures included.
    size_t observed() const { return learner_->samples(number_); }
    bool is_known(const GridPoint &point) const { return known_.count(point) != 0; }
    // What the model says: nothing before anything was measured.
    std::vector<Prediction> scores_of(const std::vector<GridPoint> &points) {
        return scores_.of(points);
    }

    const GridPoints &points() const { return points_; }
    const Programs &programs() const { return programs_; }
    std::mt19937_64 &engine() { return engine_; }
    // The planned nest, then what the machine suggests.
    const std::vector<GridPoint> &seeds() const { return seeds_; }
    // Points that run, by ratio.
    const std::multimap<double, GridPoint> &measured() const { return measured_; }

private:
    void fill_up(size_t most);

    const TuningTask &task_;
    const uint64_t seed_;
    const std::shared_ptr<const Predictor> predictor_;  // null: none
    const GridPoints points_;
    const Programs programs_;
    std::mt19937_64 engine_;
    const std::shared_ptr<Learner> learner_;
    const size_t number_;  // of the task, of the learner's
    PointScores scores_;
    std::vector<GridPoint> seeds_;
    std::set<GridPoint> known_;  // proposed or measured, and the planned one
    std::multimap<double, GridPoint> measured_;
    std::vector<Proposal> proposals_;
};

}  // namespace emulsion
