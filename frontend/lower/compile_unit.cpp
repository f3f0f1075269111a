#include <Halide.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "frontend/lower/group_funcs.h"
#include "frontend/lower/plugin.h"
#include "frontend/lower/unit.h"

namespace emulsion {

namespace {

// Attributes that keep the code of asserts away; a checked unit has it.
Halide::Target unit_target(const Unit &unit) {
    Halide::Target target(unit.target);
    target.set_feature(Halide::Target::NoRuntime);
    target.set_feature(Halide::Target::UserContext);
    if (!unit.checked) {
        target.set_feature(Halide::Target::NoAsserts);
        target.set_feature(Halide::Target::NoBoundsQuery);
    }
    return target;
}

void write_text(const std::string &path, const std::string &text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw failure("can't write '" + path + "'");
    }
}

}  // namespace

void compile_unit(const Unit &unit, const UnitOutputs &outputs) {
    std::vector<Layout> layouts;
    for (const UnitArgument &input : unit.inputs) {
        layouts.push_back(input.layout);
    }
    layouts.push_back(unit.output.layout);
    std::map<std::string, std::string> implementations;
    for (const PlannedGroup &group : unit.plan.groups) {
        for (const PlannedMember &member : group.members) {
            implementations[member.op] = member.implementation;
        }
    }
    GroupFuncs group = build_group(unit.graph, layouts, implementations);

    load_gao2025();
    const Halide::Target target = unit_target(unit);
    Halide::Pipeline pipeline(group.outputs);
    const auto scheduled = pipeline.apply_autoscheduler(target, gao2025_applying(unit.plan));

    std::vector<Halide::Argument> arguments;
    for (const Halide::Parameter &input : group.inputs) {
        arguments.emplace_back(input.name(), Halide::Argument::InputBuffer, input.type(),
                               input.dimensions(), Halide::ArgumentEstimates{});
    }
    std::map<Halide::OutputFileType, std::string> files{
        {Halide::OutputFileType::object, outputs.object}};
    if (!outputs.statement.empty()) {
        files[Halide::OutputFileType::stmt] = outputs.statement;
    }
    if (!outputs.assembly.empty()) {
        files[Halide::OutputFileType::assembly] = outputs.assembly;
    }
    pipeline.compile_to(files, arguments, unit_key(unit), target);
    if (!outputs.schedule.empty()) {
        write_text(outputs.schedule, scheduled.schedule_source);
    }
}

}  // namespace emulsion
