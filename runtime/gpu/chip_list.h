// The chips that there is code for, in the sentence for a machine that has another.
#pragma once

#include <cstdio>

#include "runtime/gpu/message.h"

namespace emulsion::runtime::gpu {

class ChipList {
public:
    // What has no room is left out.
    void add(const char *chip) {
        const int added = std::snprintf(text_ + used_, sizeof text_ - used_, "%s%s",
                                        used_ == 0 ? "" : ", ", chip);
        used_ += added > 0 ? static_cast<size_t>(added) : 0;
        used_ = used_ < sizeof text_ ? used_ : sizeof text_ - 1;
    }
    // False, as Message::set().
    bool refuse(const char *chip, Message *why) const {
        return why->set("the code is for %s; this machine's GPU is %s",
                        used_ == 0 ? "no GPU" : text_, chip);
    }

private:
    char text_[Message::kBytes / 2] = "";
    size_t used_ = 0;
};

}  // namespace emulsion::runtime::gpu
