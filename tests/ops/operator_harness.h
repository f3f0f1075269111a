// Runs single operators through Halide's JIT with the default schedule, for comparison with plain loops
// in double precision.
//
//     OperatorCase test("Relu");
//     test.input(random.tensor({2, 3}, DataType::F32));
//     test.expect(reference);       // every implementation gives it
//
// Besides values, expect() checks what planning relies on: results are pure, a reduction has exactly
// one update, nothing outside of operands and announced margins is read, and margins are exact.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

// Without operator.h and Halide.h: most tests need neither, and they take long to compile.
#include "frontend/graph/graph.h"
#include "fusion/layout.h"

namespace emulsion {

struct Implementation;
struct Operator;

// A tensor whose elements are exactly representable in `type`, row-major.
struct TestTensor {
    std::vector<int64_t> shape;
    DataType type = DataType::F32;
    std::vector<double> values;

    TestTensor() = default;
    // Zeros.
    TestTensor(std::vector<int64_t> shape, DataType type);
    TestTensor(std::vector<int64_t> shape, DataType type, std::vector<double> values);

    double &at(const std::vector<int64_t> &coordinates);
    double at(const std::vector<int64_t> &coordinates) const;
};

// Calls `visit` with all coordinates in `shape`, the last axis fastest.
void for_each_coordinate(const std::vector<int64_t> &shape,
                         const std::function<void(const std::vector<int64_t> &)> &visit);

class Random {
public:
    explicit Random(uint64_t seed) : engine_(seed) {}

    int64_t integer(int64_t lowest, int64_t highest);
    bool flip() { return integer(0, 1) == 1; }
    template<typename T>
    T choose(std::initializer_list<T> from) {
        return from.begin()[integer(0, static_cast<int64_t>(from.size()) - 1)];
    }
    std::vector<int64_t> shape(int rank, int64_t largest);
    // Reals in [-2, 2], integers in [-9, 9] or [0, 9], bools.
    TestTensor tensor(const std::vector<int64_t> &shape, DataType type);
    // Reals or integers in [lowest, highest], which `type` has to hold; reals are rounded to it.
    TestTensor tensor(const std::vector<int64_t> &shape, DataType type, double lowest,
                      double highest);

private:
    std::mt19937_64 engine_;
};

// Repeats `run` with seeds of its own for about a tenth of a second, at least three times. Stops at the first
// failure and says its seed; with EMULSION_TEST_SEED in the environment, runs that seed alone.
void for_random_cases(const std::function<void(Random &)> &run);

class OperatorCase {
public:
    explicit OperatorCase(const std::string &type);

    void attribute(const std::string &key, Attribute value);
    void input(const TestTensor &tensor) { add_input(tensor, false); }
    void constant(const TestTensor &tensor) { add_input(tensor, true); }
    void absent_input();
    // Which of the operator's results is asked for; 0 unless this is called.
    void result_index(int index) { result_index_ = index; }
    // Declares another shape for operand `index`; for cases that are refused.
    void reshape_input(int index, const std::vector<int64_t> &shape);

    // How far results may be from the reference: absolute + relative * |reference|. By default
    // both are 1e-5 for f32, 1e-12 for f64 and 0 for the other types.
    void tolerance(double absolute, double relative);

    // The operator accepts the node, and each implementation computes `reference`, whose type is
    // that of the result.
    void expect(const TestTensor &reference);
    // The operator refuses the node, whose result has `shape` and `type` (by default that of
    // operand 0), and the message contains `word`.
    void expect_refused(const std::string &word, const std::vector<int64_t> &shape = {1},
                        std::optional<DataType> type = {});

private:
    struct Tolerance {
        double absolute = 0.0;
        double relative = 0.0;
    };

    class Context;
    void add_input(const TestTensor &tensor, bool constant);
    void set_output(const std::vector<int64_t> &shape, DataType type);
    void expect_close(const TestTensor &actual, const TestTensor &reference) const;
    std::string describe_operands(const std::vector<int64_t> &at) const;
    void expect_implementation(const Implementation &implementation, const TestTensor &reference);

    const Operator *operator_ = nullptr;
    Node node_;
    int result_index_ = 0;
    std::optional<Tolerance> tolerance_;
    std::vector<Tensor> tensors_;  // operands (absent ones too), then the result
    std::vector<TestTensor> values_;
};

}  // namespace emulsion
