# What `cmake --install` puts into a prefix, which may be moved afterwards: the program and what it
# looks for in ../lib and ../share beside itself, and the CMake package.
include(CMakePackageConfigHelpers)

# libHalide stays in its package. It is looked for beside us first, then where this build found it.
get_target_property(emulsion_libhalide Halide::Halide IMPORTED_LOCATION_RELEASE)
cmake_path(GET emulsion_libhalide PARENT_PATH emulsion_libhalide_folder)
set_target_properties(emulsion autoschedule_gao2025
    PROPERTIES INSTALL_RPATH "$ORIGIN/../lib;${emulsion_libhalide_folder}")

install(TARGETS emulsion RUNTIME DESTINATION bin)
install(TARGETS autoschedule_gao2025 LIBRARY DESTINATION lib)
install(TARGETS emulsion_runtime ARCHIVE DESTINATION lib)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bench/python" DESTINATION share/emulsion
    FILES_MATCHING PATTERN "*.py")
foreach (folder IN ITEMS man bash-completion zsh fish)  # written when the program was linked
    install(DIRECTORY "${PROJECT_BINARY_DIR}/share/${folder}" DESTINATION share)
endforeach ()

# For networks that run through OpenCL or CUDA; HIP's archive is below.
foreach (archive IN ITEMS emulsion_opencl emulsion_cuda)
    if (TARGET ${archive})
        install(TARGETS ${archive} ARCHIVE DESTINATION lib)
    endif ()
endforeach ()

# For generators of users' own for AMD GPUs, where HIP's headers were there.
if (TARGET emulsion_amdgpu_generator)
    set_target_properties(emulsion_amdgpu_generator
        PROPERTIES INSTALL_RPATH "$ORIGIN;${emulsion_libhalide_folder}")
    install(TARGETS emulsion_amdgpu_generator LIBRARY DESTINATION lib)
    install(TARGETS emulsion_hip ARCHIVE DESTINATION lib)
    install(FILES "${PROJECT_SOURCE_DIR}/runtime/hip/HalideRuntimeHip.h" DESTINATION include)
endif ()

set(emulsion_package_folder lib/cmake/Emulsion)
configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/install/EmulsionConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/EmulsionConfig.cmake"
    INSTALL_DESTINATION "${emulsion_package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/EmulsionConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(
    FILES "${PROJECT_BINARY_DIR}/EmulsionConfig.cmake"
          "${PROJECT_BINARY_DIR}/EmulsionConfigVersion.cmake"
          "${PROJECT_SOURCE_DIR}/cmake/install/EmulsionAddModel.cmake"
          "${PROJECT_SOURCE_DIR}/cmake/install/EmulsionAmdgpu.cmake"
          "${PROJECT_SOURCE_DIR}/cmake/install/amdgpu_main.cpp"
    DESTINATION "${emulsion_package_folder}")
