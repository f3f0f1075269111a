// WEIGHTS_OF_TINY_PLAIN WEIGHTS_OF_TINY_RESIDUAL: two networks and a Halide library with a runtime of
// its own in one program. Each runs alone, then all of them at the same time in several threads and
// contexts; the results have to be the same bits. Says what differs, and ends with 1 then.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <HalideBuffer.h>

#include "convolution_3x3.h"
#include "tiny_plain.h"
#include "tiny_residual.h"

namespace {

constexpr int kRounds = 30;
constexpr int kThreadsEach = 2;

using Values = std::vector<float>;

std::atomic<int> failures{0};

void expect(bool holds, const char *what) {
    if (!holds && failures.fetch_add(1) < 20) {
        std::fprintf(stderr, "%s\n", what);
    }
}

Values some_values(size_t count) {
    Values values(count);
    for (size_t i = 0; i < count; i++) {
        values[i] = static_cast<float>(static_cast<int>(i * 7919 % 2001) - 1000) / 1000.0F;
    }
    return values;
}

// The C APIs of two networks differ in their names only.
struct Plain {
    using Context = tiny_plain_context;
    static constexpr auto open = tiny_plain_open;
    static constexpr auto open_shared = tiny_plain_open_shared;
    static constexpr auto close = tiny_plain_close;
    static constexpr auto run = tiny_plain_run;
    static constexpr auto set_threads = tiny_plain_set_threads;
    static constexpr auto input_info = tiny_plain_input_info;
    static constexpr auto output_info = tiny_plain_output_info;
};

struct Residual {
    using Context = tiny_residual_context;
    static constexpr auto open = tiny_residual_open;
    static constexpr auto open_shared = tiny_residual_open_shared;
    static constexpr auto close = tiny_residual_close;
    static constexpr auto run = tiny_residual_run;
    static constexpr auto set_threads = tiny_residual_set_threads;
    static constexpr auto input_info = tiny_residual_input_info;
    static constexpr auto output_info = tiny_residual_output_info;
};

template<typename Info>
size_t element_count(const Info *info) {
    size_t count = 1;
    for (int i = 0; i < info->rank; i++) {
        count *= static_cast<size_t>(info->shape[i]);
    }
    return count;
}

template<typename Api>
Values run(typename Api::Context *context) {
    const Values input = some_values(element_count(Api::input_info(0)));
    Values output(element_count(Api::output_info(0)));
    const void *inputs[] = {input.data()};
    void *outputs[] = {output.data()};
    expect(Api::run(context, inputs, outputs) == 0, "a run failed");
    return output;
}

template<typename Api>
typename Api::Context *opened(const char *weights) {
    typename Api::Context *context = nullptr;
    if (Api::open(weights, &context) != 0) {
        std::fprintf(stderr, "%s can't be opened\n", weights);
        std::exit(1);
    }
    return context;
}

template<typename Api>
Values run_once(const char *weights) {
    auto *context = opened<Api>(weights);
    const Values result = run<Api>(context);
    Api::close(context);
    return result;
}

// Contexts come and go, own and shared; the number of threads changes meanwhile.
template<typename Api>
void run_often(const char *weights, const Values &expected) {
    auto *context = opened<Api>(weights);
    for (int i = 0; i < kRounds; i++) {
        Api::set_threads(1 + i % 3);
        expect(run<Api>(context) == expected, "a network differs from its run alone");
        typename Api::Context *other = nullptr;
        expect(Api::open_shared(context, &other) == 0, "a context can't be shared");
        expect(run<Api>(other) == expected, "a shared context differs");
        Api::close(other);
    }
    Api::close(context);
}

Values run_convolution() {
    using Buffer = Halide::Runtime::Buffer<float>;
    Values input = some_values(32 * 28 * 28), filter = some_values(64 * 32 * 9),
           bias = some_values(64), output(64 * 28 * 28);
    Buffer in(input.data(), 32, 28, 28, 1), weights(filter.data(), 64, 32, 3, 3),
        offset(bias.data(), 64), out(output.data(), 64, 28, 28, 1);
    expect(convolution_3x3(in, weights, offset, out) == 0, "the Halide library failed");
    return output;
}

void convolve_often(const Values &expected) {
    for (int i = 0; i < kRounds; i++) {
        expect(run_convolution() == expected, "the Halide library differs from its run alone");
    }
}

// What this program does to its own Halide runtime is no business of the networks', nor the other way
// round.
std::atomic<int> loops{0};

int counted_loop(void *context, halide_task_t task, int min, int size, uint8_t *closure) {
    loops++;
    return halide_default_do_par_for(context, task, min, size, closure);
}

void check_that_runtimes_are_separate(const char *plain, const char *residual) {
    const auto old = halide_set_custom_do_par_for(counted_loop);
    run_once<Plain>(plain);
    run_once<Residual>(residual);
    expect(loops == 0, "a network used the program's Halide runtime");
    run_convolution();
    expect(loops > 0, "the Halide library did not use its own runtime");
    halide_set_custom_do_par_for(old);
}

void check_foreign_weights(const char *plain, const char *residual) {
    tiny_plain_context *context = nullptr;
    expect(tiny_plain_open(residual, &context) == tiny_plain_WEIGHTS_MISMATCH && context == nullptr,
           "weights of another network were taken");
    tiny_residual_context *other = nullptr;
    expect(tiny_residual_open(plain, &other) == tiny_residual_WEIGHTS_MISMATCH,
           "weights of another network were taken");
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        return 2;
    }
    const char *plain = argv[1], *residual = argv[2];
    check_foreign_weights(plain, residual);
    check_that_runtimes_are_separate(plain, residual);

    const Values plain_alone = run_once<Plain>(plain);
    const Values residual_alone = run_once<Residual>(residual);
    const Values convolution_alone = run_convolution();
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreadsEach; i++) {
        threads.emplace_back([&] { run_often<Plain>(plain, plain_alone); });
        threads.emplace_back([&] { run_often<Residual>(residual, residual_alone); });
        threads.emplace_back([&] { convolve_often(convolution_alone); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    return failures == 0 ? 0 : 1;
}
