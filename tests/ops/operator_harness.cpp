#include "tests/ops/operator_harness.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "frontend/ops/operator.h"

namespace emulsion {

namespace {

constexpr double kSeconds = 0.1;  // for the random cases of one test
constexpr int kFewestCases = 3;   // on a machine of whatever speed

int64_t offset_of(const std::vector<int64_t> &shape, const std::vector<int64_t> &coordinates) {
    EXPECT_EQ(shape.size(), coordinates.size());
    int64_t offset = 0;
    for (size_t i = 0; i < shape.size(); i++) {
        EXPECT_TRUE(coordinates[i] >= 0 && coordinates[i] < shape[i]);
        offset = offset * shape[i] + coordinates[i];
    }
    return offset;
}

std::vector<int> to_ints(const std::vector<int64_t> &values) {
    return {values.begin(), values.end()};
}

// A buffer of `tensor` in logical coordinates, with `padding` around it.
Halide::Buffer<> make_buffer(const TestTensor &tensor, const std::optional<Padding> &padding) {
    const size_t rank = tensor.shape.size();
    std::vector<int> mins(rank, 0);
    std::vector<int64_t> extents = tensor.shape;
    if (padding) {
        for (size_t i = 0; i < rank; i++) {
            const Margin margin = padding->margin.at(i);
            mins[i] = -static_cast<int>(margin.before);
            extents[i] += margin.before + margin.after;
        }
    }
    Halide::Buffer<> buffer(halide_type(tensor.type), to_ints(extents));
    buffer.set_min(mins);
    with_value_type(tensor.type, [&](auto zero) {
        using T = decltype(zero);
        Halide::Buffer<T> typed = buffer;
        if (padding) {
            const bool lowest = padding->value == -std::numeric_limits<double>::infinity();
            typed.fill(lowest && std::is_integral_v<T> ? std::numeric_limits<T>::lowest()
                                                       : static_cast<T>(padding->value));
        }
        for_each_coordinate(tensor.shape, [&](const std::vector<int64_t> &at) {
            typed(to_ints(at).data()) = static_cast<T>(tensor.at(at));
        });
    });
    return buffer;
}

TestTensor read_buffer(const Halide::Buffer<> &buffer, const std::vector<int64_t> &shape,
                       DataType type) {
    TestTensor result(shape, type);
    with_value_type(type, [&](auto zero) {
        using T = decltype(zero);
        const Halide::Buffer<T> typed = buffer;
        for_each_coordinate(shape, [&](const std::vector<int64_t> &at) {
            result.at(at) = static_cast<double>(typed(to_ints(at).data()));
        });
    });
    return result;
}

// What the compiled code of this thread complained about last. By default such errors end the
// process.
thread_local std::string runtime_error;

// Other operators that are computed together with this one may cast such a value again, which Halide merges.
bool is_cast_of_real(const Halide::Expr &value) {
    const auto *cast = value.as<Halide::Internal::Cast>();
    return cast != nullptr && cast->value.type().is_float() && !cast->type.is_float();
}

// Elements are computed again for every reduction that reads them, and may be rounded in another way then: none
// need be equal to what another reduction made of them.
bool compares_reals(const Halide::Expr &value) {
    class Finder : public Halide::Internal::IRGraphVisitor {
    public:
        bool found = false;

    private:
        using IRGraphVisitor::visit;
        void visit(const Halide::Internal::EQ *op) override {
            found = found || op->a.type().is_float();
            IRGraphVisitor::visit(op);
        }
    };
    Finder finder;
    value.accept(&finder);
    return finder.found;
}

void note_error(Halide::JITUserContext *, const char *message) { runtime_error = message; }

}  // namespace

TestTensor::TestTensor(std::vector<int64_t> shape, DataType type)
    : shape(std::move(shape)), type(type) {
    values.resize(static_cast<size_t>(element_count(this->shape)));
}

TestTensor::TestTensor(std::vector<int64_t> shape, DataType type, std::vector<double> values)
    : shape(std::move(shape)), type(type), values(std::move(values)) {
    EXPECT_EQ(element_count(this->shape), static_cast<int64_t>(this->values.size()));
}

double &TestTensor::at(const std::vector<int64_t> &coordinates) {
    return values.at(static_cast<size_t>(offset_of(shape, coordinates)));
}

double TestTensor::at(const std::vector<int64_t> &coordinates) const {
    return values.at(static_cast<size_t>(offset_of(shape, coordinates)));
}

void for_each_coordinate(const std::vector<int64_t> &shape,
                         const std::function<void(const std::vector<int64_t> &)> &visit) {
    std::vector<int64_t> at(shape.size(), 0);
    const int64_t count = element_count(shape);
    for (int64_t i = 0; i < count; i++) {
        visit(at);
        for (size_t axis = shape.size(); axis-- > 0;) {
            if (++at[axis] < shape[axis]) {
                break;
            }
            at[axis] = 0;
        }
    }
}

int64_t Random::integer(int64_t lowest, int64_t highest) {
    return std::uniform_int_distribution<int64_t>(lowest, highest)(engine_);
}

std::vector<int64_t> Random::shape(int rank, int64_t largest) {
    std::vector<int64_t> result;
    for (int i = 0; i < rank; i++) {
        result.push_back(integer(1, largest));
    }
    return result;
}

TestTensor Random::tensor(const std::vector<int64_t> &shape, DataType type) {
    TestTensor result(shape, type);
    const bool is_unsigned = halide_type(type).is_uint();
    for (double &value : result.values) {
        if (type == DataType::Bool) {
            value = static_cast<double>(integer(0, 1));
        } else if (is_float(type)) {
            value = static_cast<double>(integer(-2048, 2048)) / 1024.0;
        } else {
            value = static_cast<double>(integer(is_unsigned ? 0 : -9, 9));
        }
    }
    return result;
}

TestTensor Random::tensor(const std::vector<int64_t> &shape, DataType type, double lowest,
                          double highest) {
    TestTensor result(shape, type);
    for (double &value : result.values) {
        if (is_float(type)) {
            value = std::uniform_real_distribution<double>(lowest, highest)(engine_);
            value = type == DataType::F32 ? static_cast<double>(static_cast<float>(value)) : value;
        } else {
            value = static_cast<double>(
                integer(static_cast<int64_t>(lowest), static_cast<int64_t>(highest)));
        }
    }
    return result;
}

void for_random_cases(const std::function<void(Random &)> &run) {
    const char *replay = std::getenv("EMULSION_TEST_SEED");
    uint64_t seed = replay != nullptr ? std::strtoull(replay, nullptr, 10) : std::random_device()();
    const auto start = std::chrono::steady_clock::now();
    int cases = 0;
    for (;; seed++) {
        Random random(seed);
        SCOPED_TRACE("EMULSION_TEST_SEED=" + std::to_string(seed));
        run(random);
        cases++;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        if (testing::Test::HasFailure() || replay != nullptr ||
            (cases >= kFewestCases && passed.count() > kSeconds)) {
            break;
        }
    }
    std::cout << cases << " cases, the last with EMULSION_TEST_SEED=" << seed << "\n";
}

// Operands are ImageParams; paddings that are asked for are noted.
class OperatorCase::Context : public OperatorContext {
public:
    Context(const Node &node, const std::vector<Tensor> &tensors) : node_(node), tensors_(tensors) {
        for (size_t i = 0; i + 1 < tensors.size(); i++) {
            params_.emplace_back(halide_type(tensors[i].type), tensors[i].rank(),
                                 "x" + std::to_string(i));
        }
        paddings_.resize(params_.size());
    }

    const Node &node() const override { return node_; }
    bool has_input(int index) const override {
        const auto i = static_cast<size_t>(index);
        return i < node_.inputs.size() && node_.inputs[i] != kNoTensor;
    }
    const Tensor &input(int index) const override { return tensors_.at(position(index)); }
    const Tensor &result() const override { return tensors_.back(); }
    Access operand(int index) override {
        EXPECT_TRUE(has_input(index));
        return [param = params_.at(position(index))](const std::vector<Halide::Expr> &at) {
            return param(at);
        };
    }
    Access padded_operand(int index, const Padding &padding) override {
        EXPECT_FALSE(paddings_.at(position(index)).has_value()) << "two paddings of one operand";
        EXPECT_EQ(padding.margin.size(), tensors_.at(position(index)).shape.size());
        paddings_.at(position(index)) = padding;
        return operand(index);
    }
    Halide::Func func(const std::string &part) override {
        funcs_.emplace_back(part.empty() ? "result" : "result_" + part);
        return funcs_.back();
    }

    std::vector<Halide::ImageParam> &params() { return params_; }
    const std::optional<Padding> &padding(size_t index) const { return paddings_[index]; }
    const std::vector<Halide::Func> &funcs() const { return funcs_; }

private:
    static size_t position(int index) { return static_cast<size_t>(index); }

    const Node &node_;
    const std::vector<Tensor> &tensors_;
    std::vector<Halide::ImageParam> params_;
    std::vector<std::optional<Padding>> paddings_;
    std::vector<Halide::Func> funcs_;
};

OperatorCase::OperatorCase(const std::string &type) : operator_(find_operator("", type)) {
    if (operator_ == nullptr) {
        throw std::runtime_error("no operator " + type);
    }
    node_.name = "tested";
    node_.index = 0;
    node_.operator_type = type;
}

void OperatorCase::attribute(const std::string &key, Attribute value) {
    node_.attributes[key] = std::move(value);
}

void OperatorCase::tolerance(double absolute, double relative) {
    tolerance_ = Tolerance{absolute, relative};
}

void OperatorCase::absent_input() {
    add_input(TestTensor({}, DataType::F32), false);
    node_.inputs.back() = kNoTensor;
}

void OperatorCase::reshape_input(int index, const std::vector<int64_t> &shape) {
    tensors_.at(static_cast<size_t>(index)).shape.assign(shape.begin(), shape.end());
}

void OperatorCase::add_input(const TestTensor &tensor, bool constant) {
    Tensor added;
    added.name = "x" + std::to_string(tensors_.size());
    added.type = tensor.type;
    added.shape.assign(tensor.shape.begin(), tensor.shape.end());
    if (constant) {
        with_value_type(tensor.type, [&](auto zero) {
            using T = decltype(zero);
            std::vector<std::byte> bytes(tensor.values.size() * sizeof(T));
            for (size_t i = 0; i < tensor.values.size(); i++) {
                const T value = static_cast<T>(tensor.values[i]);
                std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
            }
            added.constant = make_constant(std::move(bytes));
        });
    }
    node_.inputs.push_back(static_cast<TensorId>(tensors_.size()));
    tensors_.push_back(std::move(added));
    values_.push_back(tensor);
}

void OperatorCase::set_output(const std::vector<int64_t> &shape, DataType type) {
    Tensor result;
    result.name = "y";
    result.type = type;
    result.shape.assign(shape.begin(), shape.end());
    node_.outputs.assign(static_cast<size_t>(result_index_), kNoTensor);
    node_.outputs.push_back(static_cast<TensorId>(tensors_.size()));
    tensors_.push_back(std::move(result));
}

void OperatorCase::expect(const TestTensor &reference) {
    set_output(reference.shape, reference.type);
    const Context context(node_, tensors_);
    try {
        operator_->check(context);
    } catch (const Error &error) {
        FAIL() << "refused: " << error.what();
    }
    for (const Implementation &implementation : operator_->implementations) {
        if (implementation.build && (!implementation.applies || implementation.applies(context))) {
            SCOPED_TRACE(operator_->type + ", implementation " + implementation.name);
            try {
                expect_implementation(implementation, reference);
            } catch (const Halide::Error &error) {  // no std::exception
                ADD_FAILURE() << error.what();
            }
        }
    }
}

void OperatorCase::expect_refused(const std::string &word, const std::vector<int64_t> &shape,
                                  std::optional<DataType> type) {
    set_output(shape, type.value_or(values_.at(0).type));
    try {
        operator_->check(Context(node_, tensors_));
        ADD_FAILURE() << operator_->type << " was not refused; expected: " << word;
    } catch (const Error &error) {
        EXPECT_NE(error.message().find(word), std::string::npos)
            << "'" << error.message() << "' does not contain '" << word << "'";
        EXPECT_EQ(error.place().operator_type, operator_->type);
    }
}

void OperatorCase::expect_close(const TestTensor &actual, const TestTensor &reference) const {
    const double usual = reference.type == DataType::F32   ? 1e-5
                         : reference.type == DataType::F64 ? 1e-12
                                                           : 0.0;
    const Tolerance tolerance = tolerance_.value_or(Tolerance{usual, usual});
    for_each_coordinate(reference.shape, [&](const std::vector<int64_t> &at) {
        const double a = actual.at(at);
        const double r = reference.at(at);
        const bool same = a == r || (std::isnan(a) && std::isnan(r));
        if (!same && !(std::abs(a - r) <= tolerance.absolute + tolerance.relative * std::abs(r)) &&
            !testing::Test::HasFailure()) {
            ADD_FAILURE() << std::setprecision(17) << a << " instead of " << r << " at "
                          << testing::PrintToString(at) << " of a result of shape "
                          << testing::PrintToString(reference.shape) << describe_operands(at);
        }
    });
}

// The elements at `at` of the operands that have the result's rank, for messages.
std::string OperatorCase::describe_operands(const std::vector<int64_t> &at) const {
    std::ostringstream text;
    for (size_t i = 0; i < values_.size(); i++) {
        const std::vector<int64_t> &shape = values_[i].shape;
        const bool inside = shape.size() == at.size() &&
                            std::equal(at.begin(), at.end(), shape.begin(),
                                       [](int64_t a, int64_t extent) { return a < extent; });
        if (inside) {
            text << "; operand " << i << " has " << std::setprecision(17) << values_[i].at(at);
        }
    }
    return text.str();
}

namespace {

// Whether a sum leaves out some of its steps: bounds then need not see all that margins are there for, which are those of
// the operator's first implementation.
bool leaves_out_steps(const std::vector<Halide::Func> &funcs) {
    return std::any_of(funcs.begin(), funcs.end(), [](const Halide::Func &func) {
        return func.has_update_definition() &&
               !Halide::Internal::is_const_one(func.function().update(0).predicate());
    });
}

}  // namespace

void OperatorCase::expect_implementation(const Implementation &implementation,
                                         const TestTensor &reference) {
    Context context(node_, tensors_);
    const Halide::Func result = implementation.build(context);
    EXPECT_FALSE(result.has_update_definition()) << "the result is not pure";
    for (const Halide::Func &func : context.funcs()) {
        EXPECT_LE(func.num_update_definitions(), 1) << func.name();
        if (func.has_update_definition()) {
            EXPECT_FALSE(func.rvars().empty()) << func.name() << " is updated without an RDom";
            EXPECT_FALSE(compares_reals(func.update_value()))
                << func.name() << " looks for a real that equals another";
        }
    }
    EXPECT_EQ(result.type(), halide_type(reference.type));
    EXPECT_FALSE(is_cast_of_real(result.value())) << "the result is cast; convert() rounds it";

    Halide::Pipeline pipeline(result);
    pipeline.jit_handlers().custom_error = note_error;
    runtime_error.clear();
    // What is read of an operand may depend on the values of another one.
    for (size_t i = 0; i < context.params().size(); i++) {
        if (context.has_input(static_cast<int>(i)) && !context.padding(i)) {
            context.params()[i].set(make_buffer(values_[i], std::nullopt));
        }
    }
    pipeline.infer_input_bounds(to_ints(reference.shape));
    for (size_t i = 0; i < context.params().size(); i++) {
        Halide::ImageParam &param = context.params()[i];
        const std::optional<Padding> &padding = context.padding(i);
        const Halide::Buffer<> needed = param.get();
        if (!padding || !needed.defined()) {
            continue;
        }
        for (int axis = 0; axis < needed.dimensions(); axis++) {
            const auto a = static_cast<size_t>(axis);
            const int64_t before = std::max(0, -needed.dim(axis).min());
            const int64_t after =
                std::max<int64_t>(0, needed.dim(axis).max() + 1 - values_[i].shape[a]);
            if (leaves_out_steps(context.funcs())) {
                EXPECT_GE(padding->margin[a].before, before) << "axis " << axis;
                EXPECT_GE(padding->margin[a].after, after) << "axis " << axis;
                Context whole(node_, tensors_);
                operator_->implementations.front().build(whole);
                ASSERT_TRUE(whole.padding(i));
                EXPECT_TRUE(whole.padding(i)->margin[a] == padding->margin[a]) << "axis " << axis;
            } else {
                EXPECT_EQ(padding->margin[a].before, before) << "axis " << axis;
                EXPECT_EQ(padding->margin[a].after, after) << "axis " << axis;
            }
        }
        param.set(make_buffer(values_[i], padding));
    }
    Halide::Buffer<> buffer(halide_type(reference.type), to_ints(reference.shape));
    pipeline.realize(buffer);
    if (!runtime_error.empty()) {
        // Reading outside of an operand ends here.
        FAIL() << runtime_error;
    }
    expect_close(read_buffer(buffer, reference.shape, reference.type), reference);
}

}  // namespace emulsion
