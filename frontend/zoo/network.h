// The networks of the zoo: every file NAME.cpp in frontend/zoo/networks/ defines
// `const Network &zoo_NAME()`. There is no list to edit.
#pragma once

#include <span>

#include "frontend/zoo/network_builder.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

struct Network {
    ZooEntry entry;
    void (*build)(NetworkBuilder &);  // every layer, from input to output
};

std::span<const Network *const> all_networks();

}  // namespace emulsion
