// The networks of the zoo: one file each, which defines a `Network` that is listed in zoo.cpp.
#pragma once

#include "frontend/zoo/network_builder.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

struct Network {
    ZooEntry entry;
    void (*build)(NetworkBuilder &);  // every layer, from input to output
};

const Network &zoo_mobilenet_v1();
const Network &zoo_vgg16();
const Network &zoo_tiny_plain();
const Network &zoo_tiny_residual();

}  // namespace emulsion
