// A mutex that needs neither a constructor at start-up nor the C++ library.
#pragma once

#include <pthread.h>

namespace emulsion::runtime::gpu {

class Mutex {
public:
    constexpr Mutex() = default;
    Mutex(const Mutex &) = delete;
    Mutex &operator=(const Mutex &) = delete;
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class Locked {
public:
    explicit Locked(Mutex &mutex) : mutex_(mutex) { mutex_.lock(); }
    ~Locked() { mutex_.unlock(); }
    Locked(const Locked &) = delete;
    Locked &operator=(const Locked &) = delete;

private:
    Mutex &mutex_;
};

}  // namespace emulsion::runtime::gpu
