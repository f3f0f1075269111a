#include "backend/program.h"

namespace emulsion {

const char *to_string(Storage storage) {
    switch (storage) {
    case Storage::Arena: return "arena";
    case Storage::Weights: return "weights";
    case Storage::Input: return "input";
    case Storage::Output: return "output";
    }
    return "";
}

}  // namespace emulsion
