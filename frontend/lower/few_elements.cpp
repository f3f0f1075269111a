#include "frontend/lower/few_elements.h"

#include <cstring>
#include <map>
#include <string>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr int64_t kFew = 256;
// Elements of other Funcs that one may need: definitions that read each other twice would ask for any number.
constexpr int kMostCalls = 1000;

// An element of a buffer of integers, if there is one at `at`.
Expr element_of(const Halide::Buffer<> &buffer, const std::vector<Expr> &at) {
    std::vector<int> index;
    for (size_t i = 0; i < at.size(); i++) {
        const auto value = as_const_int(at[i]);
        const auto &dim = buffer.dim(static_cast<int>(i));
        if (!value || *value < dim.min() || *value > dim.max()) {
            return {};
        }
        index.push_back(static_cast<int>(*value));
    }
    const Halide::Type type = buffer.type();
    const void *address = buffer.raw_buffer()->address_of(index.data());
    if (type.is_uint()) {
        uint64_t value = 0;
        std::memcpy(&value, address, static_cast<size_t>(type.bytes()));
        return make_const(type, value);
    }
    int64_t value = 0;
    std::memcpy(&value, address, static_cast<size_t>(type.bytes()));
    const int unused = 64 - type.bits();
    return make_const(type, static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused);
}

// Replaces calls of Funcs, at places that are known, by their values.
class Values : public IRMutator {
public:
    using IRMutator::mutate;
    Expr mutate(const Expr &e) override {
        known_ = known_ && !e.type().is_float() && !e.type().is_handle();
        return known_ ? IRMutator::mutate(e) : e;
    }

    bool known() const { return known_; }

private:
    Expr visit(const Select *op) override {
        const Expr condition = simplify(mutate(op->condition));
        if (is_const_one(condition)) {
            return mutate(op->true_value);
        }
        // What isn't selected may be read beyond the ends of a buffer.
        return is_const_zero(condition) ? mutate(op->false_value) : unknown();
    }

    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide && op->call_type != Call::Image) {
            return IRMutator::visit(op);
        }
        std::vector<Expr> at;
        for (const Expr &index : op->args) {
            at.push_back(simplify(mutate(index)));
        }
        if (!known_) {
            return op;
        }
        if (op->call_type == Call::Halide) {
            return value_of(Function(op->func), op->value_index, at);
        }
        const Halide::Buffer<> buffer = op->param.defined() ? op->param.buffer() : op->image;
        const Expr element = buffer.defined() ? element_of(buffer, at) : Expr();
        return element.defined() ? element : unknown();
    }

    Expr value_of(const Function &function, int index, const std::vector<Expr> &at) {
        if (!function.has_pure_definition() || function.has_update_definition() ||
            ++calls_ > kMostCalls) {
            return unknown();
        }
        std::map<std::string, Expr> places;
        for (size_t i = 0; i < at.size(); i++) {
            places.emplace(function.args()[i], at[i]);
        }
        return mutate(substitute(
            places, substitute_in_all_lets(function.values()[static_cast<size_t>(index)])));
    }

    Expr unknown() {
        known_ = false;
        return 0;
    }

    bool known_ = true;
    int calls_ = 0;
};

// Whether `value` is a number, which goes to the end of `bytes`.
bool append(const Expr &value, std::vector<std::byte> &bytes) {
    const auto as_signed = as_const_int(value);
    const auto as_unsigned = as_const_uint(value);
    if (!as_signed && !as_unsigned) {
        return false;
    }
    const uint64_t word = as_unsigned ? *as_unsigned : static_cast<uint64_t>(*as_signed);
    const auto *first = reinterpret_cast<const std::byte *>(&word);
    bytes.insert(bytes.end(), first, first + value.type().bytes());
    return true;
}

}  // namespace

std::optional<std::vector<std::byte>> few_elements(const Halide::Func &output,
                                                   const std::vector<int64_t> &extents) {
    int64_t count = 1;
    for (const int64_t extent : extents) {
        if (extent < 1 || extent > kFew || (count *= extent) > kFew) {
            return {};
        }
    }
    const Function function = output.function();
    std::vector<std::byte> bytes;
    for (int64_t i = 0; i < count; i++) {
        std::vector<Expr> at(extents.size());
        for (size_t axis = extents.size(), rest = static_cast<size_t>(i); axis-- > 0;) {
            const auto extent = static_cast<size_t>(extents[axis]);
            at[axis] = static_cast<int>(rest % extent);
            rest /= extent;
        }
        Values values;
        const Expr value = values.mutate(Call::make(function, at, 0));
        if (!values.known() || !append(simplify(value), bytes)) {
            return {};
        }
    }
    return bytes;
}

}  // namespace emulsion
