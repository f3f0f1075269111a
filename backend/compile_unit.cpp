#include "backend/compile_unit.h"

#include "backend/amdgpu/emit.h"
#include "backend/files.h"
#include "backend/hip_unit.h"

namespace emulsion {

namespace {

// Code objects of every build of the compiler: what they are made from is in their keys.
constexpr const char *kCodeObjects = "code-objects";

void compile_module(const Halide::Module &module, const UnitOutputs &outputs) {
    std::map<Halide::OutputFileType, std::string> files{
        {Halide::OutputFileType::object, outputs.object}};
    if (!outputs.statement.empty()) {
        files[Halide::OutputFileType::stmt] = outputs.statement;
    }
    if (!outputs.assembly.empty()) {
        files[Halide::OutputFileType::assembly] = outputs.assembly;
    }
    module.compile(files);
}

}  // namespace

CompiledUnit compile_unit(const Unit &unit, const UnitOutputs &outputs,
                          const CompileUnitOptions &options) {
    const std::string name = unit_key(unit);
    CompiledUnit compiled;
    std::string schedule;
    if (unit.chips.empty()) {
        LoweredUnit lowered = lower_unit(
            unit, name, [&](const LoweredUnit &made) { compile_module(made.module, outputs); });
        schedule = lowered.schedule;
        compiled.shrinks = lowered.shrinks;
        compiled.plan = std::move(lowered.plan);
    } else {
        const UnitCache cache(options.code_cache, kCodeObjects);
        const DeviceCompiler compiler({.temporary = options.scratch}, &cache);
        const HipUnit made = make_hip_unit(unit, name, compiler);
        compile_module(*made.hip.module, outputs);
        if (!outputs.kernels.empty()) {
            emit_kernels(made.hip, name, outputs.kernels, options.tensor_names);
        }
        compiled.shrinks = made.shrinks;
        compiled.plan = made.lowered.plan;
        schedule = made.lowered.schedule;
    }
    if (!outputs.schedule.empty()) {
        write_file(outputs.schedule, schedule);
    }
    return compiled;
}

}  // namespace emulsion
