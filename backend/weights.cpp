#include "backend/weights.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "backend/arena.h"
#include "backend/constant_layout.h"
#include "runtime/tables.h"

namespace emulsion {

namespace {

// Small enough to stay in a core's cache from laying out to writing.
constexpr int64_t kPieceBytes = 512 << 10;

struct Job {
    const ConstantLayout *constant = nullptr;
    LayoutPiece piece;
    int element_bytes = 1;
    int64_t offset = 0;  // in the content
    int64_t bytes = 0;   // with the padding up to the next job
};

class WeightsWriter {
public:
    WeightsWriter(const LinkedNetwork &network, std::string path);
    ContentHash run(int threads);

private:
    void work();
    void write(const void *bytes, size_t size, int64_t offset);

    std::string path_;
    int64_t content_bytes_;
    std::vector<ConstantLayout> constants_;
    std::vector<Job> jobs_;
    std::atomic<size_t> next_{0};
    int file_ = -1;

    // The hash runs through the content in order, so each piece waits for its turn.
    std::mutex mutex_;
    std::condition_variable turn_changed_;
    size_t turn_ = 0;
    int error_ = 0;  // errno of the first write that failed
    XXH3_state_t hash_;
};

WeightsWriter::WeightsWriter(const LinkedNetwork &network, std::string path)
    : path_(std::move(path)), content_bytes_(network.program.weights_bytes) {
    constants_.reserve(network.weights.size());
    for (const WeightEntry &entry : network.weights) {
        const Tensor &tensor = entry.tensor;
        constants_.emplace_back(tensor, entry.layout);
        const int bytes = size_of(tensor.type);
        for (LayoutPiece &piece : constants_.back().pieces(kPieceBytes / bytes)) {
            const int64_t offset = entry.offset + piece.begin * bytes;
            jobs_.push_back({&constants_.back(), std::move(piece), bytes, offset, 0});
        }
    }
    for (size_t i = 0; i < jobs_.size(); i++) {
        const int64_t end = i + 1 < jobs_.size() ? jobs_[i + 1].offset : content_bytes_;
        jobs_[i].bytes = end - jobs_[i].offset;
    }
}

void WeightsWriter::write(const void *bytes, size_t size, int64_t offset) {
    const char *from = static_cast<const char *>(bytes);
    while (size > 0) {
        const ssize_t written = pwrite(file_, from, size, offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            const std::lock_guard lock(mutex_);
            error_ = error_ != 0 ? error_ : written < 0 ? errno : EIO;
            return;
        }
        from += written;
        size -= static_cast<size_t>(written);
        offset += written;
    }
}

void WeightsWriter::work() {
    std::vector<std::byte> buffer;
    for (;;) {
        const size_t i = next_.fetch_add(1);
        if (i >= jobs_.size()) {
            return;
        }
        const Job &job = jobs_[i];
        buffer.resize(static_cast<size_t>(job.bytes));
        job.constant->write(job.piece, buffer.data());
        const int64_t used = (job.piece.end - job.piece.begin) * job.element_bytes;
        std::fill(buffer.begin() + used, buffer.end(), std::byte{0});
        bool failed = false;
        {
            std::unique_lock lock(mutex_);
            turn_changed_.wait(lock, [&] { return turn_ == i; });
            XXH3_128bits_update(&hash_, buffer.data(), buffer.size());
            turn_++;
            failed = error_ != 0;
        }
        turn_changed_.notify_all();
        if (!failed) {
            write(buffer.data(), buffer.size(),
                  job.offset + static_cast<int64_t>(sizeof(EmulsionWeightsHeader)));
        }
    }
}

ContentHash WeightsWriter::run(int threads) {
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file_ < 0) {
        throw failure(fmt::format("can't be written: {}", std::strerror(errno)), {.file = path_});
    }
    XXH3_128bits_reset(&hash_);
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads && i < static_cast<int>(jobs_.size()); i++) {
        helpers.emplace_back([this] { work(); });
    }
    work();
    for (std::thread &helper : helpers) {
        helper.join();
    }
    const XXH128_hash_t digest = XXH3_128bits_digest(&hash_);
    EmulsionWeightsHeader header = {};
    std::memcpy(header.magic, EMULSION_WEIGHTS_MAGIC, sizeof header.magic);
    header.version = EMULSION_WEIGHTS_VERSION;
    header.content_bytes = static_cast<uint64_t>(content_bytes_);
    header.hash[0] = digest.high64;
    header.hash[1] = digest.low64;
    write(&header, sizeof header, 0);
    if (close(file_) != 0 && error_ == 0) {
        error_ = errno;
    }
    if (error_ != 0) {
        throw failure(fmt::format("can't be written: {}", std::strerror(error_)), {.file = path_});
    }
    return {digest.high64, digest.low64};
}

}  // namespace

std::string hash_hex(const ContentHash &hash) { return hash_hex(hash[0], hash[1]); }

ContentHash write_weights(const LinkedNetwork &network, const std::string &path, int threads) {
    return WeightsWriter(network, path).run(threads);
}

}  // namespace emulsion
