#include "tuner/gaussian/process_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "fusion/error.h"
#include "tuner/features.h"
#include "tuner/gaussian/fit_process.h"

namespace emulsion {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A point that is so many times as slow as the fastest of the samples is as slow as anything: how slow exactly helps nobody to find fast ones.
constexpr double kSlowest = 8.0;
// Observations of a family: a fit takes time with the cube of their number.
constexpr size_t kMostOfFamily = 240, kFewestOfTask = 8;

std::vector<double> logarithms_of_times(const std::vector<float> &scores) {
    const float fastest = scores.empty() ? 0.0F : *std::max_element(scores.begin(), scores.end());
    const double slowest = std::log(kSlowest) - std::log(fastest > 0.0F ? fastest : 1.0F);
    std::vector<double> times;
    for (const float score : scores) {
        times.push_back(score > 0.0F ? std::min<double>(-std::log(score), slowest) : slowest);
    }
    return times;
}

// Where there are more than so many points: the fastest half of that number, and others from all over the rest. In their order.
std::vector<size_t> kept(const std::vector<float> &scores, size_t most) {
    std::vector<size_t> all(scores.size());
    std::iota(all.begin(), all.end(), size_t{0});
    if (all.size() <= most) {
        return all;
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    const size_t fastest = most / 2, others = most - fastest, rest = all.size() - fastest;
    for (size_t i = 0; i < others; i++) {
        all[fastest + i] = all[fastest + i * rest / others];
    }
    all.resize(most);
    std::sort(all.begin(), all.end());
    return all;
}

using Points = std::vector<const std::vector<float> *>;

Points pointers_to(const std::vector<std::vector<float>> &points) {
    Points pointers;
    for (const std::vector<float> &point : points) {
        pointers.push_back(&point);
    }
    return pointers;
}

// Of any point of the problem.
VectorXd problem_of(const std::vector<std::string> &names, const std::vector<float> &point) {
    std::vector<double> facts;
    for (const size_t column : problem_columns(names)) {
        facts.push_back(std::isfinite(point[column]) ? point[column] : 0.0);
    }
    return Eigen::Map<const VectorXd>(facts.data(), std::ssize(facts));
}

}  // namespace

void ProcessModel::fit(const std::vector<TaskSamples> &samples, const ModelUse &) {
    const std::vector<Family> before = std::exchange(families_, {});
    for (size_t i = 0; i < samples.size(); i++) {
        if (samples[i].features.empty()) {
            continue;
        }
        const auto alike =
            std::find_if(families_.begin(), families_.end(), [&](const Family &family) {
                return tasks_ == Tasks::Together && family.names == *samples[i].names;
            });
        if (alike != families_.end()) {
            alike->tasks.push_back(i);
        } else {
            families_.push_back({.names = *samples[i].names, .tasks = {i}});
        }
    }
    for (Family &family : families_) {
        fit_family(family, samples, before);
    }
}

void ProcessModel::fit_family(Family &family, const std::vector<TaskSamples> &samples,
                              const std::vector<Family> &before) const {
    const size_t most = std::max(kMostOfFamily / family.tasks.size(), kFewestOfTask);
    ProcessData data{.tasks = static_cast<int>(family.tasks.size())};
    Points points;
    std::vector<double> y;
    for (size_t number = 0; number < family.tasks.size(); number++) {
        const TaskSamples &task = samples[family.tasks[number]];
        double sum = 0.0;
        const size_t begin = y.size();
        const std::vector<double> times = logarithms_of_times(task.scores);
        for (const size_t i : kept(task.scores, most)) {
            points.push_back(&task.features[i]);
            y.push_back(times[i]);
            data.task.push_back(static_cast<int>(number));
            sum += y.back();
        }
        family.level.push_back(sum / static_cast<double>(y.size() - begin));
        const VectorXd problem = problem_of(family.names, task.features.front());
        family.problems.conservativeResize(static_cast<Index>(number) + 1, problem.size());
        family.problems.row(static_cast<Index>(number)) = problem.transpose();
    }
    family.inputs = ProcessInputs(family.names, points);
    data.x = family.inputs.of(family.names, points);
    data.y = Eigen::Map<const VectorXd>(y.data(), static_cast<Index>(y.size()));
    for (Index r = 0; r < data.y.size(); r++) {
        data.y(r) -= family.level[static_cast<size_t>(data.task[static_cast<size_t>(r)])];
    }
    constexpr double kNoise = 0.01;  // times differ by that much for no reason
    family.scale = std::max(data.y.norm() / std::sqrt(static_cast<double>(data.y.size())), kNoise);
    data.y /= family.scale;
    // Of equal data parameters are equal: most of a session's batches are of other families.
    for (const Family &known : before) {
        if (known.process->data() == data) {
            family.process = known.process;
            return;
        }
    }
    ProcessParameters parameters = fit_process(data, {.seed = seed_});
    family.process.emplace(std::move(data), std::move(parameters));
}

std::vector<Prediction> ProcessModel::scores(const Family &family, const VectorXd &mean,
                                             const VectorXd &deviation, double level) {
    std::vector<Prediction> predictions;
    for (Index r = 0; r < mean.size(); r++) {
        const double score = std::exp(-(level + family.scale * mean(r)));
        predictions.push_back({score, score * family.scale * deviation(r)});
    }
    return predictions;
}

std::vector<Prediction> ProcessModel::predict(const TaskPoints &points) const {
    if (points.features.empty()) {
        return {};
    }
    const Family *alike = nullptr;
    for (const Family &family : families_) {
        if (family.names != points.names) {
            continue;
        }
        alike = alike ? alike : &family;
        const auto found = points.task
                               ? std::find(family.tasks.begin(), family.tasks.end(), *points.task)
                               : family.tasks.end();
        if (found != family.tasks.end()) {
            const auto number = static_cast<size_t>(found - family.tasks.begin());
            const auto at =
                family.process->at(static_cast<int>(number),
                                   family.inputs.of(points.names, pointers_to(points.features)));
            return scores(family, at.mean, at.deviation, family.level[number]);
        }
    }
    return alike ? transferred(*alike, points) : std::vector<Prediction>(points.features.size());
}

std::vector<Prediction> ProcessModel::transferred(const Family &family, const TaskPoints &points) {
    const VectorXd problem = problem_of(points.names, points.features.front());
    const MatrixXd x = family.inputs.of(points.names, pointers_to(points.features));
    VectorXd squares = (family.problems.rowwise() - problem.transpose()).rowwise().squaredNorm();
    // Tasks at most twice as far away as the nearest one count for much.
    const double near = std::max(squares.minCoeff(), 1e-6);
    const VectorXd weights = (-(squares.array() / near - 1.0) / 2.0).exp();
    VectorXd mean = VectorXd::Zero(x.rows()), variance = mean;
    for (Index i = 0; i < weights.size(); i++) {
        const double share = weights(i) / weights.sum();
        const auto at = family.process->at(static_cast<int>(i), x);
        mean += share * at.mean;
        variance += share * at.deviation.cwiseAbs2();
    }
    const double level = std::accumulate(family.level.begin(), family.level.end(), 0.0) /
                         static_cast<double>(family.level.size());
    return scores(family, mean, variance.cwiseSqrt(), level);
}

// How fast the processes change along an input.
std::vector<std::pair<std::string, double>> ProcessModel::importances() const {
    std::map<std::string, double> rates;
    double sum = 0.0;
    for (const Family &family : families_) {
        const ProcessParameters &known = family.process->parameters();
        for (Index q = 0; q < known.latent(); q++) {
            const double variance = known.shared.col(q).squaredNorm() + known.own.col(q).sum();
            for (size_t k = 0; k < family.inputs.names().size(); k++) {
                const double rate = variance / known.length(static_cast<Index>(k), q);
                rates[family.inputs.names()[k]] += rate;
                sum += rate;
            }
        }
    }
    std::vector<std::pair<std::string, double>> shares;
    for (const auto &[name, rate] : rates) {
        shares.emplace_back(name, rate / sum);
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    return shares;
}

}  // namespace emulsion
