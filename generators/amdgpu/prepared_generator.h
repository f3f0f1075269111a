// A generator whose kernels go through our passes (autoscheduler/kernels/kernel_passes.h), however it is scheduled.
#pragma once

#include <Halide.h>

namespace emulsion {

// Does what the other does, but for its pipeline.
class PreparedGenerator : public Halide::Internal::AbstractGenerator {
public:
    explicit PreparedGenerator(Halide::Internal::AbstractGeneratorPtr generator);

    Halide::Pipeline build_pipeline() override;

    std::string name() override;
    Halide::GeneratorContext context() const override;
    std::vector<ArgInfo> arginfos() override;
    void set_generatorparam_value(const std::string &name, const std::string &value) override;
    void set_generatorparam_value(const std::string &name, const Halide::LoopLevel &level) override;
    std::vector<Halide::Parameter> input_parameter(const std::string &name) override;
    std::vector<Halide::Func> output_func(const std::string &name) override;
    void bind_input(const std::string &name, const std::vector<Halide::Parameter> &v) override;
    void bind_input(const std::string &name, const std::vector<Halide::Func> &v) override;
    void bind_input(const std::string &name, const std::vector<Halide::Expr> &v) override;
    bool emit_cpp_stub(const std::string &path) override;
    bool emit_hlpipe(const std::string &path) override;
    bool allow_out_of_order_inputs_and_outputs() const override;

private:
    Halide::Internal::AbstractGeneratorPtr generator_;
};

}  // namespace emulsion
