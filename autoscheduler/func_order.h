// Orders of the Funcs of a pipeline that follow from what reads what.
#pragma once

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

namespace emulsion {

std::vector<Halide::Internal::Function> functions_of(const std::vector<Halide::Func> &funcs);

// The Funcs that `f` reads, itself not, in the order in which its definitions do.
std::vector<Halide::Internal::Function> direct_calls(const Halide::Internal::Function &f);

// What a Func reads.
using FuncCalls =
    std::function<std::vector<Halide::Internal::Function>(const Halide::Internal::Function &)>;

// All Funcs of the pipeline, producers first: as a walk from the outputs meets them, whatever their names are.
std::vector<std::string> structural_order(const std::vector<Halide::Internal::Function> &outputs,
                                          const FuncCalls &calls = direct_calls);

// The order that Pipeline::get_func() counts in. It depends on names: what one Func reads is sorted by names without
// the digits at their ends, and equal ones as a walk meets them.
std::vector<std::string> numbered_order(const std::vector<Halide::Internal::Function> &outputs,
                                        const FuncCalls &calls = direct_calls);

}  // namespace emulsion
