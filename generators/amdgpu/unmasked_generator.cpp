#include "generators/amdgpu/unmasked_generator.h"

#include "autoscheduler/opencl_masks.h"

namespace emulsion {

UnmaskedGenerator::UnmaskedGenerator(Halide::Internal::AbstractGeneratorPtr generator)
    : generator_(std::move(generator)) {}

Halide::Pipeline UnmaskedGenerator::build_pipeline() {
    const Halide::Pipeline pipeline = generator_->build_pipeline();
    take_masks_apart(pipeline);
    return pipeline;
}

std::string UnmaskedGenerator::name() { return generator_->name(); }

Halide::GeneratorContext UnmaskedGenerator::context() const { return generator_->context(); }

std::vector<UnmaskedGenerator::ArgInfo> UnmaskedGenerator::arginfos() {
    return generator_->arginfos();
}

void UnmaskedGenerator::set_generatorparam_value(const std::string &name,
                                                 const std::string &value) {
    generator_->set_generatorparam_value(name, value);
}

void UnmaskedGenerator::set_generatorparam_value(const std::string &name,
                                                 const Halide::LoopLevel &level) {
    generator_->set_generatorparam_value(name, level);
}

std::vector<Halide::Parameter> UnmaskedGenerator::input_parameter(const std::string &name) {
    return generator_->input_parameter(name);
}

std::vector<Halide::Func> UnmaskedGenerator::output_func(const std::string &name) {
    return generator_->output_func(name);
}

void UnmaskedGenerator::bind_input(const std::string &name,
                                   const std::vector<Halide::Parameter> &v) {
    generator_->bind_input(name, v);
}

void UnmaskedGenerator::bind_input(const std::string &name, const std::vector<Halide::Func> &v) {
    generator_->bind_input(name, v);
}

void UnmaskedGenerator::bind_input(const std::string &name, const std::vector<Halide::Expr> &v) {
    generator_->bind_input(name, v);
}

bool UnmaskedGenerator::emit_cpp_stub(const std::string &path) {
    return generator_->emit_cpp_stub(path);
}

bool UnmaskedGenerator::emit_hlpipe(const std::string &path) {
    return generator_->emit_hlpipe(path);
}

bool UnmaskedGenerator::allow_out_of_order_inputs_and_outputs() const {
    return generator_->allow_out_of_order_inputs_and_outputs();
}

}  // namespace emulsion
