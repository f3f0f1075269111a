#include "backend/weights.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "backend/box_copy.h"
#include "backend/constant_layout.h"
#include "backend/fill_value.h"
#include "runtime/tables.h"

namespace emulsion {

namespace {

Tensor random_constant(std::mt19937 &random, const std::vector<int64_t> &extents, DataType type) {
    Tensor tensor;
    tensor.name = "w";
    tensor.type = type;
    tensor.shape.assign(extents.begin(), extents.end());
    std::vector<std::byte> bytes(static_cast<size_t>(element_count(extents) * size_of(type)));
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random()); });
    tensor.constant = make_constant(std::move(bytes));
    return tensor;
}

Layout random_layout(std::mt19937 &random, size_t rank) {
    Layout layout = row_major(static_cast<int>(rank));
    std::shuffle(layout.order.begin(), layout.order.end(), random);
    if (rank > 0 && random() % 2 == 0) {
        layout.block_axis = static_cast<int>(random() % rank);
        layout.block = 1 + static_cast<int64_t>(random() % 5);
    }
    if (random() % 4 == 0) {
        layout.fill = 1.5;
        layout.halo.resize(rank);
        for (size_t d = 0; d < rank; d++) {
            if (static_cast<int>(d) != layout.block_axis) {
                layout.halo[d] = {static_cast<int64_t>(random() % 3),
                                  static_cast<int64_t>(random() % 2)};
            }
        }
    }
    return layout;
}

// Element by element, from the definition of a layout.
std::vector<std::byte> naive_layout(const Tensor &tensor, const Layout &layout) {
    const std::vector<int64_t> extents = tensor.extents();
    const auto bytes = static_cast<size_t>(size_of(tensor.type));
    const auto buffer = buffer_dimensions(extents, layout);
    std::vector<std::byte> out(static_cast<size_t>(allocated_elements(extents, layout)) * bytes);
    const uint64_t fill = fill_bits(layout.fill, tensor.type);
    for (size_t i = 0; i < out.size(); i += bytes) {
        std::memcpy(&out[i], &fill, bytes);
    }
    for (int64_t i = 0; i < element_count(extents); i++) {
        int64_t rest = i;
        int64_t to = 0;
        for (size_t d = extents.size(); d-- > 0;) {
            int64_t at = rest % extents[d];
            rest /= extents[d];
            if (static_cast<int>(d) == layout.block_axis) {
                to += at % layout.block;
                at /= layout.block;
            }
            to += (at - buffer[d].min) * buffer[d].stride;
        }
        std::memcpy(&out[static_cast<size_t>(to) * bytes],
                    tensor.constant->bytes + static_cast<size_t>(i) * bytes, bytes);
    }
    return out;
}

std::string read_file(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST(Weights, EveryLayoutAgreesWithItsDefinition) {
    const DataType types[] = {DataType::F32, DataType::F64, DataType::I8, DataType::I16};
    for (unsigned seed = 1; seed <= 1500; seed++) {
        std::mt19937 random(seed);
        std::vector<int64_t> extents(random() % 5);
        for (int64_t &e : extents) {
            e = 1 + static_cast<int64_t>(random() % (seed % 10 == 0 ? 40 : 7));
        }
        const Tensor tensor = random_constant(random, extents, types[random() % 4]);
        const Layout layout = random_layout(random, extents.size());
        const std::vector<std::byte> expected = naive_layout(tensor, layout);
        std::vector<std::byte> got(expected.size());
        lay_out(tensor, layout, got.data());
        ASSERT_EQ(expected, got) << "seed " << seed;
        // In pieces of any size.
        const ConstantLayout constant(tensor, layout);
        std::fill(got.begin(), got.end(), std::byte{0xEE});
        int64_t end = 0;
        for (const LayoutPiece &piece : constant.pieces(1 + static_cast<int64_t>(random() % 50))) {
            ASSERT_EQ(end, piece.begin);
            end = piece.end;
            constant.write(piece, &got[static_cast<size_t>(piece.begin * size_of(tensor.type))]);
        }
        ASSERT_EQ(constant.allocated(), end);
        ASSERT_EQ(expected, got) << "seed " << seed;
    }
}

TEST(Weights, TheFileDoesNotDependOnTheNumberOfThreads) {
    std::mt19937 random(3);
    Graph graph;
    LinkedNetwork network;
    for (int i = 0; i < 6; i++) {
        const TensorId id =
            graph.add_tensor(random_constant(random, {64, 33, 3, 1 + 20 * i}, DataType::F32));
        const Layout layout{.order = {2, 3, 1, 0}, .block_axis = 0, .block = 16};
        network.weights.push_back({graph.tensor(id), layout, network.program.weights_bytes});
        network.program.weights_bytes +=
            (allocated_elements(graph.tensor(id).extents(), layout) * 4 + 63) / 64 * 64;
    }
    const std::string path =
        (std::filesystem::temp_directory_path() / ("weights" + std::to_string(getpid()))).string();
    const ContentHash one = write_weights(network, path, 1);
    const std::string bytes = read_file(path);
    const ContentHash three = write_weights(network, path, 3);
    EXPECT_EQ(one, three);
    EXPECT_EQ(bytes, read_file(path));
    EXPECT_EQ(static_cast<size_t>(network.program.weights_bytes) + 64, bytes.size());
    std::filesystem::remove(path);

    EmulsionWeightsHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    EXPECT_EQ(0, std::memcmp(header.magic, EMULSION_WEIGHTS_MAGIC, 8));
    EXPECT_EQ(one[0], header.hash[0]);
    for (const WeightEntry &entry : network.weights) {
        const auto expected = naive_layout(entry.tensor, entry.layout);
        EXPECT_EQ(0, std::memcmp(expected.data(), &bytes[64 + static_cast<size_t>(entry.offset)],
                                 expected.size()));
    }
}

TEST(Weights, AFileThatCannotBeWrittenIsAFailure) {
    try {
        write_weights({}, "/nonexistent/x.weights", 1);
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(1, error.exit_code());
    }
}

TEST(FillValue, InfinityMeansTheExtremeFiniteValue) {
    const double infinity = std::numeric_limits<double>::infinity();
    float lowest = 0.0F;
    const uint64_t bits = fill_bits(-infinity, DataType::F32);
    std::memcpy(&lowest, &bits, sizeof lowest);
    EXPECT_EQ(std::numeric_limits<float>::lowest(), lowest);
    EXPECT_EQ(0x80U, fill_bits(-infinity, DataType::I8));
    EXPECT_EQ(255U, fill_bits(infinity, DataType::U8));
    EXPECT_EQ(0xFFFFU, fill_bits(-1.0, DataType::I16));
}

}  // namespace emulsion
