#include "bench/tuning/predicted_nests.h"

#include <utility>

#include "bench/host.h"
#include "bench/tuning/network_tasks.h"
#include "fusion/hash_hex.h"

namespace emulsion {

namespace {

class PredictedNests : public NestPredictor {
public:
    PredictedNests(std::shared_ptr<const Predictor> predictor, int threads)
        : predictor_(std::move(predictor)), threads_(threads) {}

    TunedNests nests(const PlannedNetwork &network) const override {
        TunedNests found{.threads = threads_, .file = "the predictor"};
        for (const TuningTask &task :
             tasks_of(network, threads_, machine_fingerprint(host_info()))) {
            if (!predictor_->knows(task.scope)) {
                continue;
            }
            Nest nest = predictor_->search(task);
            if (nest != task.planned) {
                found.nests[task.problem] = {task.label, std::move(nest), 1.0};
            }
        }
        return found;
    }

    std::string hash() const override { return hash_hex(predictor_->to_text()); }

private:
    const std::shared_ptr<const Predictor> predictor_;
    const int threads_;
};

}  // namespace

std::shared_ptr<const NestPredictor> predicted_nests(std::shared_ptr<const Predictor> predictor,
                                                     int threads) {
    return std::make_shared<PredictedNests>(std::move(predictor), threads);
}

}  // namespace emulsion
