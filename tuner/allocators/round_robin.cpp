#include "tuner/allocator.h"

namespace emulsion {

namespace {

class RoundRobin : public Allocator {
public:
    int next(const std::vector<TuningCurve> &curves) override {
        for (size_t tries = 0; tries < curves.size(); tries++) {
            const size_t at = next_++ % curves.size();
            if (!curves[at].ended) {
                return static_cast<int>(at);
            }
        }
        return -1;
    }

private:
    size_t next_ = 0;
};

}  // namespace

const AllocatorKind &tuning_allocator_round_robin() {
    static const AllocatorKind kind = {"round_robin", "every task in turn",
                                       [] { return std::make_unique<RoundRobin>(); }};
    return kind;
}

}  // namespace emulsion
