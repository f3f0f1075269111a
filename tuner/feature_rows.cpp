#include "tuner/feature_rows.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

constexpr size_t kMostColumns = 10'000;

}  // namespace

// The number of columns, then of every row the columns that are not 0 and their values, in turns.
std::string to_text(const FeatureRows &rows) {
    constexpr double kSteps = 1000.0;
    Json lines = Json::array();
    for (const std::vector<float> &row : rows) {
        Json line = Json::array();
        for (size_t column = 0; column < row.size(); column++) {
            if (const double value = std::round(row[column] * kSteps) / kSteps; value != 0.0) {
                line.push_back(column);
                line.push_back(value);
            }
        }
        lines.push_back(std::move(line));
    }
    return Json{{"columns", rows.empty() ? 0 : rows.front().size()}, {"rows", std::move(lines)}}
        .dump();
}

FeatureRows feature_rows_from(const std::string &text) {
    try {
        const Json json = Json::parse(text);
        const auto columns = json.at("columns").get<size_t>();
        if (columns > kMostColumns) {
            throw Error("rows have " + std::to_string(columns) + " features, more than " +
                        std::to_string(kMostColumns));
        }
        FeatureRows rows;
        for (const Json &line : json.at("rows")) {
            std::vector<float> row(columns, 0.0F);
            for (size_t i = 0; i + 1 < line.size(); i += 2) {
                const auto column = line[i].get<size_t>();
                if (column >= columns) {
                    throw Error("a row has a feature " + std::to_string(column) + " of " +
                                std::to_string(columns));
                }
                row[column] = line[i + 1].get<float>();
            }
            rows.push_back(std::move(row));
        }
        return rows;
    } catch (const Json::exception &error) {
        throw Error(std::string("these are no features of code: ") + error.what());
    }
}

}  // namespace emulsion
