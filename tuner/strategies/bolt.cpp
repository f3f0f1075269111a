#include <algorithm>
#include <map>

#include "tuner/points.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// Few candidates, as Bolt has them (Xing et al., MLSys 2022, section 3.2.2): instances of a template that follow from the
// machine's limits, each measured on the very problem. Each of those differs from the planned nest in one respect; the
// faster ones are then measured together.
class Bolt : public Strategy {
public:
    static constexpr size_t kInstances = 24, kTogether = 8;

    explicit Bolt(const TuningTask &task) : task_(task) {
        known_.add(task.planned);
        for (const Nest &nest : task.suggested) {
            if (ratios_.size() < kInstances && ratios_.emplace(point_text(nest), kUnknown).second) {
                instances_.push_back(nest);
            }
        }
    }

    std::vector<Proposal> propose(size_t most) override {
        std::vector<Proposal> points = new_ones(instances_, "suggested", most);
        if (points.empty() && has_all_ratios()) {
            if (together_.empty()) {
                put_together();
            }
            points = new_ones(together_, "together", most);
        }
        return points;
    }

    void observe(const std::vector<Result> &results) override {
        known_.add(results);
        for (const Result &result : results) {
            if (const auto found = ratios_.find(point_text(result.nest)); found != ratios_.end()) {
                found->second = result.outcome == Outcome::Ok ? result.ratio : kFailed;
            }
        }
    }

private:
    static constexpr double kUnknown = 0.0, kFailed = 1e300;

    std::vector<Proposal> new_ones(const std::vector<Nest> &list, const std::string &origin,
                                   size_t most) {
        std::vector<Proposal> points;
        for (const Nest &nest : list) {
            if (points.size() < most && known_.add(nest)) {
                points.push_back({nest, origin});
            }
        }
        return points;
    }

    bool has_all_ratios() const {
        return std::none_of(ratios_.begin(), ratios_.end(),
                            [](const auto &each) { return each.second == kUnknown; });
    }

    // `a`, with what distinguishes `b` from the planned nest where `a` is like that.
    Nest both(const Nest &a, const Nest &b) const {
        Nest nest = a;
        for (const auto &[name, value] : b.parameters) {
            const auto planned = task_.planned.parameters.find(name);
            const auto mine = nest.parameters.find(name);
            if (planned == task_.planned.parameters.end() || mine == nest.parameters.end() ||
                mine->second == planned->second) {
                nest.parameters[name] = value;
            }
        }
        return nest;
    }

    void add_together(const Nest &nest) {
        if (together_.size() < kTogether && ratios_.count(point_text(nest)) == 0 &&
            nest != task_.planned && task_.space.is_valid(nest).empty() &&
            std::find(together_.begin(), together_.end(), nest) == together_.end()) {
            together_.push_back(nest);
        }
    }

    // Instances that are not slower than the planned nest, the fastest first: the first two, three, ...,
    // then pairs.
    void put_together() {
        constexpr double kNotSlower = 1.01;
        std::vector<std::pair<double, size_t>> faster;
        for (size_t i = 0; i < instances_.size(); i++) {
            if (const double ratio = ratios_.at(point_text(instances_[i])); ratio < kNotSlower) {
                faster.emplace_back(ratio, i);
            }
        }
        std::sort(faster.begin(), faster.end());
        const auto instance = [&](size_t rank) { return instances_[faster[rank].second]; };
        Nest all = faster.empty() ? task_.planned : instance(0);
        for (size_t i = 1; i < faster.size() && together_.size() < kTogether / 2; i++) {
            const Nest more = both(all, instance(i));
            if (task_.space.is_valid(more).empty()) {
                all = more;
                add_together(all);
            }
        }
        for (size_t i = 0; i < faster.size(); i++) {
            for (size_t j = 0; j < i; j++) {
                add_together(both(instance(j), instance(i)));
            }
        }
    }

    const TuningTask &task_;
    KnownPoints known_;
    std::vector<Nest> instances_, together_;
    std::map<std::string, double> ratios_;  // of instances, by point_text
};

}  // namespace

const StrategyKind &tuning_strategy_bolt() {
    static const StrategyKind kind = {
        "bolt", "at most 32 points: what the machine suggests, and pairs of what was faster",
        [](const TuningTask &task, const SearchContext &) { return std::make_unique<Bolt>(task); }};
    return kind;
}

}  // namespace emulsion
