// The mapping type of every edge of every operator: what its Funcs' index expressions say, against the class
// that DNNFusion's table (Niu et al., PLDI 2021, table 2) has for the operator. Where the most complex edge is
// of another type than the table's, the row says why.
#include "frontend/lower/analyze_network.h"

#include <gtest/gtest.h>

#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ops/operator.h"
#include "tests/frontend/models.h"

namespace emulsion::test {

namespace {

using enum MappingType;

// An operator as a node of ONNX's text form. Its data operands are inputs of the network; what it reads at
// compile time are constants.
struct Row {
    std::string type;
    std::optional<MappingType> table;  // none: the table does not name it
    std::string inputs, result, node;
    std::vector<MappingType> edges;  // of the operands that its Funcs read, in their order
    std::string reason;              // where the most complex edge is not of the table's type
};

const std::string kImage = "[2,12,6,8]";

Row unary(const std::string &type, const std::string &from = "float",
          const std::string &to = "float") {
    return {type, OneToOne, from + kImage + " x", to + kImage + " y", type + "(x)", {OneToOne}, ""};
}

Row unary_with(const std::string &type, const std::string &attributes, const std::string &from,
               const std::string &to) {
    Row row = unary(type, from, to);
    row.node = type + "<" + attributes + ">(x)";
    return row;
}

// Equal shapes; then a second operand of one element per channel.
std::vector<Row> binary(const std::string &type, const std::string &from = "float",
                        const std::string &to = "float", const std::string &attributes = "") {
    const std::string node = type + attributes + "(a, b)";
    return {{type,
             OneToOne,
             from + kImage + " a, " + from + kImage + " b",
             to + kImage + " y",
             node,
             {OneToOne, OneToOne},
             ""},
            {type,
             OneToMany,
             from + kImage + " a, " + from + "[12,1,1] b",
             to + kImage + " y",
             node,
             {OneToOne, OneToMany},
             ""}};
}

Row reduction(const std::string &type) {
    return {type,
            ManyToMany,
            "float[5,7] x",
            "float[5,1] y",
            "Constant<value_ints=[1]>() y = " + type + "(x, c)",
            {ManyToMany},
            ""};
}

std::vector<Row> all_rows() {
    std::vector<Row> rows;
    for (const char *type : {"Abs",        "Acos",     "Acosh",
                             "Asin",       "Asinh",    "Atan",
                             "Atanh",      "Ceil",     "Celu",
                             "Cos",        "Cosh",     "Dropout",
                             "Elu",        "Erf",      "Exp",
                             "Floor",      "Gelu",     "HardSigmoid",
                             "HardSwish",  "Identity", "LeakyRelu",
                             "Log",        "Mish",     "Neg",
                             "Reciprocal", "Relu",     "Round",
                             "Selu",       "Shrink",   "Sigmoid",
                             "Sign",       "Sin",      "Sinh",
                             "Softplus",   "Softsign", "Sqrt",
                             "Tan",        "Tanh",     "ThresholdedRelu"}) {
        rows.push_back(unary(type));
    }
    rows.push_back(unary("Not", "bool", "bool"));
    rows.push_back(unary("BitwiseNot", "int32", "int32"));
    rows.push_back(unary("IsInf", "float", "bool"));
    rows.push_back(unary("IsNaN", "float", "bool"));
    rows.push_back(unary_with("Cast", "to=11", "float", "double"));
    const auto add = [&](const std::vector<Row> &more) {
        rows.insert(rows.end(), more.begin(), more.end());
    };
    for (const char *type :
         {"Add", "Sub", "Mul", "Div", "Pow", "PRelu", "Max", "Min", "Mean", "Sum"}) {
        add(binary(type));
    }
    for (const char *type : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}) {
        add(binary(type, "float", "bool"));
    }
    for (const char *type : {"And", "Or", "Xor"}) {
        add(binary(type, "bool", "bool"));
    }
    for (const char *type : {"BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mod"}) {
        add(binary(type, "int32", "int32"));
    }
    add(binary("BitShift", "uint32", "uint32", "<direction=\"LEFT\">"));
    for (const char *type :
         {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
          "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
        rows.push_back(reduction(type));
    }
    const std::vector<Row> others = {
        {"Where",
         OneToOne,
         "bool[5,7] c, float[5,7] a, float[5,7] b",
         "float[5,7] y",
         "Where(c, a, b)",
         {OneToOne, OneToOne, OneToOne},
         ""},
        {"Where",
         OneToOne,
         "bool[5,1] c, float[5,7] a, float[7] b",
         "float[5,7] y",
         "Where(c, a, b)",
         {OneToMany, OneToOne, OneToMany},
         "operands are broadcast"},
        {"Clip",
         OneToOne,
         "float[5,7] x",
         "float[5,7] y",
         "Constant<value_float=0.5>() y = Clip(x, c)",
         {OneToOne},
         ""},
        {"BatchNormalization",
         OneToOne,
         "float[2,12,6,8] x, float[12] s, float[12] b, float[12] m, float[12] v",
         "float[2,12,6,8] y",
         "BatchNormalization(x, s, b, m, v)",
         {OneToOne, OneToMany, OneToMany, OneToMany, OneToMany},
         "One-to-One on the edge from the image; parameters are constants of networks"},

        {"Concat",
         OneToOne,
         "float[2,3] a, float[2,5] b",
         "float[2,8] y",
         "Concat<axis=1>(a, b)",
         {OneToMany, OneToMany},
         "outside of an operand its nearest element is read, and dropped"},
        {"Slice",
         OneToOne,
         "float[9,7] x",
         "float[4,7] y",
         "Constant<value_ints=[2]>() e = Constant<value_ints=[6]>() y = Slice(x, c, e)",
         {OneToOne},
         ""},
        {"Slice",
         OneToOne,
         "float[9,7] x",
         "float[3,7] y",
         "Constant<value_ints=[0]>() e = Constant<value_ints=[9]>() a = Constant<value_ints=[0]>() "
         "s = Constant<value_ints=[3]>() y = Slice(x, c, e, a, s)",
         {Shuffle},
         "with steps, a read at other coordinates"},
        {"Split",
         OneToOne,
         "float[4,6] x",
         "float[4,3] y, float[4,3] z",
         "Split<axis=1, num_outputs=2>(x)",
         {OneToOne},
         ""},
        {"Pad",
         OneToOne,
         "float[5,7] x",
         "float[7,7] y",
         "Constant<value_ints=[1,0,1,0]>() y = Pad(x, c)",
         {OneToMany},
         "outside of the operand its nearest element is read, and dropped"},
        {"Pad",
         OneToOne,
         "float[5,7] x",
         "float[7,7] y",
         "Constant<value_ints=[1,0,1,0]>() y = Pad<mode=\"reflect\">(x, c)",
         {OneToMany},
         "elements near the edges are read twice"},

        {"Reshape",
         Reorganize,
         "float[4,6] x",
         "float[3,8] y",
         "Constant<value_ints=[3,8]>() y = Reshape(x, c)",
         {Reorganize},
         ""},
        {"Flatten", Reorganize, "float[2,3,4] x", "float[2,12] y", "Flatten(x)", {Reorganize}, ""},
        {"Squeeze",
         Reorganize,
         "float[2,1,4] x",
         "float[2,4] y",
         "Constant<value_ints=[1]>() y = Squeeze(x, c)",
         {Reorganize},
         ""},
        {"Unsqueeze",
         Reorganize,
         "float[2,4] x",
         "float[2,1,4] y",
         "Constant<value_ints=[1]>() y = Unsqueeze(x, c)",
         {Reorganize},
         ""},

        {"Transpose",
         Shuffle,
         "float[2,3,4] x",
         "float[4,2,3] y",
         "Transpose<perm=[2,0,1]>(x)",
         {Shuffle},
         ""},
        {"DepthToSpace",
         Shuffle,
         "float[1,8,3,5] x",
         "float[1,2,6,10] y",
         "DepthToSpace<blocksize=2>(x)",
         {Shuffle},
         ""},
        {"SpaceToDepth",
         Shuffle,
         "float[1,2,6,10] x",
         "float[1,8,3,5] y",
         "SpaceToDepth<blocksize=2>(x)",
         {Shuffle},
         ""},
        {"ReverseSequence",
         {},
         "float[5,4] x, int64[4] l",
         "float[5,4] y",
         "ReverseSequence(x, l)",
         {Opaque, OneToMany},
         "where it reads depends on the lengths"},

        {"Expand",
         OneToMany,
         "float[3,1] x",
         "float[2,3,4] y",
         "Constant<value_ints=[2,3,4]>() y = Expand(x, c)",
         {OneToMany},
         ""},
        {"Tile",
         OneToMany,
         "float[3,4] x",
         "float[6,4] y",
         "Constant<value_ints=[2,1]>() y = Tile(x, c)",
         {OneToMany},
         ""},
        {"Resize",
         OneToMany,
         "float[1,2,3,3] x",
         "float[1,2,6,6] y",
         "Constant<value_floats=[1.0,1.0,2.0,2.0]>() "
         "y = Resize<mode=\"nearest\", coordinate_transformation_mode=\"asymmetric\", "
         "nearest_mode=\"floor\">(x, , c)",
         {OneToMany},
         ""},
        {"Resize",
         OneToMany,
         "float[1,2,3,3] x",
         "float[1,2,6,6] y",
         "Constant<value_floats=[1.0,1.0,2.0,2.0]>() y = Resize<mode=\"linear\">(x, , c)",
         {ManyToMany},
         "an element is interpolated from its neighbours"},
        {"Gather",
         OneToMany,
         "float[5,7] x, int64[3] i",
         "float[3,7] y",
         "Gather(x, i)",
         {Opaque, OneToMany},
         "where it reads depends on the indices"},
        {"GatherElements",
         {},
         "float[5,7] x, int64[3,7] i",
         "float[3,7] y",
         "GatherElements(x, i)",
         {Opaque, OneToOne},
         "where it reads depends on the indices"},
        {"GatherND",
         {},
         "float[5,7] x, int64[3,1] i",
         "float[3,7] y",
         "GatherND(x, i)",
         {Opaque, OneToMany},
         "where it reads depends on the indices"},
        {"ScatterElements",
         {},
         "float[5,7] x, int64[2,7] i, float[2,7] u",
         "float[5,7] y",
         "ScatterElements(x, i, u)",
         {OneToOne, ManyToMany, ManyToMany},
         "where it writes depends on the indices"},
        {"ScatterND",
         {},
         "float[5,7] x, int64[2,1] i, float[2,7] u",
         "float[5,7] y",
         "ScatterND(x, i, u)",
         {OneToOne, ManyToMany, ManyToMany},
         "where it writes depends on the indices"},
        {"OneHot",
         {},
         "int64[5] i, float[2] v",
         "float[5,3] y",
         "Constant<value_int=3>() y = OneHot(i, c, v)",
         {OneToMany, ManyToMany},
         "either of the two values"},
        {"Trilu", {}, "float[5,7] x", "float[5,7] y", "Trilu(x)", {OneToOne}, "an element or 0"},

        {"Conv",
         ManyToMany,
         "float[1,4,6,6] x, float[8,4,3,3] w, float[8] b",
         "float[1,8,4,4] y",
         "Conv(x, w, b)",
         {ManyToMany, ManyToMany, OneToMany},
         ""},
        {"ConvTranspose",
         ManyToMany,
         "float[1,4,6,6] x, float[4,8,3,3] w, float[8] b",
         "float[1,8,8,8] y",
         "ConvTranspose(x, w, b)",
         {ManyToMany, ManyToMany, OneToMany},
         ""},
        {"Gemm",
         ManyToMany,
         "float[3,4] a, float[4,5] b, float[5] c",
         "float[3,5] y",
         "Gemm(a, b, c)",
         {ManyToMany, ManyToMany, OneToMany},
         ""},
        {"MatMul",
         ManyToMany,
         "float[3,4] a, float[4,5] b",
         "float[3,5] y",
         "MatMul(a, b)",
         {ManyToMany, ManyToMany},
         ""},
        {"Einsum",
         ManyToMany,
         "float[3,4] a, float[4,5] b",
         "float[3,5] y",
         "Einsum<equation=\"ij,jk->ik\">(a, b)",
         {ManyToMany, ManyToMany},
         ""},
        {"Einsum",
         ManyToMany,
         "float[3,4] a",
         "float[4,3] y",
         "Einsum<equation=\"ij->ji\">(a)",
         {Shuffle},
         "nothing is summed: a transposition"},
        {"AveragePool",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,5,5] y",
         "AveragePool<kernel_shape=[2,2]>(x)",
         {ManyToMany},
         ""},
        {"MaxPool",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,5,5] y",
         "MaxPool<kernel_shape=[2,2]>(x)",
         {ManyToMany},
         ""},
        {"LpPool",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,5,5] y",
         "LpPool<kernel_shape=[2,2]>(x)",
         {ManyToMany},
         ""},
        {"GlobalAveragePool",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,1,1] y",
         "GlobalAveragePool(x)",
         {ManyToMany},
         ""},
        {"GlobalMaxPool",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,1,1] y",
         "GlobalMaxPool(x)",
         {ManyToMany},
         ""},
        {"GlobalLpPool",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,1,1] y",
         "GlobalLpPool(x)",
         {ManyToMany},
         ""},
        {"ArgMax", ManyToMany, "float[5,7] x", "int64[1,7] y", "ArgMax(x)", {ManyToMany}, ""},
        {"ArgMin", ManyToMany, "float[5,7] x", "int64[1,7] y", "ArgMin(x)", {ManyToMany}, ""},
        {"CumSum",
         ManyToMany,
         "float[5,7] x",
         "float[5,7] y",
         "Constant<value_int=1>() y = CumSum(x, c)",
         {ManyToMany},
         ""},
        {"Softmax", ManyToMany, "float[5,7] x", "float[5,7] y", "Softmax(x)", {ManyToMany}, ""},
        {"LogSoftmax",
         ManyToMany,
         "float[5,7] x",
         "float[5,7] y",
         "LogSoftmax(x)",
         {ManyToMany},
         ""},
        {"Hardmax", ManyToMany, "float[5,7] x", "float[5,7] y", "Hardmax(x)", {ManyToMany}, ""},
        {"LRN",
         ManyToMany,
         "float[1,4,6,6] x",
         "float[1,4,6,6] y",
         "LRN<size=3>(x)",
         {ManyToMany},
         ""},
        {"InstanceNormalization",
         ManyToMany,
         "float[2,4,6,6] x, float[4] s, float[4] b",
         "float[2,4,6,6] y",
         "InstanceNormalization(x, s, b)",
         {ManyToMany, OneToMany, OneToMany},
         ""},
        {"GroupNormalization",
         ManyToMany,
         "float[2,4,6,6] x, float[4] s, float[4] b",
         "float[2,4,6,6] y",
         "GroupNormalization<num_groups=2>(x, s, b)",
         {ManyToMany, OneToMany, OneToMany},
         ""},
        {"LayerNormalization",
         ManyToMany,
         "float[5,7] x, float[7] s, float[7] b",
         "float[5,7] y",
         "LayerNormalization(x, s, b)",
         {ManyToMany, OneToMany, OneToMany},
         ""},
        {"RMSNormalization",
         ManyToMany,
         "float[5,7] x, float[7] s",
         "float[5,7] y",
         "RMSNormalization(x, s)",
         {ManyToMany, OneToMany},
         ""},
        {"LpNormalization",
         ManyToMany,
         "float[5,7] x",
         "float[5,7] y",
         "LpNormalization(x)",
         {ManyToMany},
         ""},
        {"MeanVarianceNormalization",
         ManyToMany,
         "float[2,4,6,6] x",
         "float[2,4,6,6] y",
         "MeanVarianceNormalization(x)",
         {ManyToMany},
         ""},
    };
    add(others);
    return rows;
}

// Operators whose operands are all read at compile time: they have no edge, and networks fold them.
const std::set<std::string> kNoEdges = {"ConstantOfShape", "EyeLike", "Range", "Shape", "Size"};

std::string model_of(const Row &row) {
    const std::string first = row.node.rfind("Constant", 0) == 0 ? "c = " : "y = ";
    const std::string results = row.type == "Split" ? "y, z = " : first;
    return "agraph (" + row.inputs + ") => (" + row.result + ") { " + results + row.node + " }";
}

std::vector<Operand> edges_of(const Row &row, MappingType &type) {
    constexpr int kOpset = 23;  // the first with RMSNormalization
    const Graph graph = load(model_of(row), kOpset);
    const OperatorGraph analysis = analyze_network(graph, {}, false).default_operators();
    EXPECT_EQ(graph.nodes.back().operator_type, row.type);
    type = analysis.operators.back().type;
    return analysis.operators.back().implementation.operands;
}

std::string list(const std::vector<MappingType> &types) {
    std::string text;
    for (const MappingType type : types) {
        text += (text.empty() ? "" : ", ") + std::string(to_string(type));
    }
    return text;
}

}  // namespace

TEST(MappingTypes, EveryEdgeOfEveryOperatorHasTheTypeOfItsIndexExpressions) {
    for (const Row &row : all_rows()) {
        SCOPED_TRACE(model_of(row));
        MappingType type = Opaque, most = OneToOne;
        std::vector<MappingType> edges;
        try {
            for (const Operand &operand : edges_of(row, type)) {
                edges.push_back(operand.type);
            }
        } catch (const std::exception &e) {
            ADD_FAILURE() << e.what();
            continue;
        }
        EXPECT_EQ(list(edges), list(row.edges));
        for (const MappingType edge : row.edges) {
            most = most_complex(most, edge);
        }
        EXPECT_EQ(to_string(type), to_string(most));
        EXPECT_EQ(row.reason.empty(), row.table.has_value() && most == *row.table)
            << "a row has a reason exactly where it differs from the table";
    }
}

TEST(MappingTypes, EveryOperatorOfTheRegistryHasARow) {
    std::set<std::string> with_row = kNoEdges;
    for (const Row &row : all_rows()) {
        EXPECT_NE(find_operator("", row.type), nullptr) << row.type;
        EXPECT_EQ(kNoEdges.count(row.type), 0U) << row.type;
        with_row.insert(row.type);
    }
    for (const Operator *each : all_operators()) {
        EXPECT_EQ(with_row.count(each->type), each->domain == kOwnDomain ? 0U : 1U)
            << each->type << " has no row in all_rows() of " << __FILE__;
    }
}

TEST(MappingTypes, OperatorsWithoutAnEdgeReadNothing) {
    for (const std::string &type : kNoEdges) {
        const Operator *each = find_operator("", type);
        ASSERT_NE(each, nullptr) << type;
        ASSERT_TRUE(each->compile_time_input) << type;
        for (int i = 0; i < 3; i++) {
            EXPECT_TRUE(each->compile_time_input(i)) << type;
        }
    }
}

}  // namespace emulsion::test
