#include "runtime/gpu/library.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace emulsion::runtime::gpu {

namespace {

constexpr const char *kNowhere[] = {"libnowhere.so", "libnowhere.so.5", nullptr};
constexpr const char *kSomewhere[] = {"libnowhere.so", "libm.so.6", nullptr};

}  // namespace

TEST(Library, TheFirstOfItsNamesThatIsThereIsOpened) {
    Message why;
    void *library = open_library(kSomewhere, "EMULSION_TEST_LIBRARY", "nothing works", "", &why);
    ASSERT_NE(nullptr, library) << why.text;
    double (*square_root)(double) = nullptr;
    ASSERT_TRUE(find_function(library, "sqrt", "nothing works", "", &square_root, &why))
        << why.text;
    EXPECT_EQ(3.0, square_root(9.0));
}

TEST(Library, AMissingLibraryIsASentenceWithTheRemedy) {
    Message why;
    EXPECT_EQ(nullptr, open_library(kNowhere, "EMULSION_TEST_LIBRARY", "no AMD GPU can be used",
                                    "install it", &why));
    const std::string sentence = why.text;
    EXPECT_EQ(0U, sentence.find("no AMD GPU can be used: libnowhere.so isn't there "
                                "(libnowhere.so: cannot open shared object file"))
        << sentence;
    EXPECT_EQ(sentence.size() - 13, sentence.find("); install it")) << sentence;
}

namespace {

// A real library, but what it needs isn't there.
std::string lonely_library() {
    std::ifstream whole(EMULSION_BINARY_DIR "/lib/fake_hip/libamdhip64.so", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(whole), {}};
    const std::string needed = "libstdc++.so";
    for (size_t at = bytes.find(needed); at != std::string::npos; at = bytes.find(needed, at)) {
        bytes.replace(at, needed.size(), "libnowhat.so");
    }
    const std::string path = testing::TempDir() + "liblonely.so";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

}  // namespace

TEST(Library, ALibraryThatLacksAnotherIsNamedWithThat) {
    const std::string path = lonely_library();
    const char *const names[] = {"libnowhere.so", path.c_str(), "libnowhere.so.5", nullptr};
    Message why;
    EXPECT_EQ(nullptr,
              open_library(names, "EMULSION_TEST_LIBRARY", "nothing works", "mend it", &why));
    const std::string sentence = why.text;
    EXPECT_EQ(0U, sentence.find("nothing works: " + path + " can't be opened (libnowhat.so.6: "))
        << sentence;
    EXPECT_EQ(sentence.size() - 10, sentence.find("); mend it")) << sentence;
}

TEST(Library, AFileThatIsNoLibraryIsNamed) {
    const std::string path = testing::TempDir() + "libtext.so";
    std::ofstream(path) << std::string(1000, 'x');
    const char *const names[] = {path.c_str(), "libnowhere.so", nullptr};
    Message why;
    EXPECT_EQ(nullptr, open_library(names, "EMULSION_TEST_LIBRARY", "nothing works", "", &why));
    EXPECT_EQ(0U, std::string(why.text).find("nothing works: " + path + " can't be opened ("))
        << why.text;
}

TEST(Library, AMissingFunctionIsASentence) {
    Message why;
    void *library = open_library(kSomewhere, "EMULSION_TEST_LIBRARY", "nothing works", "", &why);
    void (*function)() = nullptr;
    EXPECT_FALSE(find_function(library, "no_such_function", "nothing works", "version 7 is needed",
                               &function, &why));
    EXPECT_STREQ(
        "nothing works: the driver's library has no function no_such_function; it is too old or "
        "incomplete: version 7 is needed",
        why.text);
}

}  // namespace emulsion::runtime::gpu
