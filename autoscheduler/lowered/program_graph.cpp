#include "autoscheduler/lowered/program_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "autoscheduler/lowered/buffer_uses.h"
#include "autoscheduler/lowered/magnitude.h"

namespace emulsion {

namespace {

enum NodeKind {
    Program,
    SerialLoop,
    ParallelLoop,
    WorkgroupLoop,
    ThreadLoop,
    Allocation,
    Statement,
    Read,
    Write,
    FloatOperations,  // multiply-add, add, multiply, divide, compare, math, other
    IntegerOperations = FloatOperations + 7,
    Booleans = IntegerOperations + 7,
    Selects
};

enum NodeNumber {
    Count,  // passes of a loop, bytes of an allocation, else how often in a pass of the innermost loop
    Around,  // passes of all loops around
    Total,   // both
    Depth,   // loops around
    Lanes,
    IsSpatial,  // of a loop: 1 where a statement in it stores to different places
    Bytes,
    UniqueBytes,
    Lines,
    UniqueLines,
    ReuseIterations,
    ReuseBytes,
    ReuseCount,
    Stride,
    Numbers
};

constexpr size_t kParent = 0, kAllocation = 1, kKind = 2, kFirstNumber = 3;

class GraphWriter {
public:
    GraphWriter() { add(0, Program); }

    void add(const LoweredStatement &statement) {
        const BufferUses uses(statement);
        size_t above = 1;
        size_t allocation = 0;
        for (size_t depth = 0; depth <= statement.loops.size(); depth++) {
            if (statement.allocated_bytes > 0.0 && statement.allocated_in == depth) {
                allocation = allocation_of(statement, above, depth);
            }
            if (depth < statement.loops.size()) {
                above = loop_of(statement, above, depth);
                if (uses.is_spatial(depth)) {
                    number(above, IsSpatial) = 1.0F;
                }
            }
        }
        if (allocation != 0) {
            allocations_[statement.buffer] = allocation;
        }
        add_statement(statement, uses, above);
    }

    std::vector<std::vector<float>> take() { return std::move(rows_); }

private:
    // A statement's node, and the loops around it.
    struct Place {
        size_t node;
        double passes;
        size_t depth;
    };

    // Nodes count from 1.
    size_t add(size_t parent, int kind) {
        std::vector<float> row(kFirstNumber + Numbers, 0.0F);
        row[kParent] = static_cast<float>(parent);
        row[kKind] = static_cast<float>(kind);
        rows_.push_back(std::move(row));
        return rows_.size();
    }

    float &number(size_t node, NodeNumber which) {
        return rows_[node - 1][kFirstNumber + static_cast<size_t>(which)];
    }

    void count(size_t node, double count, double around, size_t depth) {
        number(node, Count) = magnitude(count);
        number(node, Around) = magnitude(around);
        number(node, Total) = magnitude(count * around);
        number(node, Depth) = static_cast<float>(depth);
    }

    // Passes of the outermost loops.
    static double around(const LoweredStatement &statement, size_t depth) {
        return passes_of(statement.loops, statement.loops.size()) /
               passes_of(statement.loops, statement.loops.size() - depth);
    }

    size_t loop_of(const LoweredStatement &statement, size_t above, size_t depth) {
        const LoweredLoop &loop = statement.loops[depth];
        size_t &node = loops_[loop.number];
        if (node == 0) {
            static_assert(static_cast<int>(LoweredLoop::Kind::Thread) + SerialLoop == ThreadLoop);
            node = add(above, SerialLoop + static_cast<int>(loop.kind));
            count(node, static_cast<double>(loop.extent), around(statement, depth), depth);
        }
        return node;
    }

    size_t allocation_of(const LoweredStatement &statement, size_t above, size_t depth) {
        size_t &node = allocated_[{above, statement.buffer}];
        if (node == 0) {
            node = add(above, Allocation);
            count(node, statement.allocated_bytes, around(statement, depth), depth);
        }
        return node;
    }

    void add_statement(const LoweredStatement &statement, const BufferUses &uses, size_t above) {
        const size_t depth = statement.loops.size();
        const Place place{add(above, Statement), passes_of(statement.loops, depth), depth};
        count(place.node, statement.stores, place.passes, depth);
        number(place.node, Lanes) = magnitude(statement.lanes);
        size_t buffer = 0;
        for (const auto &[name, access] : statement.accesses) {
            const BufferUse use = uses.of(buffer++);
            if (access.reads) {
                add_use(place, Read, name, access, use);
            }
            if (access.writes) {
                add_use(place, Write, name, access, use);
            }
        }
        add_operations(place, FloatOperations, statement.floats);
        add_operations(place, IntegerOperations, statement.integers);
        add_operation(place, Booleans, statement.booleans);
        add_operation(place, Selects, statement.selects);
    }

    void add_use(const Place &statement, NodeKind kind, const std::string &name,
                 const LoweredAccess &access, const BufferUse &use) {
        const size_t node = add(statement.node, kind);
        if (const auto known = allocations_.find(name); known != allocations_.end()) {
            rows_[node - 1][kAllocation] = static_cast<float>(known->second);
        }
        count(node, access.times, statement.passes, statement.depth);
        const std::pair<NodeNumber, double> numbers[] = {{Lanes, access.lanes},
                                                         {Bytes, use.bytes},
                                                         {UniqueBytes, use.unique_bytes},
                                                         {Lines, use.lines},
                                                         {UniqueLines, use.unique_lines},
                                                         {ReuseIterations, use.reuse_iterations},
                                                         {ReuseBytes, use.reuse_bytes},
                                                         {ReuseCount, use.reuse_count},
                                                         {Stride, use.stride}};
        for (const auto &[which, value] : numbers) {
            number(node, which) = magnitude(value);
        }
    }

    void add_operations(const Place &statement, int first, const OperationCounts &counts) {
        int kind = first;
        for (const double operations :
             {counts.multiply_adds, counts.add_subs, counts.multiplies, counts.divides,
              counts.compares, counts.math_calls, counts.other_calls}) {
            add_operation(statement, kind++, operations);
        }
    }

    void add_operation(const Place &statement, int kind, double operations) {
        if (operations > 0.0) {
            count(add(statement.node, kind), operations, statement.passes, statement.depth);
        }
    }

    std::vector<std::vector<float>> rows_;
    std::map<int, size_t> loops_;                                 // by LoweredLoop::number
    std::map<std::pair<size_t, std::string>, size_t> allocated_;  // by node above and buffer
    std::map<std::string, size_t> allocations_;                   // the last of each buffer
};

std::vector<std::string> make_kinds() {
    std::vector<std::string> kinds{"program",        "serial loop", "parallel loop",
                                   "workgroup loop", "thread loop", "allocation",
                                   "statement",      "read",        "write"};
    for (const char *type : {"float", "int"}) {
        for (const char *operation :
             {"multiply-add", "add", "multiply", "divide", "compare", "math", "other"}) {
            kinds.push_back(std::string(type) + " " + operation);
        }
    }
    kinds.insert(kinds.end(), {"bool", "select"});
    return kinds;
}

}  // namespace

const std::vector<std::string> &program_node_kinds() {
    static const std::vector<std::string> kinds = make_kinds();
    return kinds;
}

const std::vector<std::string> &program_node_numbers() {
    static const std::vector<std::string> numbers{"count",
                                                  "around",
                                                  "total",
                                                  "depth",
                                                  "lanes",
                                                  "is spatial",
                                                  "bytes",
                                                  "unique bytes",
                                                  "lines",
                                                  "unique lines",
                                                  "reuse iterations",
                                                  "reuse bytes",
                                                  "reuse count",
                                                  "stride"};
    return numbers;
}

std::vector<std::vector<float>> program_graph(const Halide::Internal::Stmt &statement) {
    GraphWriter writer;
    for (const LoweredStatement &each : lowered_statements(statement)) {
        writer.add(each);
    }
    return writer.take();
}

}  // namespace emulsion
