// A model's way through everything that comes before machine code, as a user's file goes it.
#pragma once

#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/loader.h"

namespace emulsion::fuzz {

// "" for a model that was planned to the end, else the sentence that it was refused with. Anything
// that is no refusal comes out as it is: an exception of another type, a signal.
std::string plan(Graph graph);

// The same for files, one at a time, in a folder of its own. Beside them lies `kExternalFile` of
// `kExternalBytes`, which models may name as their external data.
class FrontendRun {
public:
    static constexpr const char *kExternalFile = "weights.bin";
    static constexpr size_t kExternalBytes = 4096;

    FrontendRun();
    ~FrontendRun();
    FrontendRun(const FrontendRun &) = delete;
    FrontendRun &operator=(const FrontendRun &) = delete;

    std::string operator()(const std::string &bytes) const;

private:
    std::string folder_;
};

}  // namespace emulsion::fuzz
