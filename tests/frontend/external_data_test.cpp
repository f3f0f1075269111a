// Weights beside the model: read from its folder and from nowhere else.
#include "frontend/onnx/external_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <span>

#include "frontend/onnx/loader.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

class ExternalDataTest : public ::testing::Test {
protected:
    ExternalDataTest() {
        std::filesystem::create_directories(folder_.path() / "models" / "data");
        std::vector<float> values(300);
        for (size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(i);
        }
        bytes_.assign(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
    }

    // Writes a model whose 300 weights are at `location`; returns its path.
    std::string write(const std::string &location, const std::string &offset = "",
                      const std::string &length = "") {
        onnx::ModelProto proto = model("agraph (float[300] x) => (float[300] y) { y = Add(x, w) }");
        onnx::TensorProto &weights = *proto.mutable_graph()->add_initializer();
        weights.set_name("w");
        weights.set_data_type(onnx::TensorProto::FLOAT);
        weights.add_dims(300);
        weights.set_data_location(onnx::TensorProto::EXTERNAL);
        for (const auto &[key, value] : std::initializer_list<std::pair<std::string, std::string>>{
                 {"location", location}, {"offset", offset}, {"length", length}}) {
            if (!value.empty()) {
                onnx::StringStringEntryProto &entry = *weights.add_external_data();
                entry.set_key(key);
                entry.set_value(value);
            }
        }
        const std::string path = folder_.file("models/model.onnx");
        write_file(path, proto.SerializeAsString());
        return path;
    }

    void expect_refused(const std::string &path, const std::string &reason) {
        const std::string text = refusal_of_file(path);
        EXPECT_NE(text.find("initializer 'w'"), std::string::npos) << text;
        EXPECT_NE(text.find(reason), std::string::npos) << text;
    }

    TemporaryFolder folder_;
    std::string bytes_;
};

TEST_F(ExternalDataTest, DataInTheFolderAndBelowItAreRead) {
    write_file(folder_.file("models/w.bin"), "12345" + bytes_);
    write_file(folder_.file("models/data/w.bin"), bytes_);
    for (const std::string &path : {write("w.bin", "5", "1200"), write("./w.bin", "5"),
                                    write("data/w.bin", "", "1200"), write("data/w.bin")}) {
        const Graph graph = load_model(path);
        const ConstantData data = *tensor(graph, "w").constant;
        ASSERT_EQ(data.size, 1200U);
        EXPECT_EQ(data.as<float>()[299], 299.0F);
    }
}

TEST_F(ExternalDataTest, LocationsOutsideTheFolderAreRefused) {
    write_file(folder_.file("secret.bin"), bytes_);
    expect_refused(write("../secret.bin"), "outside the model's folder");
    expect_refused(write("data/../../secret.bin"), "outside the model's folder");
    expect_refused(write(folder_.file("secret.bin")), "outside the model's folder");
    expect_refused(write("/dev/zero"), "outside the model's folder");
}

TEST_F(ExternalDataTest, SymbolicLinksAreNotFollowed) {
    write_file(folder_.file("secret.bin"), bytes_);
    std::filesystem::create_symlink(folder_.file("secret.bin"), folder_.file("models/link.bin"));
    std::filesystem::create_directory_symlink(folder_.path(), folder_.file("models/up"));
    expect_refused(write("link.bin"), "symbolic links are not followed");
    EXPECT_NE(refusal_of_file(write("up/secret.bin")), "");
}

TEST_F(ExternalDataTest, RangesOutsideTheFileAreRefused) {
    write_file(folder_.file("models/w.bin"), bytes_);
    expect_refused(write("w.bin", "1"), "ends after byte 1200");
    expect_refused(write("w.bin", "9223372036854775807"), "ends after byte 1200");
    expect_refused(write("w.bin", "-4"), "no number");
    expect_refused(write("w.bin", "1e3"), "no number");
    expect_refused(write("w.bin", "", "1204"), "1204 bytes");
    expect_refused(write("w.bin", "", "99999999999999999999"), "no number");
}

TEST_F(ExternalDataTest, MissingFilesAndFoldersAreRefused) {
    expect_refused(write("nothing.bin"), "No such file");
    expect_refused(write("data"), "is a directory");
    expect_refused(write("."), "names no file");
    expect_refused(write(""), "is empty");
}

TEST_F(ExternalDataTest, TheSumOfExternalDataIsLimited) {
    write_file(folder_.file("models/w.bin"), bytes_);
    const std::string path = write("w.bin");
    LoadLimits limits;
    limits.external_bytes = 1199;
    EXPECT_THROW(load_model(path, limits), Error);
    limits.external_bytes = 1200;
    EXPECT_NO_THROW(load_model(path, limits));
}

TEST_F(ExternalDataTest, OfAModelInMemoryIsInTheFolderThatIsGivenOrRefused) {
    const std::string path = write("data/weights.bin");
    write_file(folder_.file("models/data/weights.bin"), bytes_);
    const std::string model = read_file(path);
    ModelBytes bytes{"in memory", std::as_bytes(std::span(model)), folder_.file("models")};
    const Graph graph = import_model(bytes).graph;
    EXPECT_EQ(tensor(graph, "w").constant->as<float>()[299], 299.0F);
    bytes.folder.clear();
    try {
        import_model(bytes);
        FAIL();
    } catch (const Error &error) {
        expect_contains(error.what(), "in memory: initializer 'w': its data is in the file "
                                      "'data/weights.bin', and a model in memory has no folder");
    }
}

}  // namespace
}  // namespace emulsion::test
