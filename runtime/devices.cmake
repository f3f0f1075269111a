# emulsion_hip, emulsion_opencl: Halide's device interface for AMD GPUs through HIP, and for OpenCL devices
# with shared virtual memory. Archives like emulsion_runtime, to be included in the same folder. Both hold
# runtime/gpu, whose functions keep nothing of their own, so that a program can have both.
# emulsion_cuda: what a network needs beside Halide's own CUDA runtime.
find_path(EMULSION_HIP_INCLUDE hip/hip_runtime_api.h PATHS /opt/rocm/include
          DOC "Folder with hip/hip_runtime_api.h (Debian: libamdhip64-dev)")
find_path(EMULSION_OPENCL_INCLUDE CL/cl.h DOC "Folder with CL/cl.h (Debian: ocl-icd-opencl-dev)")

function(emulsion_device_archive name)
    add_library(${name} STATIC ${ARGN})
    target_link_libraries(${name} PRIVATE Halide::Runtime xxHash::xxhash emulsion_warnings
                          INTERFACE ${CMAKE_DL_LIBS})
    target_compile_options(${name} PRIVATE -O2 -fno-exceptions -fno-rtti
        -fno-threadsafe-statics -fno-asynchronous-unwind-tables)
    target_compile_definitions(${name} PRIVATE NDEBUG)
    set_target_properties(${name} PROPERTIES
        POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
endfunction()

function(emulsion_device_runtime name folder include)
    if (NOT include)
        message(STATUS "${name} isn't built: its driver's headers aren't there")
        return()
    endif ()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/gpu/*.cpp
         ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${folder}/*.cpp)
    emulsion_device_archive(${name} ${sources})
    target_include_directories(${name} SYSTEM PRIVATE ${include})
endfunction()

emulsion_device_runtime(emulsion_hip hip "${EMULSION_HIP_INCLUDE}")
emulsion_device_runtime(emulsion_opencl opencl "${EMULSION_OPENCL_INCLUDE}")
emulsion_device_archive(emulsion_cuda ${CMAKE_CURRENT_LIST_DIR}/cuda/network.cpp
                        ${CMAKE_CURRENT_LIST_DIR}/gpu/message.cpp)
