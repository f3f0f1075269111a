#include "generators/amdgpu/prepared_generator.h"

#include "autoscheduler/kernels/kernel_passes.h"

namespace emulsion {

PreparedGenerator::PreparedGenerator(Halide::Internal::AbstractGeneratorPtr generator)
    : generator_(std::move(generator)) {}

Halide::Pipeline PreparedGenerator::build_pipeline() {
    const Halide::Pipeline pipeline = generator_->build_pipeline();
    add_kernel_passes(pipeline);
    return pipeline;
}

std::string PreparedGenerator::name() { return generator_->name(); }

Halide::GeneratorContext PreparedGenerator::context() const { return generator_->context(); }

std::vector<PreparedGenerator::ArgInfo> PreparedGenerator::arginfos() {
    return generator_->arginfos();
}

void PreparedGenerator::set_generatorparam_value(const std::string &name,
                                                 const std::string &value) {
    generator_->set_generatorparam_value(name, value);
}

void PreparedGenerator::set_generatorparam_value(const std::string &name,
                                                 const Halide::LoopLevel &level) {
    generator_->set_generatorparam_value(name, level);
}

std::vector<Halide::Parameter> PreparedGenerator::input_parameter(const std::string &name) {
    return generator_->input_parameter(name);
}

std::vector<Halide::Func> PreparedGenerator::output_func(const std::string &name) {
    return generator_->output_func(name);
}

void PreparedGenerator::bind_input(const std::string &name,
                                   const std::vector<Halide::Parameter> &v) {
    generator_->bind_input(name, v);
}

void PreparedGenerator::bind_input(const std::string &name, const std::vector<Halide::Func> &v) {
    generator_->bind_input(name, v);
}

void PreparedGenerator::bind_input(const std::string &name, const std::vector<Halide::Expr> &v) {
    generator_->bind_input(name, v);
}

bool PreparedGenerator::emit_cpp_stub(const std::string &path) {
    return generator_->emit_cpp_stub(path);
}

bool PreparedGenerator::emit_hlpipe(const std::string &path) {
    return generator_->emit_hlpipe(path);
}

bool PreparedGenerator::allow_out_of_order_inputs_and_outputs() const {
    return generator_->allow_out_of_order_inputs_and_outputs();
}

}  // namespace emulsion
