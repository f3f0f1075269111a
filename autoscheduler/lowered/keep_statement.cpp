#include "autoscheduler/lowered/keep_statement.h"

#include <utility>

namespace emulsion {

namespace {

// A pass that changes nothing.
class Keeper : public Halide::Internal::IRMutator {
public:
    explicit Keeper(std::shared_ptr<Halide::Internal::Stmt> kept) : kept_(std::move(kept)) {}

    using IRMutator::mutate;
    Halide::Internal::Stmt mutate(const Halide::Internal::Stmt &statement) override {
        *kept_ = statement;
        return statement;
    }

private:
    const std::shared_ptr<Halide::Internal::Stmt> kept_;
};

}  // namespace

KeptStatement::KeptStatement(Halide::Pipeline &pipeline) {
    pipeline.add_custom_lowering_pass(new Keeper(kept_));
}

}  // namespace emulsion
