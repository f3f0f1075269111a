// Several models built together: their units once, by one pool of workers, and every model's outcome its own.
#include "backend/built_model.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backend/files.h"
#include "backend/process.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"
#include "tests/backend/folder_files.h"

namespace emulsion {

namespace fs = std::filesystem;
using test::files_of;

namespace {

class ModelsBuiltTogether : public testing::Test {
protected:
    fs::path path(const std::string &name) const { return base_.path() / name; }

    CompileOptions options(const std::string &policy = "gao2025") const {
        CompileOptions options;
        options.plan.policy = policy;
        options.use_cache = false;
        options.jobs = 2;
        return options;
    }

    PlannedModel planned(const std::string &zoo, const std::string &policy) const {
        const std::string file = path(zoo + ".onnx").string();
        if (!fs::exists(file)) {
            write_zoo_model(zoo, file);
        }
        return planned_model(loaded_model(file, options(policy)), options(policy));
    }

    std::vector<ModelUnits> build(const std::vector<const PlannedModel *> &models,
                                  const CompileOptions &options) const {
        fs::create_directories(path("objects"));
        return units_of_models(models, options, path("objects"), {});
    }

    // A program that notes every time that it is started, and is Emulsion's then.
    std::string counted_program() const {
        const fs::path script = path("worker");
        write_file(script, fmt::format("#!/bin/sh\necho started >> {}\nexec {} \"$@\"\n",
                                       path("starts").string(), program_path().string()));
        fs::permissions(script, fs::perms::owner_all);
        return script.string();
    }

    int starts() const {
        const std::string lines = read_file(path("starts"));
        return static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
    }

    TemporaryFolder base_{fs::temp_directory_path() / "built-together"};
};

std::set<std::string> keys_of(const PlannedModel &model) {
    std::set<std::string> keys;
    for (const PlannedLaunch &launch : model.networks.at(0).launches) {
        keys.insert(unit_key(launch.unit));
    }
    return keys;
}

// No template is called that, so no worker can compile it.
void damage(PlannedLaunch &launch) {
    ASSERT_FALSE(launch.unit.plan.groups.at(0).members.empty());
    launch.unit.plan.groups[0].members.back().nest.template_name = "no_such_nest";
}

}  // namespace

TEST_F(ModelsBuiltTogether, HaveTheArtifactsThatTheyHaveAlone) {
    std::vector<PlannedModel> models;
    std::vector<const PlannedModel *> together;
    const std::vector<std::string> policies = {"none", "gao2025", "gao2025"};
    for (const char *zoo : {"tiny_residual", "tiny_residual", "tiny_plain"}) {
        models.push_back(planned(zoo, policies[models.size()]));
    }
    for (const PlannedModel &model : models) {
        together.push_back(&model);
    }
    const std::vector<ModelUnits> units = build(together, options());
    ASSERT_EQ(models.size(), units.size());
    for (size_t i = 0; i < models.size(); i++) {
        compile_planned(models[i], path("alone").string(), options(policies[i]));
        const CompileReport report =
            link_planned(models[i], units[i], path("linked").string(), options(policies[i]));
        EXPECT_EQ(files_of(path("alone")), files_of(path("linked"))) << i;
        EXPECT_EQ(keys_of(models[i]).size(), static_cast<size_t>(report.units));
    }
}

TEST_F(ModelsBuiltTogether, CompileDistinctUnitsOnceInOnePool) {
    const PlannedModel none = planned("tiny_residual", "none");
    const PlannedModel tvm = planned("tiny_residual", "tvm");
    const PlannedModel other = planned("tiny_plain", "none");
    std::set<std::string> distinct;
    size_t of_each = 0;
    for (const PlannedModel *model : {&none, &tvm, &none, &other}) {
        const std::set<std::string> own = keys_of(*model);
        distinct.insert(own.begin(), own.end());
        of_each += own.size();
    }
    ASSERT_LT(distinct.size(), of_each);
    CompileOptions counted = options();
    counted.worker_program = counted_program();
    std::vector<std::pair<int, int>> progress;
    counted.progress = [&](int done, int total, const std::string &) {
        progress.emplace_back(done, total);
    };
    const std::vector<ModelUnits> units = build({&none, &tvm, &none, &other}, counted);
    const int tasks = static_cast<int>(distinct.size()) + 1;  // and Halide's runtime
    ASSERT_EQ(static_cast<size_t>(tasks) + 1, progress.size());
    for (int i = 0; i <= tasks; i++) {
        EXPECT_EQ(std::pair(i, tasks), progress[static_cast<size_t>(i)]);
    }
    EXPECT_EQ(counted.jobs, starts());
    EXPECT_EQ(units[0].at(0).halide_runtime, units[3].at(0).halide_runtime);
    for (const auto &[key, unit] : units[0].at(0).units) {
        EXPECT_EQ(unit.object, units[2].at(0).units.at(key).object);
        EXPECT_FALSE(unit.hash.empty());
    }
}

TEST_F(ModelsBuiltTogether, FailByThemselves) {
    const PlannedModel good = planned("tiny_residual", "none");
    PlannedModel bad = planned("tiny_residual", "none");
    damage(bad.networks.at(0).launches.back());
    const std::vector<ModelUnits> units = build({&bad, &good}, options());
    EXPECT_EQ(1U, units[0].at(0).errors.size());
    EXPECT_TRUE(units[1].at(0).errors.empty());
    EXPECT_THROW(link_planned(bad, units[0], path("bad").string(), options("none")), Error);
    EXPECT_FALSE(fs::exists(path("bad")));
    link_planned(good, units[1], path("good").string(), options("none"));
    compile_planned(good, path("alone").string(), options("none"));
    EXPECT_EQ(files_of(path("alone")), files_of(path("good")));
}

TEST_F(ModelsBuiltTogether, NameAUnitThatFailsForAllAsEachOfThemDoes) {
    PlannedModel first = planned("tiny_plain", "none");
    damage(first.networks.at(0).launches.back());
    PlannedModel second = first;
    first.networks[0].launches.back().label = "its name: in the first";
    second.networks[0].launches.back().label = "and in the second";
    const std::vector<ModelUnits> units = build({&first, &second}, options());
    ASSERT_EQ(1U, units[0].at(0).errors.size());
    ASSERT_EQ(1U, units[1].at(0).errors.size());
    const std::string one = units[0][0].errors[0].message(), two = units[1][0].errors[0].message();
    EXPECT_TRUE(one.starts_with("its name: in the first: ")) << one;
    EXPECT_TRUE(two.starts_with("and in the second: ")) << two;
    EXPECT_EQ(one.substr(one.rfind(": ")), two.substr(two.rfind(": ")));
    const UnitOutcome &outcome =
        units[1][0].units.at(unit_key(second.networks[0].launches.back().unit));
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(two, outcome.error->message());
    EXPECT_EQ(units[0][0].errors[0].kind(), outcome.error->kind());
}

}  // namespace emulsion
