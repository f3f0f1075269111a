// The statements of lowered code: what is stored where, in which loops, from what. What models of its time learn from.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace emulsion {

struct LoweredLoop {
    enum class Kind { Serial, Parallel, Workgroup, Thread };
    std::string name;
    int64_t extent = 1;  // the most that is known; 1 where nothing is
    Kind kind = Kind::Serial;
    int number =
        0;  // of the program's loops, from 1, in the order of the code: names are not unique
};

// Operations on single elements, by kind.
struct OperationCounts {
    double multiply_adds = 0.0, add_subs = 0.0, multiplies = 0.0, divides = 0.0, compares = 0.0,
           math_calls = 0.0, other_calls = 0.0;
};

// What a statement reads or writes of one buffer.
struct LoweredAccess {
    std::vector<Halide::Expr>
        indices;    // in elements; of the first times in a pass, as loops' variables
    int times = 0;  // in a pass
    int bytes = 4;  // of an element
    int lanes = 1;  // of one time
    bool reads = false, writes = false;
};

// Stores to one buffer in the same loops, one after the other where they were unrolled.
struct LoweredStatement {
    std::string buffer;              // that is written
    std::vector<LoweredLoop> loops;  // around it, the outermost first
    int stores = 0;                  // in a pass of the innermost loop
    int lanes = 1;
    OperationCounts floats, integers;  // in a pass
    double booleans = 0.0, selects = 0.0;
    std::map<std::string, LoweredAccess> accesses;  // by buffer
    double allocated_bytes = 0.0;  // of the buffer, where the code has allocated it; else 0
    size_t allocated_in = 0;       // so many of the loops are around the allocation
};

// In the order of the code. `statement` is as Halide's custom lowering passes see it.
std::vector<LoweredStatement> lowered_statements(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
