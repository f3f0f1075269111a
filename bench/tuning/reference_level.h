// Whether the machine runs as it does at its best, by how long reference kernels take.
//
// The threads of a virtual machine may be moved for seconds at a time: to cores that share no cache, where what they
// exchange takes several times as long, or to one core, where they share what computes. Nests differ in how much of both
// they do, so their ratios differ from those of other times.
#pragma once

#include <cstddef>
#include <vector>

namespace emulsion {

// Milliseconds of two kernels; 0: there are none.
struct ReferenceTimes {
    double exchange = 0.0;  // threads read what others wrote
    double compute = 0.0;   // each thread for itself, in registers
};

class ReferenceLevel {
public:
    // `known`: the level found before.
    explicit ReferenceLevel(const ReferenceTimes &known) : level_(known) {}

    // Times of both kernels.
    void add(const ReferenceTimes &times);
    // Of each kernel, the lowest median of kWindow times in a row; 0 before these are there.
    const ReferenceTimes &level() const { return level_; }
    // Whether the last times are near the level; true before there is one.
    bool is_quiet() const;

    static constexpr size_t kWindow = 40;

private:
    ReferenceTimes level_, last_;
    std::vector<double> exchange_, compute_;
};

}  // namespace emulsion
