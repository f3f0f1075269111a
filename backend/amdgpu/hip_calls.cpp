// with_hip_calls(): the rewriting of the host's code.
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "backend/amdgpu/hip_names.h"
#include "backend/amdgpu/module.h"
#include "fusion/error.h"
#include "runtime/gpu/bundle.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Module;
using Halide::Target;
using Halide::Internal::Call;
using Halide::Internal::IRMutator;
using Halide::Internal::LetStmt;
using Halide::Internal::Stmt;
using Halide::Internal::StringImm;
using Halide::Internal::Variable;

std::string renamed(const std::string &name) {
    return name.starts_with(kOpenClPrefix)
               ? std::string(kHipPrefix) + name.substr(kOpenClPrefix.size())
               : name;
}

class HipCalls : public IRMutator {
public:
    explicit HipCalls(Buffer<uint8_t> code) : code_(std::move(code)) {}

private:
    using IRMutator::visit;

    Buffer<uint8_t> code_;

    Stmt visit(const LetStmt *op) override {
        return LetStmt::make(renamed(op->name), mutate(op->value), mutate(op->body));
    }

    Expr visit(const Variable *op) override {
        if (op->name == code_.name() + ".buffer") {
            return Variable::make(op->type, op->name, code_);
        }
        return op->name.starts_with(kOpenClPrefix) ? Variable::make(op->type, renamed(op->name))
                                                   : op;
    }

    Expr visit(const Call *op) override {
        std::vector<Expr> args = mutate(op->args);
        if (op->is_intrinsic(Call::register_destructor)) {
            const StringImm *function = args.empty() ? nullptr : args[0].as<StringImm>();
            if (function != nullptr) {
                args[0] = StringImm::make(renamed(function->value));
            }
            return Call::make(op->type, op->name, args, op->call_type);
        }
        if (!op->name.starts_with(kOpenClPrefix)) {
            return IRMutator::visit(op);
        }
        const std::string_view function = std::string_view(op->name).substr(kOpenClPrefix.size());
        const bool initialize = function == "initialize_kernels";
        if (initialize && args.size() != 3) {
            throw failure(fmt::format("a call of {} was expected to have 3 arguments", op->name));
        }
        if (initialize) {
            args[2] = code_.width();
        }
        // Code generation knows by name which functions of Halide's runtime get the user context, and
        // puts it in front itself; ours are not among them.
        if (initialize || function == "run") {
            args.insert(args.begin(), Call::make(Halide::type_of<void *>(), Call::get_user_context,
                                                 {}, Call::Intrinsic));
        } else if (function != "device_interface") {
            throw failure(fmt::format("there is no function of HIP's for {}", op->name));
        }
        return Call::make(op->type, renamed(op->name), args, op->call_type);
    }
};

// Without a GPU, as far as Halide can tell: its code generation would only add OpenCL's declarations.
Target without_opencl(Target target) {
    for (const Target::Feature feature :
         {Target::OpenCL, Target::CLDoubles, Target::CLHalf, Target::CLAtomics64}) {
        target = target.without_feature(feature);
    }
    return target;
}

}  // namespace

Buffer<> opencl_text(const Module &module) {
    Buffer<> text;
    for (const Buffer<> &buffer : module.buffers()) {
        if (!buffer.name().ends_with(kDeviceCodeEnding)) {
            continue;
        }
        if (text.defined()) {
            throw failure(fmt::format("module '{}' holds two device codes", module.name()));
        }
        text = buffer;
    }
    const std::string_view magic = EMULSION_BUNDLE_MAGIC;
    const bool bundle = text.defined() && text.size_in_bytes() >= magic.size() &&
                        std::memcmp(text.data(), magic.data(), magic.size()) == 0;
    return bundle ? Buffer<>() : text;
}

Module with_hip_calls(const Module &module, const std::string &bundle) {
    const Buffer<> text = opencl_text(module);
    Module result(module.name(), text.defined() ? without_opencl(module.target()) : module.target(),
                  module.get_metadata_name_map());
    result.set_any_strict_float(module.any_strict_float());
    if (const auto *scheduled = module.get_auto_scheduler_results()) {
        result.set_auto_scheduler_results(*scheduled);
    }
    for (const Module &part : module.submodules()) {
        result.append(part);
    }
    result.set_conceptual_code_stmt(module.get_conceptual_stmt());
    Buffer<uint8_t> code;
    for (const Buffer<> &buffer : module.buffers()) {
        if (text.defined() && buffer.same_as(text)) {
            code = Buffer<uint8_t>(static_cast<int>(bundle.size()), buffer.name());
            std::memcpy(code.data(), bundle.data(), bundle.size());
            result.append(code);
        } else {
            result.append(buffer);
        }
    }
    for (Halide::Internal::LoweredFunc function : module.functions()) {
        if (code.defined()) {
            function.body = HipCalls(code).mutate(function.body);
        }
        result.append(function);
    }
    return result;
}

}  // namespace emulsion
