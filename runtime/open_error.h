// Why opening a context failed: there is none that could keep the sentence, so each thread has one.
#pragma once

namespace emulsion::runtime {

// Of this thread's last opening; "" if it succeeded or the error's code says it all.
const char *open_error();
void clear_open_error();
void set_open_error(const char *message);

}  // namespace emulsion::runtime
