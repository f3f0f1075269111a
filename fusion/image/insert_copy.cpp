#include "fusion/image/insert_copy.h"

#include <utility>

namespace emulsion {

int insert_copy(ImageGraph &graph, int i, const std::set<int> &readers, const std::string &reader) {
    const int at = i + 1;
    ImageStage copy = graph.stages[static_cast<size_t>(i)];
    copy.copy_of = copy.name;
    copy.name += " for " + reader;
    graph.stages.insert(graph.stages.begin() + at, std::move(copy));
    for (int s = 0; s < static_cast<int>(graph.stages.size()); s++) {
        const bool of_copy = s == at || (s > at && readers.count(s - 1) != 0);
        for (Definition &definition : graph.stages[static_cast<size_t>(s)].definitions) {
            for (ImageRead &read : definition.reads) {
                const bool moves = read.producer >= at || (read.producer == i && of_copy);
                read.producer += moves ? 1 : 0;
            }
        }
    }
    return at;
}

}  // namespace emulsion
