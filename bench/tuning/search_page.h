// A search as a page for a browser: how every group became faster, by trial, and what was tried.
#pragma once

#include <string>

#include "bench/tuning/tune_network.h"

namespace emulsion {

// One file that needs no other and runs no script. Of every group a picture: its trials as dots, coloured by why they were proposed, what
// is the fastest so far as a line, and the planned nest's time; its learning curve with what was expected of it; and what the strategy's model
// believes over two parameters. Of all trials that a model proposed predicted and measured times.
std::string search_page(const TunedNetwork &tuned, const std::string &model,
                        const std::string &strategy);

}  // namespace emulsion
