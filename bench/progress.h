// Progress of long work: one line on stderr that replaces itself, only where that is a terminal.
#pragma once

#include <string>

namespace emulsion {

class Progress {
public:
    Progress();
    ~Progress();  // clears the line
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // `total` 0 means that it is not known.
    void show(int done, int total, const std::string &what);
    void clear();

private:
    bool terminal_;
    bool shown_ = false;
};

}  // namespace emulsion
