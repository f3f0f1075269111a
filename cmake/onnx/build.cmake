# Run as a script (cmake -P) by EmulsionOnnx.cmake: configures and builds the project in this folder
# into FOLDER.  A lock keeps two presets that are built at the same time out of each other's way.

file(MAKE_DIRECTORY "${FOLDER}")
file(LOCK "${FOLDER}/lock" GUARD PROCESS)

function (run step)
    execute_process(
        COMMAND ${ARGN}
        RESULT_VARIABLE status
        OUTPUT_VARIABLE log
        ERROR_VARIABLE log)
    file(APPEND "${FOLDER}/build.log" "${log}")
    if (NOT status EQUAL 0)
        message("${log}")
        message(FATAL_ERROR "Could not ${step} the onnx library; its log: ${FOLDER}/build.log")
    endif ()
endfunction ()

# The cache names the checkout that made it, which may be another one; what is compiled stays.
file(REMOVE "${FOLDER}/CMakeCache.txt")
run(configure "${CMAKE_COMMAND}" -G Ninja -S "${RECIPE}" -B "${FOLDER}" "-DONNX_SOURCE=${ONNX_SOURCE}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_MAKE_PROGRAM=${NINJA}")
run(build "${CMAKE_COMMAND}" --build "${FOLDER}")
