// Ten thousand models that were good before something in them was changed. A failure prints its seed;
// EMULSION_TEST_SEED runs that one alone.
#include "tests/fuzz/mutation.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include <Halide.h>

#include "tests/fuzz/frontend_run.h"
#include "tests/fuzz/hostile_values.h"
#include "tests/fuzz/seed_models.h"
#include "tests/fuzz/watch.h"

namespace emulsion::fuzz {
namespace {

constexpr uint64_t kModels = 10'000;
constexpr int64_t kMostMemory = int64_t{3} << 30;

// A change in the sense, seldom in the bytes.
std::string mutated(const std::vector<onnx::ModelProto> &models, uint64_t seed) {
    PortableRandom random(seed, "mutated model");
    onnx::ModelProto model = choose_from(random, models);
    mutate(model, random);
    std::string bytes = model.SerializeAsString();
    if (one_in(random, 16) && !bytes.empty()) {
        choose_from(random, bytes) = static_cast<char>(random.next());
    }
    return bytes;
}

TEST(SlowMutatedModels, ArePlannedOrRefusedWithOneSentence) {
    const std::vector<onnx::ModelProto> models = seed_models();
    const FrontendRun run;
    Watch watch;
    const Seeds tried = seeds(kModels);
    uint64_t planned = 0;
    for (uint64_t seed = tried.first; seed < tried.first + tried.count; ++seed) {
        const std::string name = "EMULSION_TEST_SEED=" + std::to_string(seed);
        SCOPED_TRACE(name);
        watch.begin(name);
        try {
            const std::string refusal = run(mutated(models, seed));
            planned += refusal.empty() ? 1 : 0;
            if (tried.count == 1) {
                std::cout << (refusal.empty() ? "planned" : refusal) << "\n";
            }
        } catch (const Halide::Error &error) {  // is no std::exception
            FAIL() << error.what();
        } catch (const std::exception &error) {
            FAIL() << error.what();
        }
        ASSERT_LT(peak_memory(), kMostMemory);
    }
    if (tried.count > 1) {
        // Of models that are all refused, nothing behind the loader would be tested.
        EXPECT_GT(planned, tried.count / 20);
    }
    std::cout << planned << " of " << tried.count << " models from " << models.size()
              << " seeds were planned\n";
}

}  // namespace
}  // namespace emulsion::fuzz
