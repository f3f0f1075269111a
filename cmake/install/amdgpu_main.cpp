// The main() of a generator for AMD GPUs (emulsion_amdgpu_library), in place of GenGen's.
extern "C" int emulsion_amdgpu_generator_main(int argc, char **argv);

int main(int argc, char **argv) { return emulsion_amdgpu_generator_main(argc, argv); }
