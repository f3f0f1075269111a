"""Tests of the suite's own parts: python tests/node_suite/suite_test.py"""

import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

sys.path.insert(0, str(Path(__file__).resolve().parent))

import expectations
from comparison import difference
from constants import constant_inputs, with_constants
from neighbours import with_neighbours

RTOL, ATOL = 1e-3, 1e-7


def compare(actual, expected):
    return difference(numpy.array(actual), numpy.array(expected), RTOL, ATOL)


class Comparison(unittest.TestCase):
    def test_accepts_errors_within_the_tolerance_only(self):
        self.assertEqual(compare([1000.9], [1000.0]), "")
        self.assertIn("1001.1 instead of 1000.0", compare([1.0, 1001.1], [1.0, 1000.0]))

    def test_wants_integers_and_bools_exactly(self):
        self.assertEqual(compare([2**60], [2**60]), "")
        self.assertIn("1 of 1", compare([2**60 + 1], [2**60]))
        self.assertIn("[1]", compare([True, True], [True, False]))

    def test_wants_nan_and_infinity_where_they_are_expected(self):
        nan, inf = float("nan"), float("inf")
        self.assertEqual(compare([nan, inf, -inf], [nan, inf, -inf]), "")
        for actual, expected in [(0.0, nan), (nan, 0.0), (inf, -inf), (3e38, inf), (inf, 3e38)]:
            self.assertNotEqual(compare([actual], [expected]), "", (actual, expected))

    def test_wants_type_and_shape(self):
        one = numpy.ones((2, 1), numpy.float32)
        self.assertIn("type", difference(one, one.astype(numpy.float64), RTOL, ATOL))
        self.assertIn("shape", difference(one, one.reshape(1, 2), RTOL, ATOL))

    def test_compares_scalars_and_empty_arrays(self):
        self.assertEqual(compare(2.0, 2.0), "")
        self.assertNotEqual(compare(2.0, 3.0), "")
        self.assertEqual(difference(numpy.zeros((0, 3)), numpy.zeros((0, 3)), RTOL, ATOL), "")


class Constants(unittest.TestCase):
    arrays = {"x": numpy.ones((2, 3), numpy.float32), "s": numpy.array([3, 2], numpy.int64),
              "i": numpy.array([1], numpy.int64)}
    registry = {("", "Reshape"): [1], ("", "Gather"): [], ("", "Add"): []}

    def model(self, *nodes):
        inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype),
                                                array.shape) for name, array in self.arrays.items()]
        output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        return helper.make_model(helper.make_graph(list(nodes), "g", inputs, [output]))

    def constants(self, *nodes):
        return constant_inputs(self.model(*nodes), self.registry, self.arrays)

    def test_are_the_compile_time_operands(self):
        self.assertEqual(self.constants(helper.make_node("Reshape", ["x", "s"], ["y"])), {"s"})
        self.assertEqual(self.constants(helper.make_node("Gather", ["x", "i"], ["y"])), set())

    def test_are_what_compile_time_operands_are_made_of_but_for_shapes(self):
        added = helper.make_node("Add", ["s", "i"], ["t"])
        self.assertEqual(self.constants(added, helper.make_node("Reshape", ["x", "t"], ["y"])),
                         {"s", "i"})
        shape = helper.make_node("Shape", ["x"], ["t"])
        self.assertEqual(self.constants(shape, helper.make_node("Reshape", ["x", "t"], ["y"])), set())

    def test_are_short_integers_of_unknown_operators(self):
        self.assertEqual(self.constants(helper.make_node("CenterCropPad", ["x", "s"], ["y"])), {"s"})

    def test_become_initializers(self):
        model = with_constants(self.model(helper.make_node("Reshape", ["x", "s"], ["y"])),
                               {"s": self.arrays["s"]})
        self.assertEqual([value.name for value in model.graph.input], ["x", "i"])
        self.assertEqual([tensor.name for tensor in model.graph.initializer], ["s"])


class Neighbours(unittest.TestCase):
    def types_around(self, array, opset=22):
        """The operators of Abs's model with neighbours, which has to compute the same."""
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        node = helper.make_node("Not" if array.dtype == bool else "Abs", ["x"], ["y"])
        graph = helper.make_graph([node], "g",
                                  [helper.make_tensor_value_info("x", kind, array.shape)],
                                  [helper.make_tensor_value_info("y", kind, array.shape)])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        expected, = ReferenceEvaluator(model).run(None, {"x": array})
        changed = with_neighbours(model, {"y": expected})
        onnx.checker.check_model(changed, full_check=True)
        actual, = ReferenceEvaluator(changed).run(None, {"x": array})
        self.assertEqual(difference(actual, expected, 0, 0), "")
        return [node.op_type for node in changed.graph.node]

    def test_change_nothing(self):
        numbers = numpy.array([-3, 0, 2])
        self.assertEqual(self.types_around(numbers), ["Neg", "Neg", "Abs", "Neg", "Neg"])
        self.assertEqual(self.types_around(numbers.astype(numpy.uint8)),
                         ["BitwiseNot", "BitwiseNot", "Abs", "BitwiseNot", "BitwiseNot"])
        self.assertEqual(self.types_around(numbers > 0), ["Not"] * 5)
        self.assertEqual(self.types_around(numbers.astype(numpy.uint8), opset=13), ["Abs"])

    def test_are_convolutions_of_images(self):
        for shape in [(2, 3, 4), (1, 3, 4, 5), (1, 2, 2, 3, 2)]:
            array = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape) - 7
            self.assertEqual(self.types_around(array), ["Neg", "Neg", "Abs", "Neg", "Conv"])


def case(name, operator="Relu", types=("FLOAT",)):
    return SimpleNamespace(name=name, operator=operator, types=types)


class Expectations(unittest.TestCase):
    refusals = [expectations.Refusal("strings", "string", ["STRING"], ["Split"], ["test_s_*"],
                                     ["test_s_fine"])]

    def surprise(self, of, status, message=""):
        return expectations.surprise(self.refusals, of,
                                     SimpleNamespace(status=status, message=message))

    def test_are_met(self):
        self.assertEqual(self.surprise(case("test_relu"), "passed"), "")
        self.assertEqual(self.surprise(case("test_s_fine"), "passed"), "")
        for refused in [case("test_s_a"), case("a", "Split"), case("a", types=["INT8", "STRING"])]:
            self.assertEqual(self.surprise(refused, "refused", "type string"), "")

    def test_notice_everything_else(self):
        fine, refused = case("test_relu"), case("test_s_a")
        self.assertIn("no reason", self.surprise(fine, "refused", "type string"))
        self.assertIn("another reason", self.surprise(refused, "refused", "rank 9"))
        self.assertIn("passed", self.surprise(refused, "passed"))
        for status in ("wrong", "crashed"):
            self.assertEqual(self.surprise(fine, status), status)
            self.assertEqual(self.surprise(refused, status), status)

    def test_name_what_no_case_has(self):
        every = [case("test_s_fine", "Split", ["STRING"])]
        self.assertEqual(expectations.unused(self.refusals, every), [])
        self.assertEqual(expectations.unused(self.refusals, [case("test_relu")]),
                         ["Split", "STRING", "test_s_*", "test_s_fine"])

    def test_are_read_from_the_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write('[[refused]]\nreason = "r"\nmessage = "m"\ncases = ["a*"]\n')
            file.flush()
            self.assertEqual(expectations.load(file.name),
                             [expectations.Refusal("r", "m", [], [], ["a*"], [])])


if __name__ == "__main__":
    unittest.main()
