#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

TEST(Dropout, CopiesAtInference) {
    Random random(1);
    const TestTensor x = random.tensor({2, 3}, DataType::F32);
    OperatorCase plain("Dropout");
    plain.input(x);
    plain.expect(x);

    OperatorCase full("Dropout");
    full.input(x);
    full.constant(TestTensor({}, DataType::F32, {0.5}));
    full.constant(TestTensor({}, DataType::Bool, {0.0}));
    full.expect(x);

    OperatorCase training("Dropout");
    training.input(x);
    training.constant(TestTensor({}, DataType::F32, {0.0}));
    training.constant(TestTensor({}, DataType::Bool, {1.0}));
    training.expect(x);
}

TEST(Dropout, MasksNothingAtInference) {
    OperatorCase mask("Dropout");
    mask.input(TestTensor({2, 3}, DataType::F32));
    mask.result_index(1);
    mask.expect(TestTensor({2, 3}, DataType::Bool, std::vector<double>(6, 1.0)));
}

TEST(Dropout, RefusalsNameTheCause) {
    OperatorCase training("Dropout");
    training.input(TestTensor({2}, DataType::F32));
    training.absent_input();
    training.constant(TestTensor({}, DataType::Bool, {1.0}));
    training.expect_refused("training_mode", {2});
}

}  // namespace
}  // namespace emulsion
