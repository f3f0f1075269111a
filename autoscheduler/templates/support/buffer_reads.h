// What a definition reads of buffers, through the Funcs that it calls.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

struct BufferRead {
    Halide::Parameter buffer;
    std::vector<Halide::Expr> indices;
};

struct BufferReads {
    std::vector<BufferRead> reads;    // those in indices before what is read there
    std::set<std::string> variables;  // that it needs besides, also for what it names by a let
    // Nothing was left out: whatever is called is a pure Func, computed where it is called, and not too much of it.
    bool complete = true;
};

BufferReads buffer_reads(const std::vector<Halide::Expr> &values);

}  // namespace emulsion
