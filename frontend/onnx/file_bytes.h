// Bytes of regular files, read with checks. Nothing is mapped: a file that another process shortens
// while it is mapped kills the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace emulsion {

// A file descriptor that is closed with its owner.
class FileDescriptor {
public:
    explicit FileDescriptor(int value) : value_(value) {}
    ~FileDescriptor();
    FileDescriptor(FileDescriptor &&other) noexcept : value_(other.value_) { other.value_ = -1; }
    FileDescriptor &operator=(FileDescriptor &&other) noexcept;

    int get() const { return value_; }
    bool valid() const { return value_ >= 0; }

private:
    int value_;
};

// Size of an open regular file. Throws Error for a directory, a device, a pipe.
int64_t regular_file_size(const FileDescriptor &file);

// `size` bytes from `offset`, in a buffer aligned for every element type. Throws Error when the file
// ends before, or can't be read.
std::shared_ptr<std::byte[]> read_bytes(const FileDescriptor &file, int64_t offset, size_t size);

}  // namespace emulsion
