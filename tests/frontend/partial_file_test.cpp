#include "fusion/partial_file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/frontend/models.h"

namespace emulsion::test {

namespace {

namespace fs = std::filesystem;

int write_text(const fs::path &path, std::string_view text) {
    const std::array<std::string_view, 2> parts = {text.substr(0, 1), text.substr(1)};
    return write_whole(path, parts);
}

std::string text_of(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_in(const fs::path &folder) {
    std::set<std::string> names;
    for (const auto &entry : fs::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

// A process that has begun to write a file at `path`, and waits; its id.
pid_t begin_writing(const fs::path &path) {
    int ends[2];
    EXPECT_EQ(0, pipe(ends));
    const pid_t process = fork();
    if (process == 0) {
        const PartialFile file(path);
        const bool told = write(file.descriptor(), "half", 4) == 4 && write(ends[1], "x", 1) == 1;
        while (told) {
            pause();
        }
        _exit(1);
    }
    char byte = 0;
    EXPECT_EQ(1, read(ends[0], &byte, 1));
    close(ends[0]);
    close(ends[1]);
    return process;
}

void kill_process(pid_t process) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
}

}  // namespace

TEST(PartialFile, AppearsWhenItIsCompleteWhateverWasThere) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "file";
    EXPECT_EQ(0, write_text(path, "one"));
    EXPECT_EQ(0, write_text(path, "another"));
    EXPECT_EQ("another", text_of(path));
    {
        const PartialFile unpublished(path);
        EXPECT_EQ(2U, names_in(folder.path()).size());
        EXPECT_EQ("another", text_of(path));
    }
    EXPECT_EQ((std::set<std::string>{"file"}), names_in(folder.path()));
}

TEST(PartialFile, SaysWhyThereIsNone) {
    const TemporaryFolder folder;
    EXPECT_EQ(ENOENT, write_text(folder.path() / "no" / "file", "one"));
    fs::create_directory(folder.path() / "folder");
    EXPECT_EQ(EISDIR, write_text(folder.path() / "folder", "one"));
    EXPECT_EQ((std::set<std::string>{"folder"}), names_in(folder.path()));
}

TEST(PartialFile, WhatAKilledProcessLeftGoesWithTheNextOfThePath) {
    const TemporaryFolder folder;
    const pid_t living = begin_writing(folder.path() / "file");
    kill_process(begin_writing(folder.path() / "file"));
    kill_process(begin_writing(folder.path() / "other"));
    EXPECT_EQ(3U, names_in(folder.path()).size());
    EXPECT_EQ(0, write_text(folder.path() / "file", "one"));
    const std::set<std::string> left = names_in(folder.path());
    EXPECT_EQ(3U, left.size()) << "the file, and what a living process writes, and another's";
    EXPECT_TRUE(left.contains("file"));
    kill_process(living);
    EXPECT_EQ(0, write_text(folder.path() / "file", "one"));
    EXPECT_EQ(0, write_text(folder.path() / "other", "one"));
    EXPECT_EQ((std::set<std::string>{"file", "other"}), names_in(folder.path()));
}

TEST(PartialFile, FilesOfTheUsersStay) {
    const TemporaryFolder folder;
    const std::set<std::string> names = {"file.emulsion-part", "file.x.emulsion-part",
                                         "file.1-0.tmp", "emulsion-part"};
    for (const std::string &name : names) {
        std::ofstream(folder.path() / name) << "x";
        EXPECT_FALSE(is_partial_file(name));
    }
    std::ofstream(folder.path() / "target") << "x";
    fs::create_symlink(folder.path() / "target", folder.path() / "file.1-0.emulsion-part");
    EXPECT_TRUE(is_partial_file("file.1-0.emulsion-part"));
    EXPECT_EQ(0, write_text(folder.path() / "file", "one"));
    EXPECT_EQ(names.size() + 3, names_in(folder.path()).size());
    EXPECT_EQ("x", text_of(folder.path() / "target"));
}

}  // namespace emulsion::test
