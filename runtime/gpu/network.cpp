#include "runtime/gpu/network.h"

#include <cstdio>
#include <cstring>

namespace emulsion::runtime::gpu {

bool is_one_of(const char *const *chips, const char *chip, Message *why) {
    char list[256] = "";
    size_t length = 0;
    for (const char *const *known = chips; chips != nullptr && *known != nullptr; known++) {
        if (std::strcmp(*known, chip) == 0) {
            return true;
        }
        const int added = std::snprintf(list + length, sizeof list - length, "%s%s",
                                        length == 0 ? "" : ", ", *known);
        length += added > 0 ? static_cast<size_t>(added) : 0;
        length = length < sizeof list ? length : sizeof list - 1;
    }
    return chips == nullptr || why->set("the code is for %s; this machine's GPU is %s", list, chip);
}

}  // namespace emulsion::runtime::gpu
