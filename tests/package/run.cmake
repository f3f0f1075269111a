# Installs BUILD into a prefix, moves the prefix, and builds project/ with what is there. WORK is the
# folder for all of it, HALIDE the prefix of the Halide package, PYTHON an interpreter with onnx.

function (run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if (NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
    endif ()
endfunction ()

# Runs the command, which has to end with `status` and say `text`, a regular expression.
function (expect status text)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE actual OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    string(REGEX REPLACE "[ \n]+" " " line "${output}")
    if (NOT actual EQUAL "${status}" OR NOT line MATCHES "${text}")
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${actual}, instead of ${status} and '${text}':\n"
                            "${output}")
    endif ()
endfunction ()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(ENV{XDG_CACHE_HOME} "${WORK}/cache")

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/before")
file(RENAME "${WORK}/before" "${WORK}/installed")

set(models "${WORK}/models")
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/write_models.py" "${models}" 0.5)
set(ENV{CMAKE_PREFIX_PATH} "${WORK}/installed:${HALIDE}")
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -G Ninja
    "-DCMAKE_MAKE_PROGRAM=${NINJA}" -DCMAKE_BUILD_TYPE=Release "-DMODELS=${models}")
run(${configure} -B "${WORK}/build")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/program" 0.5)

file(READ "${WORK}/build/blur.schedule.h" schedule)
if (NOT schedule MATCHES "vectorize\\(")
    message(FATAL_ERROR "Gao2025 scheduled nothing:\n${schedule}")
endif ()

# A model that has changed is compiled again; the other one is not.
file(TIMESTAMP "${WORK}/build/affine/manifest.json" affine "%s")
file(SHA256 "${WORK}/build/affine/affine.weights" affine_weights)
file(TIMESTAMP "${WORK}/build/square/manifest.json" square "%s")
run("${CMAKE_COMMAND}" -E sleep 1.1)
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/write_models.py" "${models}" -0.25)
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/program" -0.25)
file(SHA256 "${WORK}/build/affine/affine.weights" affine_weights_now)
file(TIMESTAMP "${WORK}/build/square/manifest.json" square_now "%s")
if (affine_weights STREQUAL affine_weights_now)
    message(FATAL_ERROR "the changed model was not compiled again")
endif ()
if (NOT square STREQUAL square_now)
    message(FATAL_ERROR "a model that has not changed was compiled again")
endif ()

# A network for the GPU that OpenCL finds, where this was built for that.
set(archive "${WORK}/installed/lib/libemulsion_opencl.a")
if (EXISTS "${archive}")
    set(compile "${WORK}/installed/bin/emulsion" compile "${models}/affine.onnx" --target host-opencl)
    run(${compile} -o "${WORK}/opencl")
    file(RENAME "${archive}" "${archive}.away")
    expect(1 "libemulsion_opencl.a: isn't there: .* ocl-icd-opencl-dev" ${compile} -o "${WORK}/missing")
    file(RENAME "${archive}.away" "${archive}")
endif ()

# Libraries for AMD GPUs. Without one, the program says why it doesn't run; HIP's library is not even
# needed to start it.
include("${CMAKE_CURRENT_LIST_DIR}/amdgpu.cmake")
