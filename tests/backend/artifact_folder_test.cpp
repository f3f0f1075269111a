#include "backend/artifact_folder.h"

#include <gtest/gtest.h>

#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr const char *kManifest = R"({"emulsion": {"version": "0"}})";

class ArtifactFolderTest : public ::testing::Test {
protected:
    TemporaryFolder base_{fs::temp_directory_path() / "folder"};

    size_t entries() const {
        return static_cast<size_t>(
            std::distance(fs::directory_iterator(base_.path()), fs::directory_iterator()));
    }
    void write(const fs::path &output, const std::string &content) {
        ArtifactFolder folder(output);
        write_file(folder.path() / "manifest.json", kManifest);
        write_file(folder.path() / "content", content);
        folder.commit();
    }
};

}  // namespace

TEST_F(ArtifactFolderTest, AppearsOnCommitAndReplacesAnOlderArtifact) {
    const fs::path output = base_.path() / "net";
    write(output, "one");
    EXPECT_EQ("one", read_file(output / "content"));
    EXPECT_TRUE(is_artifact(output));
    write(output / "", "two");
    EXPECT_EQ("two", read_file(output / "content"));
    EXPECT_EQ(1U, entries());
}

TEST_F(ArtifactFolderTest, LeavesNothingWithoutCommit) {
    {
        const ArtifactFolder folder(base_.path() / "a" / "b" / "net");
        write_file(folder.path() / "x", "x");
    }
    EXPECT_EQ(0U, entries());
    write(base_.path() / "a" / "b" / "net", "x");
    EXPECT_TRUE(is_artifact(base_.path() / "a" / "b" / "net"));
    EXPECT_EQ(1U, entries());
}

TEST_F(ArtifactFolderTest, RefusesWhatIsNotAnArtifact) {
    fs::create_directory(base_.path() / "mine");
    EXPECT_NO_THROW(ArtifactFolder(base_.path() / "mine"));
    write_file(base_.path() / "mine" / "thesis.txt", "x");
    for (const fs::path &path :
         {base_.path() / "mine", base_.path() / "mine" / "thesis.txt", fs::path("/proc/x")}) {
        try {
            const ArtifactFolder folder(path);
            FAIL() << path;
        } catch (const Error &error) {
            EXPECT_EQ(1, error.exit_code());
        }
    }
    EXPECT_EQ("x", read_file(base_.path() / "mine" / "thesis.txt"));
}

}  // namespace emulsion
