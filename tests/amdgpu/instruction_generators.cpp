// The generators for the chips' instructions, which register themselves in this program.
#include "generators/dot4_convolution_generator.cpp"
#include "generators/half_convolution_generator.cpp"
