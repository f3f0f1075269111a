#include "runtime/gpu/network.h"

#include <cstring>

#include "runtime/gpu/chip_list.h"

namespace emulsion::runtime::gpu {

bool is_one_of(const char *const *chips, const char *chip, Message *why) {
    ChipList list;
    for (const char *const *known = chips; chips != nullptr && *known != nullptr; known++) {
        if (std::strcmp(*known, chip) == 0) {
            return true;
        }
        list.add(*known);
    }
    return chips == nullptr || list.refuse(chip, why);
}

}  // namespace emulsion::runtime::gpu
