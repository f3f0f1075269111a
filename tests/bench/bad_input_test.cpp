// Models and files that are not what they should be, through the whole program.

#include <cstring>
#include <fstream>
#include <random>

#include "bench/npy.h"
#include "bench/random_array.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

namespace fs = std::filesystem;

class BadInput : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("tiny.onnx")});
        run_well({"compile", file("tiny.onnx"), "-o", file("tiny")});
    }

    static void write(const std::string &name, const std::string &bytes) {
        std::ofstream(file(name), std::ios::binary) << bytes;
    }
    // The network's only input, from its manifest.
    static nlohmann::json input() { return json("tiny/manifest.json").at("inputs").at(0); }
};

TEST_F(BadInput, ModelsThatAreNoneAreRefusedAndLeaveNothing) {
    const std::string model = read_user_file(file("tiny.onnx"));
    write("empty.onnx", "");
    write("truncated.onnx", model.substr(0, model.size() / 2));
    write("text.onnx", "This is not a model.\n");
    std::mt19937 random(5);
    std::string noise(10'000, '\0');
    for (char &byte : noise) {
        byte = static_cast<char>(random());
    }
    write("noise.onnx", noise);
    for (const char *name :
         {"missing.onnx", "empty.onnx", "truncated.onnx", "text.onnx", "noise.onnx", "tmp"}) {
        expect_error({"compile", file(name), "-o", file("artifact")}, 2, file(name));
        EXPECT_FALSE(fs::exists(file("artifact"))) << name;
    }
    for (const char *name : {"missing.onnx", "noise.onnx"}) {
        expect_error({"run", file(name), "--output-dir", file("out")}, 2, file(name));
        expect_error({"bench", file(name)}, 2, file(name));
        expect_error({"verify", file(name)}, 2, file(name));
    }
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(BadInput, TemplatesThatNoOperatorHasAreRefusedWithThoseThatThereAre) {
    expect_error({"nests", file("tiny.onnx"), "--template", "spiral"}, 2,
                 "no operator has a loop nest of template 'spiral'; there are convolution");
}

TEST_F(BadInput, ADamagedArtifactIsRefused) {
    fs::copy(file("tiny"), file("damaged"), fs::copy_options::recursive);
    const std::vector<std::string> run = {"run", file("damaged"), "--output-dir", file("out")};
    for (const char *name : {"damaged/tiny.weights", "damaged/manifest.json"}) {
        const std::string bytes = read_user_file(file(name));
        std::string changed = bytes;
        changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 0x10);
        for (const std::string &damage :
             {changed, bytes.substr(0, bytes.size() / 2), std::string()}) {
            if (damage == changed && name == std::string("damaged/manifest.json")) {
                continue;  // may be another letter of a text
            }
            write(name, damage);
            expect_error(run, 2, file("damaged"));
        }
        write(name, bytes);
    }
    run_well(run);
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(BadInput, UnknownTargetsAndPassesAreRefused) {
    expect_error({"compile", file("tiny.onnx"), "-o", file("artifact"), "--target", "z80-cpm"}, 2,
                 "z80-cpm");
    expect_error({"compile", file("tiny.onnx"), "-o", file("artifact"), "--disable-pass", "magic"},
                 2, "magic");
    EXPECT_FALSE(fs::exists(file("artifact")));
}

TEST_F(BadInput, FoldersThatCannotBeWrittenFail) {
    write("plain", "a file");
    expect_error({"compile", file("tiny.onnx"), "-o", file("plain/artifact")}, 1, "plain");
    expect_error({"run", file("tiny"), "--output-dir", file("plain/out")}, 1, "plain");
    expect_error({"zoo", "write", "tiny_plain", "-o", file("plain/x.onnx")}, 1, "plain");
    EXPECT_EQ(read_user_file(file("plain")), "a file");
}

TEST_F(BadInput, InputsMustBeTheNetworks) {
    const std::string name = input().at("name");
    const auto shape = input().at("shape").get<std::vector<int64_t>>();
    std::vector<int64_t> other = shape;
    other.back()++;
    write_npy(file("wrong_shape.npy"), random_array(DataType::F32, other, 1, ""));
    write_npy(file("wrong_type.npy"), random_array(DataType::F64, shape, 1, ""));
    write_npy(file("right.npy"), random_array(DataType::F32, shape, 1, ""));
    write("damaged.npy", "no array");
    const auto expect_refusal = [&](const std::string &assignment, const std::string &cause) {
        expect_error({"run", file("tiny"), "--output-dir", file("out"), "--input", assignment}, 2,
                     cause);
    };
    const std::string sentence = "input '" + name + "': expected " + describe(DataType::F32, shape);
    expect_refusal(name + "=" + file("wrong_shape.npy"),
                   sentence + ", given " + describe(DataType::F32, other));
    expect_refusal(name + "=" + file("wrong_type.npy"),
                   sentence + ", given " + describe(DataType::F64, shape));
    expect_refusal(name + "=" + file("damaged.npy"), "not a .npy file");
    expect_refusal(name + "=" + file("missing.npy"), "no such file");
    expect_refusal("nobody=" + file("right.npy"), "input '" + name + "' has no --input");
    expect_error({"run", file("tiny"), "--output-dir", file("out"), "--input",
                  name + "=" + file("right.npy"), "nobody=" + file("right.npy")},
                 2, "no input 'nobody'");
}

TEST_F(BadInput, ACompiledFolderHasItsPlan) {
    for (const auto &[command, flag] :
         {std::pair("run", "--policy"), std::pair("bench", "--policies"),
          std::pair("verify", "--policy")}) {
        std::vector<std::string> arguments = {command, file("tiny"), flag, "none"};
        if (command == std::string("run")) {
            arguments.insert(arguments.end(), {"--output-dir", file("out")});
        } else if (command == std::string("verify")) {
            arguments.insert(arguments.end(), {"--model", file("tiny.onnx")});
        }
        expect_error(arguments, 2, std::string(flag) + " does not go with a compiled folder");
    }
    fs::create_directory(file("nothing"));
    expect_error({"run", file("nothing"), "--output-dir", file("out")}, 2, "not an artifact");
}

}  // namespace
}  // namespace emulsion
