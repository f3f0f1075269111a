#include "frontend/onnx/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "fusion/error.h"

namespace emulsion {

FileDescriptor::~FileDescriptor() {
    if (valid()) {
        close(value_);
    }
}

FileDescriptor &FileDescriptor::operator=(FileDescriptor &&other) noexcept {
    std::swap(value_, other.value_);
    return *this;
}

int64_t regular_file_size(const FileDescriptor &file) {
    struct stat status = {};
    if (fstat(file.get(), &status) != 0) {
        throw Error(std::string("it can't be examined: ") + std::strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        throw Error("it is a directory; a file is expected");
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error("it is no regular file");
    }
    return status.st_size;
}

std::shared_ptr<std::byte[]> read_bytes(const FileDescriptor &file, int64_t offset, size_t size) {
    // Default-initialised: zeroing half a gigabyte only to overwrite it takes time.
    std::shared_ptr<std::byte[]> bytes(new std::byte[std::max<size_t>(size, 1)]);
    posix_fadvise(file.get(), offset, static_cast<off_t>(size), POSIX_FADV_SEQUENTIAL);
    for (size_t done = 0; done < size;) {
        const ssize_t got = pread(file.get(), bytes.get() + done, size - done,
                                  static_cast<off_t>(offset + static_cast<int64_t>(done)));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throw Error(std::string("it can't be read: ") + std::strerror(errno));
        }
        if (got == 0) {
            throw Error("it ended while it was read");
        }
        done += static_cast<size_t>(got);
    }
    return bytes;
}

}  // namespace emulsion
