#include "backend/amdgpu/module.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "backend/files.h"
#include "backend/process.h"
#include "fusion/error.h"
#include "pipelines.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

class HipModules : public ::testing::Test {
protected:
    TemporaryFolder folder_{fs::temp_directory_path() / "hip-module"};

    std::string compiled(const Halide::Module &module, Halide::OutputFileType type,
                         const std::string &file) const {
        const std::string path = folder_.path() / file;
        module.compile({{type, path}});
        return path;
    }

    std::set<std::string> undefined(const Halide::Module &module) const {
        const std::string object = compiled(module, Halide::OutputFileType::object, "module.o");
        std::istringstream lines(run_tool({"nm", "-u", object}, "binutils").output);
        std::set<std::string> names;
        for (std::string kind, name; lines >> kind >> name;) {
            names.insert(name);
        }
        return names;
    }
};

std::string printed(const Halide::Module &module) {
    std::ostringstream text;
    text << module;
    return text.str();
}

// Stands for Emulsion's HIP runtime and Halide's: says what it is called with.
const char *const kProgram = R"(
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "HalideRuntime.h"
static int state;
const struct halide_device_interface_t *halide_hip_device_interface(void) { return NULL; }
int halide_hip_initialize_kernels(void *context, void **to, const char *source, int size) {
    printf("initialize %s %.8s %d\n", (char *)context, source, size);
    *to = &state;
    return 0;
}
void halide_hip_finalize_kernels(void *context, void *of) {
    printf("finalize %s %d\n", (char *)context, of == &state);
}
int halide_hip_run(void *context, void *of, const char *name, int bx, int by, int bz, int tx, int ty,
                   int tz, int lds, uint64_t sizes[], void *args[], int8_t buffers[]) {
    printf("run %s %d %d %d %d %d %d %d %d", (char *)context, of == &state, bx, by, bz, tx, ty, tz, lds);
    for (int i = 0; sizes[i] != 0; i++) {
        printf(" %d:%d", (int)sizes[i], buffers[i]);
        if (buffers[i] == 0 && sizes[i] == 4) {
            float f;
            memcpy(&f, args[i], 4);
            if (f == 2.5f) printf("=scale");
        }
    }
    printf("\n");
    return 0;
}
int halide_copy_to_device(void *context, struct halide_buffer_t *b, const struct halide_device_interface_t *i) {
    return 0;
}
int halide_copy_to_host(void *context, struct halide_buffer_t *b) { return 0; }
int scaling(void *context, struct halide_buffer_t *in, float scale, int8_t shift, int64_t most, uint8_t negate,
            struct halide_buffer_t *out);
int main(void) {
    static float in[64 * 16], out[64 * 16];
    halide_dimension_t dims[2] = {{0, 64, 1, 0}, {0, 16, 64, 0}};
    struct halide_buffer_t a = {0}, b = {0};
    a.host = (uint8_t *)in;
    b.host = (uint8_t *)out;
    a.type.code = b.type.code = halide_type_float;
    a.type.bits = b.type.bits = 32;
    a.type.lanes = b.type.lanes = 1;
    a.dimensions = b.dimensions = 2;
    a.dim = b.dim = dims;
    return scaling("context", &a, 2.5f, 1, 100, 0, &b);
}
)";

}  // namespace

TEST_F(HipModules, ObjectsNeedOnlyFunctionsOfTheRuntimes) {
    std::vector<NamedModule> pipelines = all_pipelines();
    pipelines.push_back({"moving sum", moving_sum()});
    for (const NamedModule &p : pipelines) {
        const HipModule hip = rewrite_for_hip(p.module, {"gfx906"});
        ASSERT_TRUE(hip.module) << p.name;
        const std::set<std::string> names = undefined(*hip.module);
        for (const char *needed : {"halide_hip_initialize_kernels", "halide_hip_run",
                                   "halide_hip_finalize_kernels", "halide_hip_device_interface"}) {
            EXPECT_EQ(1u, names.count(needed)) << p.name << " " << needed;
        }
        for (const std::string &name : names) {
            EXPECT_TRUE(name.starts_with("halide_") || name.starts_with("_GLOBAL_OFFSET_TABLE_"))
                << p.name << ": " << name;
            EXPECT_EQ(std::string::npos, name.find("opencl")) << p.name << ": " << name;
        }
    }
}

TEST_F(HipModules, CallTheRuntimeAsItIsDeclared) {
    const HipModule hip = rewrite_for_hip(three_stages(), {"gfx906"});
    const std::string text =
        read_file(compiled(*hip.module, Halide::OutputFileType::llvm_assembly, "module.ll"));
    for (
        const char *declaration :
        {"declare i32 @halide_hip_run(ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr)",
         "declare i32 @halide_hip_initialize_kernels(ptr, ptr, ptr, i32)",
         "declare void @halide_hip_finalize_kernels(ptr, ptr)",
         "declare ptr @halide_hip_device_interface()"}) {
        EXPECT_NE(std::string::npos, text.find(declaration)) << declaration;
    }
}

TEST_F(HipModules, PassWhatTheRuntimeExpects) {
    const HipModule hip = rewrite_for_hip(scaling(), {"gfx906", "gfx1100"});
    const std::string object = compiled(*hip.module, Halide::OutputFileType::object, "module.o");
    write_file(folder_.path() / "main.c", kProgram);
    const ToolResult built =
        run_tool({"cc", "-w", std::string("-I") + EMULSION_HALIDE_INCLUDE,
                  folder_.path() / "main.c", object, "-o", folder_.path() / "main"},
                 "gcc");
    ASSERT_EQ(0, built.status) << built.output;
    const ToolResult ran = run_tool({folder_.path() / "main"}, "");
    const int bytes = hip.module->get_device_code_buffer().width();
    std::string arguments;
    for (const LaunchArgument &argument : hip.launches[0].arguments) {
        arguments += " " + std::to_string(argument.bytes) + ":" + (argument.is_buffer ? "1" : "0") +
                     (argument.name == "scale" ? "=scale" : "");
    }
    EXPECT_EQ("initialize context EMULSNGB " + std::to_string(bytes) +
                  "\nrun context 1 2 2 1 32 8 1 0" + arguments + "\nfinalize context 1\n",
              ran.output);
}

TEST_F(HipModules, HoldTheBundleUnderTheBuffersName) {
    const Halide::Module module = convolution();
    const std::string before = printed(module);
    const HipModule hip = rewrite_for_hip(module, {"gfx906", "gfx1100"});
    EXPECT_EQ(before, printed(module));
    EXPECT_EQ(module.get_device_code_buffer().name(), hip.module->get_device_code_buffer().name());
    EXPECT_EQ("EMULSNGB", device_text(*hip.module).substr(0, 8));
    EXPECT_EQ(module.buffers().size(), hip.module->buffers().size());
    EXPECT_FALSE(hip.module->target().has_gpu_feature());
    EXPECT_EQ(std::string::npos, printed(*hip.module).find("halide_opencl_"));
}

TEST_F(HipModules, WithoutKernelsStayAsTheyAre) {
    const Halide::Module module = on_the_cpu();
    const HipModule hip = rewrite_for_hip(module, {"gfx906"});
    ASSERT_TRUE(hip.module);
    EXPECT_TRUE(hip.launches.empty());
    EXPECT_TRUE(hip.chips.empty());
    EXPECT_EQ(printed(module), printed(*hip.module));
    EXPECT_EQ(printed(module), printed(with_hip_calls(module, "")));
}

TEST_F(HipModules, ThatWereRewrittenStayAsTheyAre) {
    const HipModule once = rewrite_for_hip(convolution(), {"gfx906"});
    const HipModule twice = rewrite_for_hip(*once.module, {"gfx906"});
    ASSERT_TRUE(twice.module);
    EXPECT_EQ(printed(*once.module), printed(*twice.module));
    EXPECT_EQ(printed(*once.module), printed(with_hip_calls(*once.module, "another")));
}

TEST_F(HipModules, OfTwoDeviceCodesAreRefused) {
    Halide::Module module = convolution();
    module.append(module.get_device_code_buffer());
    EXPECT_THROW(rewrite_for_hip(module, {"gfx906"}), Error);
}

TEST_F(HipModules, AreTheSameBytesTwiceWithAnyNumberOfJobs) {
    const std::vector<std::string> chips{"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100"};
    const Halide::Module module = staged_convolution();
    const HipModule first = rewrite_for_hip(module, chips);
    HipOptions two;
    two.jobs = 2;
    const HipModule second = rewrite_for_hip(module, chips, two);
    EXPECT_EQ(device_text(*first.module), device_text(*second.module));
    const auto object = [&](const HipModule &hip, const char *name) {
        return read_file(compiled(*hip.module, Halide::OutputFileType::object, name));
    };
    EXPECT_EQ(object(first, "first.o"), object(second, "second.o"));
}

TEST_F(HipModules, OfUnknownChipsAreRefused) {
    try {
        rewrite_for_hip(convolution(), {"gfx906", "gfx1"});
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(ErrorKind::Refused, error.kind());
    }
}

}  // namespace emulsion
