#include "backend/amdgpu/launches.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "backend/amdgpu/hip_names.h"
#include "backend/amdgpu/host_numbers.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using Halide::Internal::IRVisitor;
using Halide::Internal::Let;
using Halide::Internal::LetStmt;
using Halide::Internal::StringImm;
using Halide::Internal::Variable;

constexpr std::string_view kBufferEnding = ".buffer";

// Arguments of halide_opencl_run(), from the last one back: the context that halide_hip_run() has in
// front doesn't matter then.
constexpr size_t kRunArguments = 12;

// Arguments of _halide_buffer_init().
constexpr size_t kInitArguments = 10, kInitShape = 1, kInitCode = 5, kInitBits = 6;
constexpr size_t kFieldsOfDimension = 4;  // min, extent, stride, flags

[[noreturn]] void fail(const std::string &kernel, const std::string &what) {
    throw failure(fmt::format("the launch of kernel '{}' {}", kernel, what));
}

const std::vector<Expr> &elements(const Expr &e, const std::string &kernel) {
    const Call *call = e.as<Call>();
    if (call == nullptr || !call->is_intrinsic(Call::make_struct)) {
        fail(kernel, "was expected to pass its arguments as structures");
    }
    return call->args;
}

class Collector : public IRVisitor {
public:
    std::vector<KernelLaunch> launches;
    std::vector<KernelBuffer> buffers;

private:
    using IRVisitor::visit;

    std::map<std::string, Expr> constants_;
    HostNumbers numbers_;
    bool carried_out_ = false;  // the statement that is visited

    Expr folded(const Expr &e) const {
        return Halide::Internal::simplify(Halide::Internal::substitute(constants_, e));
    }

    void visit(const LetStmt *op) override {
        op->value.accept(this);
        if (op->name.ends_with(kBufferEnding)) {
            add_buffer(op->name.substr(0, op->name.size() - kBufferEnding.size()), op->value);
        }
        const Expr value = folded(op->value);
        const bool constant = Halide::Internal::is_const(value);
        if (constant) {
            constants_[op->name] = value;
        }
        numbers_.set(op->name, numbers_.value(value));
        op->body.accept(this);
        numbers_.set(op->name, std::nullopt);
        if (constant) {
            constants_.erase(op->name);
        }
    }

    void visit(const Halide::Internal::Allocate *op) override {
        numbers_.allocate(op->name);
        IRVisitor::visit(op);
        numbers_.free(op->name);
    }

    template<typename Statement>
    void carry_out(const Statement *op) {
        if (!carried_out_) {
            numbers_.carry_out(op);
        }
        const Halide::Internal::ScopedValue<bool> inside(carried_out_, true);
        IRVisitor::visit(op);
    }
    void visit(const Halide::Internal::Store *op) override { carry_out(op); }
    void visit(const Halide::Internal::For *op) override { carry_out(op); }
    void visit(const Halide::Internal::IfThenElse *op) override { carry_out(op); }

    void visit(const Call *op) override {
        IRVisitor::visit(op);
        if (op->name != std::string(kOpenClPrefix) + "run" &&
            op->name != std::string(kHipPrefix) + "run") {
            return;
        }
        const size_t first = op->args.size() == kRunArguments + 1 ? 1 : 0;
        const StringImm *name = op->args.size() == first + kRunArguments
                                    ? op->args[first + 1].as<StringImm>()
                                    : nullptr;
        if (name == nullptr) {
            throw failure(
                fmt::format("a call of {} was expected to have {} arguments, the second of "
                            "which is a kernel's name",
                            op->name, kRunArguments));
        }
        KernelLaunch launch;
        launch.kernel = name->value;
        for (size_t i = 0; i < 3; i++) {
            launch.grid[i] = folded(op->args[first + 2 + i]);
            launch.block[i] = folded(op->args[first + 5 + i]);
        }
        launch.lds_bytes = folded(op->args[first + 8]);
        launch.computed_lds_bytes = numbers_.value(launch.lds_bytes);
        add_arguments(&launch, elements(op->args[first + 9], launch.kernel),
                      elements(op->args[first + 10], launch.kernel),
                      elements(op->args[first + 11], launch.kernel));
        launches.push_back(std::move(launch));
    }

    // `let t = struct(min, extent, stride, flags, ...) in _halide_buffer_init(..., t, ..., code, bits, ...)`
    // is an allocation; anything else a view of another buffer.
    void add_buffer(const std::string &name, Expr value) {
        while (const Let *let = value.as<Let>()) {
            value = Halide::Internal::substitute(let->name, let->value, let->body);
        }
        const Call *init = value.as<Call>();
        if (init == nullptr || init->name != Call::buffer_init ||
            init->args.size() != kInitArguments) {
            return;
        }
        const auto code = constant_value(folded(init->args[kInitCode]));
        const auto bits = constant_value(folded(init->args[kInitBits]));
        const Call *shape = init->args[kInitShape].as<Call>();
        if (!code || !bits || shape == nullptr || !shape->is_intrinsic(Call::make_struct)) {
            return;
        }
        KernelBuffer buffer{
            name,
            Halide::Type(static_cast<halide_type_code_t>(*code), static_cast<int>(*bits), 1),
            {}};
        for (size_t i = 0; i + kFieldsOfDimension <= shape->args.size(); i += kFieldsOfDimension) {
            buffer.dimensions.push_back(
                {folded(shape->args[i]), folded(shape->args[i + 1]), folded(shape->args[i + 2])});
        }
        buffers.push_back(std::move(buffer));
    }

    // Three lists with one end marker each.
    void add_arguments(KernelLaunch *launch, const std::vector<Expr> &sizes,
                       const std::vector<Expr> &values, const std::vector<Expr> &are_buffers) {
        if (sizes.empty() || sizes.size() != values.size() || sizes.size() != are_buffers.size() ||
            constant_value(folded(sizes.back())) != 0) {
            fail(launch->kernel, "was expected to have as many sizes as arguments, and a zero");
        }
        for (size_t i = 0; i + 1 < sizes.size(); i++) {
            const std::optional<int64_t> bytes = constant_value(folded(sizes[i]));
            const std::optional<int64_t> is_buffer = constant_value(folded(are_buffers[i]));
            LaunchArgument argument;
            argument.is_buffer = is_buffer == 1;
            argument.bytes = static_cast<int>(bytes.value_or(0));
            Expr value = values[i];
            if (!argument.is_buffer) {
                const std::vector<Expr> &inner = elements(value, launch->kernel);
                value = inner.size() == 1 ? inner[0] : Expr();
            }
            argument.type = value.defined() ? value.type() : Halide::Handle();
            argument.number = value.defined() ? numbers_.value(value) : std::nullopt;
            const Variable *variable = value.as<Variable>();
            if (variable != nullptr) {
                argument.name = variable->name;
            } else if (argument.is_buffer) {
                fail(launch->kernel, fmt::format("has no variable as its argument {}", i));
            }
            if (argument.is_buffer && argument.name.ends_with(kBufferEnding)) {
                argument.name.resize(argument.name.size() - kBufferEnding.size());
            }
            if (!bytes || !is_buffer || argument.bytes <= 0 ||
                argument.bytes != (argument.is_buffer ? 8 : argument.type.bytes())) {
                fail(launch->kernel, fmt::format("gives its argument {} '{}' a size that isn't its "
                                                 "type's",
                                                 i, argument.name));
            }
            launch->arguments.push_back(std::move(argument));
        }
    }
};

Collector collect(const Halide::Module &module) {
    Collector collector;
    for (const Halide::Internal::LoweredFunc &function : module.functions()) {
        function.body.accept(&collector);
    }
    return collector;
}

}  // namespace

std::vector<KernelLaunch> collect_launches(const Halide::Module &module) {
    return collect(module).launches;
}

std::vector<KernelBuffer> collect_buffers(const Halide::Module &module) {
    return collect(module).buffers;
}

std::optional<int64_t> constant_value(const Expr &e) {
    if (const auto value = Halide::Internal::as_const_int(e)) {
        return static_cast<int64_t>(*value);
    }
    if (const auto value = Halide::Internal::as_const_uint(e)) {
        return static_cast<int64_t>(*value);
    }
    return std::nullopt;
}

std::optional<std::array<int, 3>> constant_block(const KernelLaunch &launch) {
    std::array<int, 3> block{};
    for (size_t i = 0; i < 3; i++) {
        const std::optional<int64_t> threads = constant_value(launch.block[i]);
        if (!threads) {
            return std::nullopt;
        }
        block[i] = static_cast<int>(*threads);
    }
    return block;
}

std::vector<KernelShape> kernel_shapes(std::span<const KernelLaunch> launches) {
    std::vector<KernelShape> shapes;
    for (const KernelLaunch &launch : launches) {
        const KernelShape shape{launch.kernel, constant_block(launch),
                                constant_value(launch.lds_bytes)};
        const auto known = std::find_if(shapes.begin(), shapes.end(),
                                        [&](const auto &s) { return s.kernel == launch.kernel; });
        if (known == shapes.end()) {
            shapes.push_back(shape);
            continue;
        }
        if (known->block != shape.block) {
            known->block.reset();
        }
        if (known->lds_bytes != shape.lds_bytes) {
            known->lds_bytes.reset();
        }
    }
    return shapes;
}

}  // namespace emulsion
