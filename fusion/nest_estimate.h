// What a loop nest is expected to take: of any point of a template's space, before it is fused with anything. What
// depends on its surroundings (where operands lie, panels, memory) is the cost model's to add (fusion/cost/).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fusion/machine.h"
#include "fusion/nest.h"

namespace emulsion {

// How a nest cuts an operator's result on a GPU.
struct Workgroup {
    std::vector<int64_t> block;  // elements per axis of the result that a workgroup computes
    std::vector<int64_t> tile;   // ... that one of its threads computes at a time
    std::vector<int64_t>
        threads;           // along the columns, along the other axes from the last on, of one sum
    int column_axis = -1;  // -1: none
    int registers = 32;    // vector registers of a thread, about

    int all_threads() const;
    bool operator==(const Workgroup &) const = default;
};

struct NestEstimate {
    // Of one core, or of one compute unit and its first-level cache, for all of the nest's own arithmetic, waste
    // included. 0: the template has no idea, and counts operations instead.
    double cycles = 0.0;
    // On a GPU, the same where a sum's operand that all columns share comes from a panel, and not through the
    // first-level cache.
    std::optional<double> fed_cycles{};
    // Of operations that `cycles` does not have: their time over that of operations on whole vectors.
    double operation_slowdown = 1.0;
    // The axis of the result that vectors run along, wherever it lies in memory; -1: what lies innermost.
    int column_axis = -1;
    // The time of the busiest core over that of an even share; parallel tasks (0: unknown, enough); and bytes that
    // these read from the cache that cores share once another task has had them.
    double imbalance = 1.0;
    double tasks = 0.0;
    double reread_bytes = 0.0;
    std::optional<Workgroup> workgroup{};  // on a GPU

    bool operator==(const NestEstimate &) const = default;
};

// A nest and what it is expected to take.
struct NestPoint {
    Nest nest;
    NestEstimate estimate{};

    bool operator==(const NestPoint &) const = default;
};

// What the nests of one template take for one operator.
class NestModel {
public:
    NestModel() = default;
    NestModel(const NestModel &) = delete;
    NestModel &operator=(const NestModel &) = delete;
    virtual ~NestModel() = default;

    // Of any valid point of the space (NestSpace::is_valid).
    virtual NestEstimate estimate(const Nest &nest, const Machine &machine) const = 0;

    // Nests to measure beside `nest`, the promising ones first: those that the machine suggests, because they use its
    // registers well or keep its cores evenly busy. Not all need to be valid.
    virtual std::vector<Nest> suggest(const Nest &, const Machine &) const { return {}; }
};

}  // namespace emulsion
