// The layers that are made of ONNX operators, scheduled by Gao2025, against plain loops in double.
#include <algorithm>
#include <limits>

#include "attention_layer.h"
#include "average_pool_layer.h"
#include "fully_connected_layer.h"
#include "max_pool_layer.h"
#include "residual_layer.h"
#include "softmax_layer.h"
#include "squeeze_excite_layer.h"
#include "tests/generators/row_major.h"

namespace emulsion {
namespace {

using Index = std::vector<int>;

// The element, or `outside` where a row or column lies outside of the image.
double pixel(const RowMajor &image, int n, int c, int y, int x, double outside) {
    const bool inside = y >= 0 && y < image.shape[2] && x >= 0 && x < image.shape[3];
    return inside ? image.at({n, c, y, x}) : outside;
}

TEST(GraphLayers, FullyConnectedIsAMatrixProductWithRelu) {
    RowMajor x({3, 40}, 1), w({30, 40}, 2), b({30}, 3), y({3, 30});
    ASSERT_EQ(fully_connected_layer(x.buffer(), w.buffer(), b.buffer(), y.buffer()), 0);
    expect_close(y, [&](const Index &i) {
        double sum = b.at({i[1]});
        for (int k = 0; k < 40; k++) {
            sum += double(x.at({i[0], k})) * w.at({i[1], k});
        }
        return std::max(sum, 0.0);
    });
}

TEST(GraphLayers, PoolingTakesTheLargestOrTheMeanOfEachWindow) {
    RowMajor x({1, 19, 13, 11}, 4), largest({1, 19, 7, 6}), mean({1, 19, 7, 6});
    ASSERT_EQ(max_pool_layer(x.buffer(), largest.buffer()), 0);
    ASSERT_EQ(average_pool_layer(x.buffer(), mean.buffer()), 0);
    const double lowest = std::numeric_limits<double>::lowest();
    expect_close(largest, [&](const Index &i) {
        double value = lowest;
        for (int k = 0; k < 9; k++) {
            value = std::max(value,
                             pixel(x, 0, i[1], 2 * i[2] + k / 3 - 1, 2 * i[3] + k % 3 - 1, lowest));
        }
        return value;
    });
    expect_close(mean, [&](const Index &i) {
        double sum = 0.0;
        int count = 0;
        for (int k = 0; k < 9; k++) {
            const double value =
                pixel(x, 0, i[1], 2 * i[2] + k / 3 - 1, 2 * i[3] + k % 3 - 1, lowest);
            sum += value == lowest ? 0.0 : value;
            count += value == lowest ? 0 : 1;
        }
        return sum / count;
    });
}

TEST(GraphLayers, SoftmaxMakesEachRowSumToOne) {
    RowMajor x({5, 37}, 5), y({5, 37});
    ASSERT_EQ(softmax_layer(x.buffer(), y.buffer()), 0);
    expect_close(y, [&](const Index &i) {
        double sum = 0.0;
        for (int k = 0; k < 37; k++) {
            sum += std::exp(double(x.at({i[0], k})));
        }
        return std::exp(double(x.at(i))) / sum;
    });
}

// 3x3, the image's size kept.
std::vector<double> convolve(const std::vector<double> &image, const RowMajor &w, const RowMajor &b,
                             int high, int wide) {
    const int channels = w.shape[0];
    std::vector<double> result;
    for (int o = 0; o < channels; o++) {
        for (int y = 0; y < high; y++) {
            for (int x = 0; x < wide; x++) {
                double sum = b.at({o});
                for (int k = 0; k < channels * 9; k++) {
                    const int c = k / 9, yy = y + k / 3 % 3 - 1, xx = x + k % 3 - 1;
                    if (yy >= 0 && yy < high && xx >= 0 && xx < wide) {
                        const size_t at = static_cast<size_t>((c * high + yy) * wide + xx);
                        sum += image[at] * w.at({o, c, k / 3 % 3, k % 3});
                    }
                }
                result.push_back(sum);
            }
        }
    }
    return result;
}

TEST(GraphLayers, AResidualBlockAddsItsInputToTwoConvolutions) {
    const int channels = 16, high = 7, wide = 9;
    RowMajor x({1, channels, high, wide}, 6), w1({channels, channels, 3, 3}, 7), b1({channels}, 8),
        w2({channels, channels, 3, 3}, 9), b2({channels}, 10), y({1, channels, high, wide});
    ASSERT_EQ(
        residual_layer(x.buffer(), w1.buffer(), b1.buffer(), w2.buffer(), b2.buffer(), y.buffer()),
        0);
    std::vector<double> hidden = convolve({x.data.begin(), x.data.end()}, w1, b1, high, wide);
    for (double &value : hidden) {
        value = std::max(value, 0.0);
    }
    const std::vector<double> second = convolve(hidden, w2, b2, high, wide);
    expect_close(y, [&](const Index &i) {
        const auto at = static_cast<size_t>((i[1] * high + i[2]) * wide + i[3]);
        return std::max(second[at] + x.data[at], 0.0);
    });
}

TEST(GraphLayers, SqueezeExciteScalesEachChannel) {
    const int channels = 24, squeezed = 6, pixels = 7 * 9;
    RowMajor x({1, channels, 7, 9}, 11), w1({squeezed, channels, 1, 1}, 12), b1({squeezed}, 13),
        w2({channels, squeezed, 1, 1}, 14), b2({channels}, 15), y({1, channels, 7, 9});
    ASSERT_EQ(squeeze_excite_layer(x.buffer(), w1.buffer(), b1.buffer(), w2.buffer(), b2.buffer(),
                                   y.buffer()),
              0);
    std::vector<double> hidden;
    for (int s = 0; s < squeezed; s++) {
        double sum = b1.at({s});
        for (int i = 0; i < channels * pixels; i++) {
            sum += double(x.data[static_cast<size_t>(i)]) / pixels * w1.at({s, i / pixels, 0, 0});
        }
        hidden.push_back(std::max(sum, 0.0));
    }
    expect_close(y, [&](const Index &i) {
        double logit = b2.at({i[1]});
        for (int s = 0; s < squeezed; s++) {
            logit += hidden[static_cast<size_t>(s)] * w2.at({i[1], s, 0, 0});
        }
        return x.at(i) * std::clamp(logit / 6.0 + 0.5, 0.0, 1.0);
    });
}

TEST(GraphLayers, AttentionWeighsValuesByTheSoftmaxOfProducts) {
    const int heads = 2, sequence = 19, features = 12;
    RowMajor q({heads, sequence, features}, 16), k({heads, features, sequence}, 17),
        v({heads, sequence, features}, 18), y({heads, sequence, features});
    ASSERT_EQ(attention_layer(q.buffer(), k.buffer(), v.buffer(), y.buffer()), 0);
    expect_close(y, [&](const Index &i) {
        double sum = 0.0, weighted = 0.0;
        for (int s = 0; s < sequence; s++) {
            double score = 0.0;
            for (int f = 0; f < features; f++) {
                score += double(q.at({i[0], i[1], f})) * k.at({i[0], f, s});
            }
            const double weight = std::exp(score / std::sqrt(double(features)));
            sum += weight;
            weighted += weight * v.at({i[0], s, i[2]});
        }
        return weighted / sum;
    });
}

TEST(GraphLayers, AreScheduledByGao2025) {
    for (const char *library :
         {"fully_connected_layer", "max_pool_layer", "average_pool_layer", "softmax_layer",
          "residual_layer", "squeeze_excite_layer", "attention_layer"}) {
        const std::string schedule = schedule_of(library);
        EXPECT_NE(schedule.find("generated by Gao2025"), std::string::npos) << library;
        EXPECT_NE(schedule.find(".vectorize("), std::string::npos) << schedule;
    }
    // Accumulators at a tile of what follows them.
    EXPECT_NE(schedule_of("residual_layer").find("n0_op_sum\n        .compute_at(n1_op"),
              std::string::npos);
}

}  // namespace
}  // namespace emulsion
