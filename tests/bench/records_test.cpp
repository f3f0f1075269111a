// The records of tests/tuner/records are of templates as they are now: of another version, equal points are other code.
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "autoscheduler/templates/template.h"
#include "tuner/record.h"

namespace emulsion {
namespace {

TEST(Records, AreOfTheTemplatesAsTheyAre) {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(
             EMULSION_SOURCE_DIR "/tests/tuner/records")) {
        if (entry.path().extension() != ".gz") {
            continue;
        }
        for (const RecordedTask &recorded : read_record(entry.path().string())) {
            const NestSpace &space = recorded.task.space;
            std::istringstream names(space.template_name);
            int version = 0;
            for (std::string name; std::getline(names, name, '+');) {
                version += find_template(name).version;
            }
            EXPECT_EQ(version, space.version) << entry.path() << ": " << recorded.task.label
                                              << "; record it anew with emulsion tune --record";
            EXPECT_FALSE(recorded.points.empty()) << entry.path() << ": " << recorded.task.label;
        }
    }
}

}  // namespace
}  // namespace emulsion
