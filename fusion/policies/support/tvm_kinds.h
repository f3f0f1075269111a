// Kinds of operators as TVM's graph-level fusion knows them (Relay's OpPattern; Chen et al., "TVM: An
// Automated End-to-End Optimizing Compiler for Deep Learning", OSDI 2018, section 3).
#pragma once

#include "fusion/operator_graph.h"

namespace emulsion {

// In the order in which TVM compares them.
enum class TvmKind {
    ElementWise,    // one element from the elements at the same place
    Broadcast,      // the same, operands broadcast
    Injective,      // every element is an element of an operand, somewhere
    Reduction,      // a commutative reduction
    OutputFusable,  // heavy; element-wise operators may follow in its loop nest
    Tuple,          // several values handed on together
    Opaque,         // never fused
};

// By the operator's ONNX type. Where it has none (a Func of a foreign pipeline), by its mapping type:
// a sum of products is heavy, any other Many-to-Many operator a reduction.
TvmKind tvm_kind(const PlannerOperator &op);

}  // namespace emulsion
