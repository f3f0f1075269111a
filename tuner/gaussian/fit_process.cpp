#include "tuner/gaussian/fit_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <nlopt.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// A kind of parameter: where it may lie, and where it is expected, as a factor either way, before anything is known. (GPTune has bounds alone;
// with ten observations of ten inputs each, lengths that nothing holds explain any noise.)
struct Range {
    double least, most;
    double expected, spread;
};

struct Ranges {
    Range length, shared, own, noise;
};

Ranges ranges_of(const ProcessData &data, Index latent) {
    // Chosen by how well points drawn at random, 10 to 30 of every task, tell the order of others: of 40 layers that were drawn at random.
    const double length = 0.3 * std::sqrt(static_cast<double>(std::max<Index>(data.x.cols(), 1)));
    const double share = 1.0 / static_cast<double>(latent);
    constexpr double kAnyLength = 3.0, kAnyFactor = 2.0;
    return {.length = {0.05, 50.0, length, kAnyLength},
            .shared = {1e-3, 10.0, std::sqrt(0.7 * share), kAnyFactor},
            .own = {1e-4, 10.0, 0.3 * share, kAnyFactor},
            .noise = {1e-5, 1.0, 0.05, kAnyFactor}};
}

// Calls visit(value, range) with all parameters, always in the same order.
template<typename Parameters, typename Visit>
void for_each(Parameters &parameters, const Ranges &ranges, const Visit &visit) {
    const auto all = [&](auto &matrix, const Range &range) {
        for (Index i = 0; i < matrix.size(); i++) {
            visit(matrix.data()[i], range);
        }
    };
    all(parameters.length, ranges.length);
    all(parameters.shared, ranges.shared);
    all(parameters.own, ranges.own);
    all(parameters.noise, ranges.noise);
}

ProcessParameters empty_parameters(const ProcessData &data, Index latent) {
    return {MatrixXd(data.x.cols(), latent), MatrixXd(data.tasks, latent),
            MatrixXd(data.tasks, latent), Eigen::VectorXd(data.tasks)};
}

Index latent_of(const ProcessData &data, const FitOptions &options) {
    constexpr int kMost = 3;
    return options.latent > 0 ? options.latent : std::min(data.tasks, kMost);
}

// What is minimised, over logarithms of parameters.
class Cost {
public:
    Cost(const ProcessData &data, Index latent)
        : data_(data), latent_(latent), ranges_(ranges_of(data, latent)) {}

    ProcessParameters parameters_at(std::span<const double> logarithms) const {
        ProcessParameters parameters = empty_parameters(data_, latent_);
        size_t at = 0;
        for_each(parameters, ranges_,
                 [&](double &value, const Range &) { value = std::exp(logarithms[at++]); });
        return parameters;
    }

    // Fills `gradient` unless it is empty; nothing where there is no likelihood.
    std::optional<double> at(std::span<const double> logarithms, std::span<double> gradient) const {
        try {
            const CoregionalProcess process(data_, parameters_at(logarithms));
            double cost = process.negative_log_likelihood();
            for_each(process.parameters(), ranges_, [&](const double &value, const Range &range) {
                cost += std::pow(deviation(value, range), 2.0) / 2.0;
            });
            if (!gradient.empty()) {
                fill(gradient, process);
            }
            return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
        } catch (const Error &) {
            return std::nullopt;
        }
    }

    void bounds(std::vector<double> &least, std::vector<double> &most) const {
        ProcessParameters parameters = empty_parameters(data_, latent_);
        for_each(parameters, ranges_, [&](double &, const Range &range) {
            least.push_back(std::log(range.least));
            most.push_back(std::log(range.most));
        });
    }

    std::vector<double> start(int number, uint64_t seed) const {
        std::mt19937_64 engine(seed + static_cast<uint64_t>(number));
        std::normal_distribution<double> normal;
        std::vector<double> logarithms;
        ProcessParameters parameters = empty_parameters(data_, latent_);
        for_each(parameters, ranges_, [&](double &, const Range &range) {
            // The guess is drawn, too, if from nearby: latent processes that start equal stay so.
            constexpr double kNearby = 0.1;
            const double spread = std::log(range.spread) * (number == 0 ? kNearby : 1.0);
            logarithms.push_back(std::clamp(std::log(range.expected) + spread * normal(engine),
                                            std::log(range.least), std::log(range.most)));
        });
        return logarithms;
    }

private:
    static double deviation(double value, const Range &range) {
        return std::log(value / range.expected) / std::log(range.spread);
    }

    void fill(std::span<double> gradient, const CoregionalProcess &process) const {
        const ProcessParameters slopes = process.gradient();
        size_t at = 0;
        for_each(slopes, ranges_,
                 [&](const double &slope, const Range &) { gradient[at++] = slope; });
        at = 0;
        for_each(process.parameters(), ranges_, [&](const double &value, const Range &range) {
            gradient[at] = gradient[at] * value + deviation(value, range) / std::log(range.spread);
            at++;
        });
    }

    const ProcessData &data_;
    const Index latent_;
    const Ranges ranges_;
};

struct Minimum {
    const Cost &cost;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> at{};
};

double evaluate(unsigned count, const double *x, double *gradient, void *minimum) {
    auto &known = *static_cast<Minimum *>(minimum);
    const std::span<const double> point(x, count);
    const auto cost = known.cost.at(point, {gradient, gradient ? count : 0});
    if (!cost) {
        if (gradient) {
            std::fill_n(gradient, count, 0.0);
        }
        return std::numeric_limits<double>::max();
    }
    if (*cost < known.least) {
        known.least = *cost;
        known.at.assign(point.begin(), point.end());
    }
    return *cost;
}

struct DestroyOptimiser {
    void operator()(nlopt_opt optimiser) const { nlopt_destroy(optimiser); }
};

}  // namespace

ProcessFit fit_from(const ProcessData &data, const FitOptions &options, int start) {
    const Cost cost(data, latent_of(data, options));
    std::vector<double> at = cost.start(start, options.seed), least, most;
    cost.bounds(least, most);
    Minimum minimum{cost};
    const std::unique_ptr<std::remove_pointer_t<nlopt_opt>, DestroyOptimiser> optimiser(
        nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(at.size())));
    nlopt_set_min_objective(optimiser.get(), evaluate, &minimum);
    nlopt_set_lower_bounds(optimiser.get(), least.data());
    nlopt_set_upper_bounds(optimiser.get(), most.data());
    nlopt_set_maxeval(optimiser.get(), options.evaluations);
    constexpr double kEnough = 1e-4;  // of the cost, relatively, from one step to the next
    nlopt_set_ftol_rel(optimiser.get(), kEnough);
    double found = 0.0;
    // Whatever it says, the best that it has looked at counts.
    nlopt_optimize(optimiser.get(), at.data(), &found);
    if (minimum.at.empty()) {
        throw Error("no parameters of a Gaussian process explain the data");
    }
    return {cost.parameters_at(minimum.at), minimum.least};
}

ProcessParameters fit_process(const ProcessData &data, const FitOptions &options) {
    std::optional<ProcessFit> best;
    for (int start = 0; start < std::max(options.starts, 1); start++) {
        ProcessFit fit = fit_from(data, options, start);
        if (!best || fit.cost < best->cost) {
            best = std::move(fit);
        }
    }
    return std::move(best->parameters);
}

}  // namespace emulsion
