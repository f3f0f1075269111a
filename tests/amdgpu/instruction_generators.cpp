// The generators for the chips' instructions, which register themselves in this program.
#include "generators/dot4_convolution_generator.cpp"
#include "generators/half_convolution_generator.cpp"
#include "generators/mfma_product_generator.cpp"
#include "generators/wmma_product_generator.cpp"
