// The tests' own program is also the worker program of the compilations in them.
#include <cstring>

#include <gtest/gtest.h>

#include "backend/compiler.h"

int main(int argc, char **argv) {
    if (argc > 1 && std::strcmp(argv[1], "worker") == 0) {
        return emulsion::worker_main(argc - 1, argv + 1);
    }
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
