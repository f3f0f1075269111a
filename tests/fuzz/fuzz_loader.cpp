// The libFuzzer target: bytes as a model, from the file to its planned units. tools/fuzz builds and
// runs it.
//
//     fuzz_loader --write-seeds=FOLDER     writes the models that fuzzing starts from
//     fuzz_loader FOLDER [OPTION...]       fuzzes (see https://llvm.org/docs/LibFuzzer.html)
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <onnx/onnx_pb.h>

#include "tests/fuzz/frontend_run.h"
#include "tests/fuzz/hostile_values.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/seed_models.h"

// Names and signatures are libFuzzer's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

namespace {

void write_seeds(const std::string &folder) {
    std::filesystem::create_directories(folder);
    int index = 0;
    for (const onnx::ModelProto &model : emulsion::fuzz::seed_models()) {
        std::ofstream(folder + "/seed" + std::to_string(index++) + ".onnx", std::ios::binary)
            << model.SerializeAsString();
    }
    std::cout << index << " models in " << folder << "\n";
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const std::string flag = "--write-seeds=";
    for (int i = 1; i < *argc; ++i) {
        const std::string argument = (*argv)[i];
        if (argument.starts_with(flag)) {
            write_seeds(argument.substr(flag.size()));
            std::exit(0);
        }
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const emulsion::fuzz::FrontendRun run;
    run(std::string(reinterpret_cast<const char *>(data), size));
    return 0;
}

// Mostly changes that protobuf can read, for others hardly get beyond it.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                                          unsigned int seed) {
    emulsion::PortableRandom random(seed, "libFuzzer");
    onnx::ModelProto model;
    if (!emulsion::fuzz::one_in(random, 8) && model.ParseFromArray(data, static_cast<int>(size))) {
        emulsion::fuzz::mutate(model, random);
        const std::string bytes = model.SerializeAsString();
        if (bytes.size() <= max_size) {
            std::memcpy(data, bytes.data(), bytes.size());
            return bytes.size();
        }
    }
    return LLVMFuzzerMutate(data, size, max_size);
}
// NOLINTEND(readability-identifier-naming)
