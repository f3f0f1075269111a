# emulsion_amdgpu_library(<name> FROM <generator target> CHIPS <chip>...
#                         [GENERATOR <generator>] [FUNCTION_NAME <function>] [PARAMS <name>=<value>...]
#                         [FEATURES <feature>...] [AUTOSCHEDULER <target or name>] [PLUGINS <target>...]
#                         [USE_RUNTIME <target>] [SCHEDULE <variable>] [KERNELS] [DEPENDS <file>...])
#
# Compiles a Halide generator of the project's for AMD GPUs, as add_halide_library() does for others.
# Defines the target <name>, a static library with the header <name>.h, which brings Emulsion's HIP
# runtime and a Halide runtime without GPUs.
#
# FROM is a generator as add_halide_generator() makes it: an executable of this build, in C++. A second
# executable of the same objects, <generator target>.amdgpu, runs when the project is built; it needs
# clang-19, ld.lld-19 and rocm-device-libs. CHIPS are the instruction sets to have code for; Gao2025
# plans for the first. GENERATOR and FUNCTION_NAME are <name> unless given. FEATURES are features of
# Halide's target x86-64-linux (avx2, cl_half for 16-bit floats, no_asserts, ...). SCHEDULE is a variable
# that gets the name of the file with the schedule as C++. KERNELS: beside the library, the code object of
# every chip and a description of every kernel (<name>.<chip>.hsaco, <kernel>.<chip>.json).
function (emulsion_amdgpu_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "KERNELS"
        "FROM;GENERATOR;FUNCTION_NAME;AUTOSCHEDULER;USE_RUNTIME;SCHEDULE"
        "CHIPS;PARAMS;FEATURES;PLUGINS;DEPENDS")
    if (arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
    endif ()
    foreach (required IN ITEMS FROM CHIPS)
        if (NOT arg_${required})
            message(FATAL_ERROR "emulsion_amdgpu_library(${name}): ${required} is missing")
        endif ()
    endforeach ()
    get_property(known GLOBAL PROPERTY EMULSION_CHIPS)
    set(chips "")
    foreach (chip IN LISTS arg_CHIPS)
        if (NOT chip IN_LIST known)
            list(JOIN known ", " known)
            message(FATAL_ERROR "emulsion_amdgpu_library(${name}): CHIPS has '${chip}'; accepted are "
                                "${known}")
        endif ()
        if (chip IN_LIST chips)
            message(FATAL_ERROR "emulsion_amdgpu_library(${name}): CHIPS has ${chip} twice")
        endif ()
        list(APPEND chips "${chip}")
    endforeach ()
    if (TARGET "${name}")
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): there is a target of that name")
    endif ()
    if (NOT TARGET Emulsion::AmdgpuGenerator OR NOT TARGET Emulsion::HipRuntime)
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): this Emulsion was built without HIP's "
                            "headers (Debian: libamdhip64-dev), and so without code for AMD GPUs")
    endif ()
    if (NOT COMMAND add_halide_runtime)
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): find_package(Halide) comes first")
    endif ()
    _emulsion_amdgpu_generator(program "${name}" "${arg_FROM}")

    if (NOT arg_GENERATOR)
        set(arg_GENERATOR "${name}")
    endif ()
    if (NOT arg_FUNCTION_NAME)
        set(arg_FUNCTION_NAME "${name}")
    endif ()
    set(params "")
    if (arg_AUTOSCHEDULER MATCHES "::")
        list(APPEND arg_PLUGINS "${arg_AUTOSCHEDULER}")
        string(REGEX REPLACE ".*::" "" arg_AUTOSCHEDULER "${arg_AUTOSCHEDULER}")
    endif ()
    if (arg_AUTOSCHEDULER)
        list(APPEND params "autoscheduler=${arg_AUTOSCHEDULER}")
    endif ()
    foreach (param IN LISTS arg_PARAMS)
        if (NOT param MATCHES "^[^=]+=")
            message(FATAL_ERROR "emulsion_amdgpu_library(${name}): PARAMS has '${param}'; "
                                "<name>=<value> is accepted")
        endif ()
        if (param MATCHES "^(target|chips)=")
            message(FATAL_ERROR "emulsion_amdgpu_library(${name}): PARAMS has '${param}'; "
                                "CHIPS and FEATURES are for that")
        endif ()
        list(APPEND params "${param}")
    endforeach ()
    set(plugins "")
    foreach (plugin IN LISTS arg_PLUGINS)
        if (NOT TARGET "${plugin}")
            message(FATAL_ERROR "emulsion_amdgpu_library(${name}): there is no target ${plugin}, "
                                "a plugin")
        endif ()
        list(APPEND plugins "$<TARGET_FILE:${plugin}>")
    endforeach ()
    if (plugins)
        list(JOIN plugins "," plugins)
        set(plugins -p "${plugins}")
    endif ()

    if (NOT arg_USE_RUNTIME)
        set(arg_USE_RUNTIME "${name}.runtime")
        add_halide_runtime("${arg_USE_RUNTIME}" TARGETS x86-64-linux)
    elseif (NOT TARGET "${arg_USE_RUNTIME}")
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): there is no target ${arg_USE_RUNTIME}, "
                            "a runtime")
    endif ()

    list(JOIN arg_CHIPS "," chips)
    list(JOIN arg_FEATURES "-" features)
    if (features)
        string(PREPEND features "-")
    endif ()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}")
    set(outputs object,c_header)
    set(files "${folder}/${name}.o" "${folder}/${name}.h")
    if (arg_SCHEDULE)
        string(APPEND outputs ",schedule")
        list(APPEND files "${folder}/${name}.schedule.h")
        set("${arg_SCHEDULE}" "${folder}/${name}.schedule.h" PARENT_SCOPE)
    endif ()
    if (arg_KERNELS)
        string(APPEND outputs ",kernels")
        list(TRANSFORM arg_CHIPS REPLACE "(.+)" "${folder}/${name}.\\1.hsaco" OUTPUT_VARIABLE kernels)
        list(APPEND files ${kernels})
    endif ()
    add_custom_command(
        OUTPUT ${files}
        COMMAND "${program}" -g "${arg_GENERATOR}" -f "${arg_FUNCTION_NAME}" -n "${name}"
                -e "${outputs}" -o "${folder}" ${plugins} "target=x86-64-linux${features}"
                "chips=${chips}" ${params}
        DEPENDS "${program}" ${arg_PLUGINS} ${arg_DEPENDS}
        COMMENT "Compiling ${name} for ${chips}"
        VERBATIM)
    add_library("${name}" STATIC "${folder}/${name}.o")
    set_target_properties("${name}" PROPERTIES LINKER_LANGUAGE CXX)
    add_custom_target("${name}.update" DEPENDS ${files})
    add_dependencies("${name}" "${name}.update")
    target_include_directories("${name}" INTERFACE "${folder}")
    target_link_libraries("${name}" INTERFACE Emulsion::HipRuntime "${arg_USE_RUNTIME}")
endfunction ()

# Sets `variable` to the executable that has the generators of the target `from` and Emulsion's main().
function (_emulsion_amdgpu_generator variable name from)
    if (NOT TARGET "${from}")
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): FROM is '${from}', which is no target")
    endif ()
    get_target_property(aliased "${from}" ALIASED_TARGET)
    if (aliased)
        set(from "${aliased}")
    endif ()
    get_target_property(type "${from}" TYPE)
    get_target_property(imported "${from}" IMPORTED)
    if (NOT type STREQUAL "EXECUTABLE" OR imported)
        message(FATAL_ERROR "emulsion_amdgpu_library(${name}): FROM is '${from}'; an executable of "
                            "this build is accepted, which add_halide_generator makes of C++")
    endif ()
    set("${variable}" "${from}.amdgpu" PARENT_SCOPE)
    if (TARGET "${from}.amdgpu")
        return()
    endif ()
    # GenGen's main() is a part of Halide::Generator.
    set(libraries "$<FILTER:$<TARGET_PROPERTY:${from},LINK_LIBRARIES>,EXCLUDE,Halide::Gen>")
    add_executable("${from}.amdgpu" EXCLUDE_FROM_ALL
        "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/amdgpu_main.cpp" "$<TARGET_OBJECTS:${from}>")
    target_link_libraries("${from}.amdgpu" PRIVATE "${libraries}" Emulsion::AmdgpuGenerator
                          Halide::Halide)
    target_link_options("${from}.amdgpu" PRIVATE "$<TARGET_PROPERTY:${from},LINK_OPTIONS>")
    target_link_directories("${from}.amdgpu" PRIVATE
                            "$<TARGET_PROPERTY:${from},LINK_DIRECTORIES>")
endfunction ()
