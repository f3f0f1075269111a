#include "backend/temporary_folder.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/artifact_folder.h"
#include "backend/files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

// A process that makes a folder, puts files into it, and waits until it is killed.
class OtherProcess {
public:
    explicit OtherProcess(const fs::path &prefix) {
        int ends[2];
        EXPECT_EQ(0, pipe(ends));
        process_ = fork();
        if (process_ == 0) {
            const TemporaryFolder folder(prefix);
            fs::create_directories(folder.path() / "deep" / "er");
            std::ofstream(folder.path() / "deep" / "er" / "file") << "x";
            const std::string name = folder.path().string();
            if (write(ends[1], name.data(), name.size()) < 0) {
                _exit(1);
            }
            close(ends[1]);
            for (;;) {
                pause();
            }
        }
        close(ends[1]);
        char name[4096];
        const ssize_t count = read(ends[0], name, sizeof(name));
        EXPECT_GT(count, 0);
        folder_ = std::string(name, static_cast<size_t>(std::max<ssize_t>(count, 0)));
        close(ends[0]);
    }
    ~OtherProcess() { kill_it(); }
    OtherProcess(const OtherProcess &) = delete;
    OtherProcess &operator=(const OtherProcess &) = delete;

    const fs::path &folder() const { return folder_; }
    void kill_it() {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            waitpid(process_, nullptr, 0);
            process_ = -1;
        }
    }

private:
    pid_t process_;
    fs::path folder_;
};

class TemporaryFolders : public testing::Test {
protected:
    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto &entry : fs::directory_iterator(base_.path())) {
            all.insert(entry.path().filename().string());
        }
        return all;
    }

    const TemporaryFolder base_{fs::temp_directory_path() / "emulsion-folders-test-"};
    const fs::path prefix_ = base_.path() / "made-";
};

}  // namespace

TEST_F(TemporaryFolders, GoWithTheirOwnersAndHaveTheirPrefix) {
    {
        const TemporaryFolder folder(prefix_);
        write_file(folder.path() / "file", "x");
        EXPECT_EQ((std::set<std::string>{folder.path().filename().string()}), names());
        EXPECT_EQ(0U, folder.path().filename().string().find("made-emulsion-temporary-"));
    }
    EXPECT_TRUE(names().empty());
}

TEST_F(TemporaryFolders, OfAKilledProcessGoWithTheNextOne) {
    OtherProcess killed(prefix_);
    ASSERT_TRUE(fs::exists(killed.folder() / "deep" / "er" / "file"));
    killed.kill_it();
    EXPECT_TRUE(fs::exists(killed.folder()));
    const TemporaryFolder next(prefix_);
    EXPECT_FALSE(fs::exists(killed.folder()));
    EXPECT_TRUE(fs::exists(next.path()));
}

TEST_F(TemporaryFolders, OfALivingProcessStay) {
    const OtherProcess living(prefix_);
    const TemporaryFolder ours(prefix_);
    {
        const TemporaryFolder next(prefix_);
        EXPECT_EQ(3U, names().size());
    }
    EXPECT_TRUE(fs::exists(living.folder() / "deep" / "er" / "file"));
    EXPECT_TRUE(fs::exists(ours.path()));
}

TEST_F(TemporaryFolders, WhatIsNotOursStays) {
    const fs::path elsewhere = base_.path() / "elsewhere";
    fs::create_directory(elsewhere);
    write_file(elsewhere / "file", "x");
    fs::create_directory_symlink(elsewhere, base_.path() / "made-emulsion-temporary-abcdef");
    write_file(base_.path() / "made-emulsion-temporary-ghijkl", "x");
    for (const char *name :
         {"made-abcdef", "made-emulsion-temporary-abcde", "made-emulsion-temporary-abcdefg",
          "made-emulsion-temporary-ab-def", "other-emulsion-temporary-abcdef"}) {
        fs::create_directory(base_.path() / name);
    }
    const std::set<std::string> before = names();
    { const TemporaryFolder folder(prefix_); }
    EXPECT_EQ(before, names());
    EXPECT_TRUE(fs::exists(elsewhere / "file"));
}

TEST_F(TemporaryFolders, LinksInAnAbandonedOneAreNotFollowed) {
    const fs::path elsewhere = base_.path() / "elsewhere";
    fs::create_directory(elsewhere);
    write_file(elsewhere / "file", "x");
    const fs::path abandoned = base_.path() / "made-emulsion-temporary-abcdef";
    fs::create_directory(abandoned);
    fs::create_directory_symlink(elsewhere, abandoned / "link");
    { const TemporaryFolder folder(prefix_); }
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::exists(elsewhere / "file"));
}

TEST_F(TemporaryFolders, ManyAtOnceDoNotTakeEachOthers) {
    std::vector<std::thread> users;
    for (int t = 0; t < 4; t++) {
        users.emplace_back([&] {
            for (int i = 0; i < 100; i++) {
                const TemporaryFolder folder(prefix_);
                write_file(folder.path() / "file", "x");
                EXPECT_EQ("x", read_file(folder.path() / "file"));
            }
        });
    }
    for (std::thread &user : users) {
        user.join();
    }
    EXPECT_TRUE(names().empty());
}

TEST_F(TemporaryFolders, WhereNoneCanBeMadeTheParentIsNamed) {
    try {
        const TemporaryFolder folder(base_.path() / "no" / "such" / "made-");
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(ErrorKind::Failed, error.kind());
        EXPECT_NE(std::string::npos, std::string(error.what()).find("no/such: no folder"))
            << error.what();
    }
}

TEST_F(TemporaryFolders, BesideAnArtifactGoWithTheNextOneOfItsName) {
    const fs::path output = base_.path() / "network";
    const OtherProcess living(base_.path() / ".network.");
    OtherProcess killed(base_.path() / ".network.");
    killed.kill_it();
    { const ArtifactFolder folder(output); }
    EXPECT_FALSE(fs::exists(killed.folder()));
    EXPECT_TRUE(fs::exists(living.folder()));
}

}  // namespace emulsion
