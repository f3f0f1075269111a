#include "other_clang.h"

#include "backend/files.h"
#include "backend/process.h"

namespace emulsion::test {

namespace fs = std::filesystem;

namespace {

fs::path write_script(const fs::path &folder, const std::string &first) {
    const std::string found = run_tool({"sh", "-c", "command -v clang-19"}, "clang-19").output;
    fs::create_directories(folder);
    const fs::path script = folder / "clang-19";
    write_file(script,
               "#!/bin/sh\n" + first + "\nexec " + found.substr(0, found.find('\n')) + " \"$@\"\n");
    fs::permissions(script, fs::perms::owner_all);
    return script;
}

}  // namespace

fs::path renamed_clang(const fs::path &folder) {
    return write_script(folder, "[ \"$1\" = --version ] && echo renamed && exit 0");
}

fs::path clang_with_attribute(const fs::path &folder, const std::string &attribute) {
    return write_script(folder, "for file; do case $file in *.cl)\n"
                                "    sed -i 's/^__kernel /__kernel __attribute__((" +
                                    attribute + ")) /' \"$file\" ;;\nesac; done");
}

}  // namespace emulsion::test
