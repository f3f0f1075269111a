// What runtime/hip/api.cpp looks for if the headers have a macro for a function's name, as those of HIP 6 have
// for hipGetDeviceProperties: it is compiled once more, with one of our own.

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>

#include <cstring>

#include <gtest/gtest.h>

#include "runtime/gpu/library.h"

#undef hipGetDeviceProperties
#define hipGetDeviceProperties hipGetDevicePropertiesR9999
#define gpu gpu::renamed
#include "runtime/hip/api.cpp"
#undef gpu

namespace emulsion::runtime::gpu {

TEST(HipNames, AreThoseThatTheHeadersMakeOfThem) {
    renamed::HipApi api;
    Message why;
    ASSERT_FALSE(renamed::load_hip(&api, &why));
    EXPECT_NE(nullptr, std::strstr(why.text, "has no function hipGetDevicePropertiesR9999;"))
        << why.text;
    const std::string version = std::to_string(HIP_VERSION_MAJOR);
    EXPECT_NE(nullptr, std::strstr(why.text, ("ROCm " + version + " or newer is needed").c_str()))
        << why.text;
}

}  // namespace emulsion::runtime::gpu
