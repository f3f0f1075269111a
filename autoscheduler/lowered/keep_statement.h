// The lowered statement of a pipeline, as it is before parallel loops become functions of their own.
#pragma once

#include <Halide.h>

#include <memory>

namespace emulsion {

class KeptStatement {
public:
    // Of a pipeline that is lowered afterwards, which may outlive this.
    explicit KeptStatement(Halide::Pipeline &pipeline);

    // Undefined before it was lowered.
    Halide::Internal::Stmt statement() const { return *kept_; }

private:
    std::shared_ptr<Halide::Internal::Stmt> kept_ = std::make_shared<Halide::Internal::Stmt>();
};

}  // namespace emulsion
