// Every operator of the registry, as nodes that no exporter would write: attributes at the ends of
// their types or of another kind, lists of any length, operands of any type and shape, results that
// contradict them. Each is refused with one sentence that names the node, or planned; none crashes,
// hangs, or takes gigabytes. A new operator needs no line here.
#include <gtest/gtest.h>

#include <iostream>
#include <optional>
#include <string>

#include <Halide.h>

#include "frontend/onnx/names.h"
#include "frontend/onnx/tensor_data.h"
#include "frontend/ops/operator.h"
#include "tests/fuzz/frontend_run.h"
#include "tests/fuzz/node_maker.h"
#include "tests/fuzz/watch.h"

namespace emulsion::fuzz {
namespace {

constexpr uint64_t kNodes = 60;  // of each operator and kind
constexpr int64_t kMostNodeMemory = int64_t{3} << 30;

// A graph whose tensors and texts the loader lets through, or none: it refuses what has no elements or
// too many, data that do not fit their tensor, and what can't be printed.
std::optional<Graph> graph_past_loader(const std::string &type, PortableRandom &random,
                                       Hostility hostility) {
    try {
        Graph graph = graph_of_node(type, random, hostility);
        for (const Tensor &tensor : graph.tensors) {
            check_shape(tensor.shape, LoadLimits(), "");
            if (!tensor.is_constant() && tensor.element_count() == 0) {
                return {};
            }
        }
        for (const auto &[name, value] : graph.nodes.at(0).attributes) {
            const auto *text = std::get_if<std::string>(&value);
            if (text != nullptr && !text->empty()) {
                require_printable(*text, "", {});
            }
        }
        return graph;
    } catch (const Error &) {
        return {};
    }
}

// Calls `run`, which returns a refusal or "", for seeds of each operator.
template<typename Run>
void for_nodes(const Run &run) {
    Watch watch;
    const Seeds tried = seeds(kNodes);
    for (const Operator *op : all_operators()) {
        if (op->domain == kOwnDomain) {
            continue;  // no model can name it
        }
        for (uint64_t seed = tried.first; seed < tried.first + tried.count; ++seed) {
            const std::string name = op->type + ", EMULSION_TEST_SEED=" + std::to_string(seed);
            SCOPED_TRACE(name);
            watch.begin(name);
            // From nodes that are all but ordinary to those where nothing is.
            PortableRandom random(seed, op->type);
            try {
                run(op->type, random, Hostility{.rarity = 1 + seed % 12});
            } catch (const Halide::Error &error) {  // is no std::exception
                ADD_FAILURE() << error.what();
            } catch (const std::exception &error) {
                ADD_FAILURE() << error.what();
            }
            ASSERT_LT(peak_memory(), kMostNodeMemory);
        }
    }
}

TEST(SlowHostileNodes, InModelsArePlannedOrRefused) {
    const FrontendRun file;
    int planned = 0;
    int refused = 0;
    for_nodes([&](const std::string &type, PortableRandom &random, Hostility hostility) {
        const std::string refusal =
            file(model_of_node(type, random, hostility).SerializeAsString());
        (refusal.empty() ? planned : refused)++;
    });
    std::cout << planned << " planned, " << refused << " refused\n";
}

TEST(SlowHostileNodes, InGraphsArePlannedOrRefusedByTheirName) {
    int planned = 0;
    int refused = 0;
    for_nodes([&](const std::string &type, PortableRandom &random, Hostility hostility) {
        std::optional<Graph> graph = graph_past_loader(type, random, hostility);
        if (!graph) {
            return;
        }
        const std::string refusal = plan(std::move(*graph));
        (refusal.empty() ? planned : refused)++;
        EXPECT_TRUE(refusal.empty() || refusal.find("'node'") != std::string::npos) << refusal;
    });
    std::cout << planned << " planned, " << refused << " refused\n";
}

}  // namespace
}  // namespace emulsion::fuzz
