// What a core takes for operations on vectors: the one place where all models have it from.
#pragma once

namespace emulsion {

// Of a whole operator, as calibration finds it. A core is a CPU's, or a GPU's compute unit.
struct ArithmeticRates {
    double operations_per_cycle;  // simple ones on whole vectors, in element-wise code
    double nest_slowdown;         // cycles over those that a loop nest's own estimate has

    // Of one core, for what a loop nest has an estimate of, and for operations on vectors besides.
    double cycles(double nest_cycles, double vector_operations) const {
        return nest_cycles * nest_slowdown + vector_operations / operations_per_cycle;
    }
};

// Of single instructions whose operands a CPU has at hand, as loop nests' own models count them. They are those of
// current x86 cores with two vector pipes.
struct VectorRates {
    // Cycles from one fused multiply-add, one load to the next.
    double multiply_add = 0.5;
    double load = 0.5;
    // Cycles until a multiply-add's result can be added to, with some slack for imperfect order.
    double multiply_add_latency = 5.0;
    // From one simple operation of a long definition to the next, dependences and address arithmetic included; its
    // loads come on top.
    double operation = 0.4;
    // What a load takes longer where the elements become wider, or of another kind, on their way.
    double conversion = 0.5;
};

}  // namespace emulsion
