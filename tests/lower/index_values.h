// The numbers that indices of a lowered statement are made of, while it is carried out without its data.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/lower/index_range.h"
#include "tests/lower/out_of_bounds.h"

namespace emulsion::test {

// What a name has memory for, while the statement is carried out.
struct Memory {
    int64_t elements = -1;  // of `bytes` each; -1: unknown
    int bytes = 1;
    // Of memory on the host's stack, where the sizes of kernels are computed.
    std::vector<IndexRange> contents;
};

using IndexValue = std::function<IndexRange(int lane)>;
using IndexAction = std::function<void()>;

// Makes functions of expressions, which look at what these load. Names have slots, whose values are those of the
// iteration at hand.
class IndexValues {
protected:
    using Slot = std::vector<IndexRange>;  // a lane each

    IndexValue make(const Halide::Expr &e);
    // Gives a name its value, in all lanes.
    IndexAction assign(const std::string &name, const Halide::Expr &e);
    Memory *memory_of(const std::string &name, const Halide::Parameter &parameter,
                      const Halide::Buffer<> &image);
    void check(const Memory &memory, const IndexRange &index, const std::string &name,
               const Halide::Type &type, const Halide::Expr &written);

    // Something is wrong; the first counts.
    template<typename Node>
    void note(const std::string &what, const Node &node) {
        std::ostringstream text;
        text << what << ": " << node;
        accesses_.wrong = accesses_.wrong.empty() ? text.str() : accesses_.wrong;
    }

    std::map<std::string, std::shared_ptr<Slot>> slots_;
    std::map<std::string, std::shared_ptr<Memory>> memories_;
    Accesses accesses_;

private:
    IndexValue operation(const Halide::Expr &e);
    IndexValue call(const Halide::Internal::Call *op);
    IndexValue shuffle(const Halide::Internal::Shuffle *op);
    IndexValue let(const Halide::Internal::Let *op);
    IndexValue load(const Halide::Internal::Load *op);
};

}  // namespace emulsion::test
