#include "fusion/policies/support/tvm_kinds.h"

#include <map>
#include <string>

namespace emulsion {

namespace {

const std::map<std::string, TvmKind> &kinds_of_types() {
    static const std::map<std::string, TvmKind> kinds = [] {
        std::map<std::string, TvmKind> all;
        const auto add = [&](TvmKind kind, std::initializer_list<const char *> types) {
            for (const char *type : types) {
                all.emplace(type, kind);
            }
        };
        add(TvmKind::ElementWise, {"Abs",         "Acos",
                                   "Acosh",       "Asin",
                                   "Asinh",       "Atan",
                                   "Atanh",       "BitwiseNot",
                                   "Cast",        "Ceil",
                                   "Celu",        "Clip",
                                   "Cos",         "Cosh",
                                   "Dropout",     "Elu",
                                   "Erf",         "Exp",
                                   "Floor",       "Gelu",
                                   "HardSigmoid", "HardSwish",
                                   "Identity",    "IsInf",
                                   "IsNaN",       "LeakyRelu",
                                   "Log",         "Mish",
                                   "Neg",         "Not",
                                   "Reciprocal",  "Relu",
                                   "Round",       "Selu",
                                   "Shrink",      "Sigmoid",
                                   "Sign",        "Sin",
                                   "Sinh",        "Softplus",
                                   "Softsign",    "Sqrt",
                                   "Swish",       "Tan",
                                   "Tanh",        "ThresholdedRelu"});
        add(TvmKind::Broadcast, {"Add",        "And",         "BatchNormalization",
                                 "BitShift",   "BitwiseAnd",  "BitwiseOr",
                                 "BitwiseXor", "Div",         "Equal",
                                 "Expand",     "Greater",     "GreaterOrEqual",
                                 "Less",       "LessOrEqual", "Max",
                                 "Mean",       "Min",         "Mod",
                                 "Mul",        "Or",          "PRelu",
                                 "Pow",        "Sub",         "Sum",
                                 "Tile",       "Unsqueeze",   "Where",
                                 "Xor"});
        add(TvmKind::Injective,
            {"Concat", "DepthToSpace", "Flatten", "Gather", "GatherElements", "GatherND", "OneHot",
             "Pad", "Range", "Reshape", "Resize", "ReverseSequence", "Slice", "SpaceToDepth",
             "Split", "Squeeze", "Transpose", "Trilu", "Upsample"});
        add(TvmKind::Reduction,
            {"ArgMax", "ArgMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
             "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"});
        add(TvmKind::OutputFusable,
            {"AveragePool", "Conv", "ConvTranspose", "Gemm", "GlobalAveragePool", "GlobalLpPool",
             "GlobalMaxPool", "LogSoftmax", "LpPool", "MatMul", "MaxPool", "Softmax"});
        return all;
    }();
    return kinds;
}

TvmKind kind_of_mapping(const PlannerOperator &op) {
    switch (op.type) {
    case MappingType::OneToOne: return TvmKind::ElementWise;
    case MappingType::OneToMany: return TvmKind::Broadcast;
    case MappingType::Reorganize:
    case MappingType::Shuffle: return TvmKind::Injective;
    case MappingType::ManyToMany:
        return op.implementation.multiply_adds > 0.0 ? TvmKind::OutputFusable : TvmKind::Reduction;
    case MappingType::Opaque: break;
    }
    return TvmKind::Opaque;
}

}  // namespace

TvmKind tvm_kind(const PlannerOperator &op) {
    if (op.origin.empty()) {
        return kind_of_mapping(op);
    }
    const auto known = kinds_of_types().find(op.origin);
    return known == kinds_of_types().end() ? TvmKind::Opaque : known->second;
}

}  // namespace emulsion
