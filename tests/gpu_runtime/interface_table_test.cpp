// Every entry of the device interface, called by Halide's own functions.

#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

extern "C" int halide_device_and_host_malloc(void *, halide_buffer_t *,
                                             const halide_device_interface_t *);
extern "C" int halide_device_and_host_free(void *, halide_buffer_t *);

namespace emulsion::runtime::gpu {

class InterfaceTable : public testing::Test {
protected:
    void TearDown() override { EXPECT_EQ("", errors.take()); }
    static halide_type_t bytes() { return halide_type_t(halide_type_uint, 8); }
    const halide_device_interface_t *interface = halide_hip_device_interface();
    Errors errors;
};

TEST_F(InterfaceTable, MallocGivesMemoryOnceAndFreeTakesIt) {
    TestBuffer buffer(bytes(), {100});
    ASSERT_EQ(0, interface->device_malloc(nullptr, &buffer, interface));
    const uint64_t device = buffer.device;
    EXPECT_NE(0U, device);
    EXPECT_EQ(interface, buffer.device_interface);
    EXPECT_EQ(0, interface->device_malloc(nullptr, &buffer, interface));
    EXPECT_EQ(device, buffer.device);
    EXPECT_EQ(device, halide_hip_get_device_ptr(nullptr, &buffer));
    EXPECT_EQ(0, interface->device_free(nullptr, &buffer));
    EXPECT_EQ(0U, buffer.device);
    EXPECT_EQ(nullptr, buffer.device_interface);
    EXPECT_EQ(0U, halide_hip_get_device_ptr(nullptr, &buffer));
    EXPECT_EQ(0, interface->device_free(nullptr, &buffer)) << "a buffer without device memory";
}

TEST_F(InterfaceTable, EmptyBuffersHaveMemoryToo) {
    TestBuffer buffer(bytes(), {100, 0});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, interface));
    buffer.set_host_dirty();
    EXPECT_EQ(0, halide_copy_to_device(nullptr, &buffer, interface));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(InterfaceTable, NegativeStridesAreRefused) {
    TestBuffer buffer(bytes(), {4, 4});
    buffer.dims[1].stride = -4;
    EXPECT_EQ(halide_error_code_device_malloc_failed,
              halide_device_malloc(nullptr, &buffer, interface));
    EXPECT_EQ(
        "HIP: device memory can't be allocated for a buffer with a negative stride (dimension 1: "
        "-4)\n",
        errors.take());
}

TEST_F(InterfaceTable, HostAndDeviceMemoryComeAndGoTogether) {
    TestBuffer buffer(bytes(), {100});
    ASSERT_EQ(0, interface->device_and_host_malloc(nullptr, &buffer, interface));
    ASSERT_NE(nullptr, buffer.host);
    std::memset(buffer.host, 7, 100);
    buffer.set_host_dirty();
    EXPECT_EQ(0, interface->copy_to_device(nullptr, &buffer, interface));
    std::memset(buffer.host, 0, 100);
    buffer.set_device_dirty();
    EXPECT_EQ(0, interface->copy_to_host(nullptr, &buffer));
    EXPECT_EQ(7, buffer.host[99]);
    EXPECT_EQ(0, interface->device_and_host_free(nullptr, &buffer));
    EXPECT_EQ(nullptr, buffer.host);
    EXPECT_EQ(0U, buffer.device);
}

TEST_F(InterfaceTable, ACropIsTheSameMemoryFurtherOn) {
    TestBuffer whole(bytes(), {10, 8});
    whole.fill(1);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &whole, interface));
    whole.set_host_dirty();
    ASSERT_EQ(0, halide_copy_to_device(nullptr, &whole, interface));
    whole.set_device_dirty();
    TestBuffer part(bytes(), {3, 2});
    part.dims[0] = {4, 3, 1};
    part.dims[1] = {5, 2, 10};
    ASSERT_EQ(0, interface->device_crop(nullptr, &whole, &part));
    EXPECT_EQ(whole.device + 54, part.device);
    EXPECT_TRUE(part.device_dirty());
    part.content.assign(13, 0);
    part.host = part.content.data();
    ASSERT_EQ(0, halide_copy_to_host(nullptr, &part));
    EXPECT_EQ(whole.content[54], part.content[0]);
    EXPECT_EQ(whole.content[66], part.content[12]);
    EXPECT_EQ(0, part.content[3]) << "not of the crop";
    EXPECT_EQ(0, interface->device_release_crop(nullptr, &part));
    EXPECT_EQ(0U, part.device);
    EXPECT_EQ(0, halide_device_free(nullptr, &whole));
}

TEST_F(InterfaceTable, ACropCannotBeFreed) {
    TestBuffer whole(bytes(), {10});
    TestBuffer part(bytes(), {3});
    part.dims[0].min = 2;
    ASSERT_EQ(0, halide_device_malloc(nullptr, &whole, interface));
    ASSERT_EQ(0, halide_device_crop(nullptr, &whole, &part));
    EXPECT_EQ(halide_error_code_device_free_failed, halide_device_free(nullptr, &part));
    EXPECT_NE(std::string::npos, errors.take().find("halide_device_release_crop"));
    EXPECT_EQ(0, halide_device_release_crop(nullptr, &part));
    EXPECT_EQ(0, halide_device_free(nullptr, &whole));
}

TEST_F(InterfaceTable, ASliceIsTheSameMemoryFurtherOn) {
    TestBuffer whole(bytes(), {10, 8});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &whole, interface));
    TestBuffer part(bytes(), {10});
    ASSERT_EQ(0, interface->device_slice(nullptr, &whole, 1, 3, &part));
    EXPECT_EQ(whole.device + 30, part.device);
    EXPECT_FALSE(part.device_dirty());
    EXPECT_EQ(0, halide_device_release_crop(nullptr, &part));
    EXPECT_EQ(0, halide_device_free(nullptr, &whole));
}

TEST_F(InterfaceTable, ForeignMemoryIsWrappedAndDetached) {
    TestBuffer owner(bytes(), {64});
    TestBuffer guest(bytes(), {8});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &owner, interface));
    ASSERT_EQ(0, interface->wrap_native(nullptr, &guest, owner.device + 8, interface));
    EXPECT_EQ(owner.device + 8, guest.device);
    EXPECT_EQ(interface, guest.device_interface);
    EXPECT_EQ(halide_error_code_device_wrap_native_failed,
              halide_hip_wrap_device_ptr(nullptr, &guest, owner.device));
    EXPECT_EQ(0, interface->detach_native(nullptr, &guest));
    EXPECT_EQ(0U, guest.device);
    EXPECT_EQ(nullptr, guest.device_interface);
    EXPECT_EQ(halide_error_code_device_wrap_native_failed,
              halide_hip_wrap_device_ptr(nullptr, &guest, 0));
    EXPECT_EQ(0, halide_hip_detach_device_ptr(nullptr, &guest));
    EXPECT_EQ("HIP: a buffer that has device memory can't be given other memory\n"
              "HIP: a buffer can't be given device memory at address 0\n",
              errors.take());
    EXPECT_EQ(0, halide_device_free(nullptr, &owner));
}

TEST_F(InterfaceTable, ReleaseGivesFreeMemoryBackAndTheDeviceGoesOn) {
    halide_device_release(nullptr, interface);
    const size_t before = fake_hip_live_bytes();
    TestBuffer kept(bytes(), {1000});
    TestBuffer freed(bytes(), {5000});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &kept, interface));
    ASSERT_EQ(0, halide_device_malloc(nullptr, &freed, interface));
    ASSERT_EQ(0, halide_device_free(nullptr, &freed));
    interface->device_release(nullptr, interface);
    EXPECT_EQ(before + 1024, fake_hip_live_bytes());
    EXPECT_EQ(0, halide_device_malloc(nullptr, &freed, interface));
    EXPECT_EQ(0, halide_device_free(nullptr, &freed));
    EXPECT_EQ(0, halide_device_free(nullptr, &kept));
}

TEST_F(InterfaceTable, SyncWorksWithAndWithoutABuffer) {
    TestBuffer buffer(bytes(), {1});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, interface));
    fake_hip_clear();
    EXPECT_EQ(0, interface->device_sync(nullptr, &buffer));
    EXPECT_EQ(0, halide_device_sync_global(nullptr, interface));
    EXPECT_EQ(2U, fake_hip_count("hipStreamSynchronize"));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(InterfaceTable, TheCapabilityIsTheChips) {
    int major = 0;
    int minor = -1;
    EXPECT_EQ(0, interface->compute_capability(nullptr, &major, &minor));
    EXPECT_EQ(9, major);
    EXPECT_EQ(0, minor);
}

}  // namespace emulsion::runtime::gpu
