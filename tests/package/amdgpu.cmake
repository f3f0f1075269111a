# The part of run.cmake about emulsion_amdgpu_library().

set(fake "${BUILD}/lib/fake_hip/libamdhip64.so")
if (NOT EXISTS "${fake}")  # built without HIP's headers
    return()
endif ()

set(device "${WORK}/build/device")
expect(3 "^no AMD GPU can be used: the library that EMULSION_HIP_LIBRARY names can't be opened"
    "${CMAKE_COMMAND}" -E env "EMULSION_HIP_LIBRARY=${WORK}/nothing.so" "${device}")
expect(3 "hipErrorNoDevice .* there is no GPU that HIP supports" "${CMAKE_COMMAND}" -E env
    "EMULSION_HIP_LIBRARY=${fake}" EMULSION_FAKE_HIP_DEVICES=0 "${device}" LAUNCHES)
run("${CMAKE_COMMAND}" -E env "EMULSION_HIP_LIBRARY=${fake}" EMULSION_FAKE_HIP_CHIP=gfx1100
    "EMULSION_FAKE_HIP_LOG=${WORK}/hip.log" "${device}" LAUNCHES)
file(STRINGS "${WORK}/hip.log" launches REGEX "hipModuleLaunchKernel")
list(LENGTH launches count)
if (NOT count EQUAL 2)
    message(FATAL_ERROR "instead of 2 kernels, ${count} were launched:\n${launches}")
endif ()

# The same bytes again.
foreach (library IN ITEMS product planned_product)
    file(SHA256 "${WORK}/build/${library}.o" before)
    file(REMOVE "${WORK}/build/${library}.o")
    run("${CMAKE_COMMAND}" --build "${WORK}/build" --target ${library})
    file(SHA256 "${WORK}/build/${library}.o" after)
    if (NOT before STREQUAL after)
        message(FATAL_ERROR "${library}.o is another one the second time")
    endif ()
endforeach ()

# What is wrong is told in a sentence, and nothing is made.
set(generator "${WORK}/build/product_generator.amdgpu" -g product -o "${WORK}" -e object)
expect(1 "generator 'product': kernel '[^']*' for gfx906: .*spill.*smaller tiles" ${generator} chips=gfx906 tile=16)
expect(2 "unknown GPU 'gfx1'; known are" ${generator} chips=gfx1)
expect(2 "gfx906 is named twice" ${generator} chips=gfx906,gfx906)
expect(2 "one target is accepted" ${generator} chips=gfx906 target=host,host-avx2)
expect(2 "-e stub: accepted are " ${generator} chips=gfx906 -e stub)
expect(2 "-g sum: there is only the generator product" ${generator} chips=gfx906 -g sum)
expect(1 "has no GeneratorParam named: width" ${generator} chips=gfx906 width=1)
if (EXISTS "${WORK}/product.o")
    message(FATAL_ERROR "a kernel that spills was written")
endif ()
run(${generator} target=x86-64-linux-opencl-no_runtime)  # without chips, it is GenGen
foreach (mistake IN ITEMS FROM,nothing,CHIPS,gfx906 FROM,product_generator FROM,product,CHIPS,gfx906
         FROM,product_generator,CHIPS,gfx906,EXTRA,1 FROM,product_generator,CHIPS,gfx1
         FROM,product_generator,CHIPS,gfx906,gfx906)
    expect(1 "emulsion_amdgpu_library\\(wrong\\): " ${configure} -B "${WORK}/mistake"
        "-DMISTAKE=${mistake}")
endforeach ()
