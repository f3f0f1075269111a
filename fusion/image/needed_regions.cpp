#include "fusion/image/needed_regions.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace emulsion {

namespace {

double length(const Reach &reach, const Extents &region) {
    double length = reach.window;
    for (size_t axis = 0; axis < region.size(); axis++) {
        length += reach.stride[axis] * (region[axis] - 1.0);
    }
    return length;
}

// Adds what `region` of a reader needs of `producer`; of one that is computed, all along axes that its definitions
// don't walk freely.
void merge(Extents &needed, const std::vector<Reach> &reaches, const Extents &region,
           const ImageStage &producer, bool computed) {
    needed.resize(producer.extents.size(), 0.0);
    for (size_t i = 0; i < needed.size(); i++) {
        const auto whole = static_cast<double>(producer.extents[i]);
        const bool all =
            computed && std::any_of(producer.definitions.begin(), producer.definitions.end(),
                                    [&](const Definition &d) { return !d.free[i]; });
        needed[i] =
            all ? whole
                : std::min(std::max(needed[i], std::ceil(length(reaches[i], region))), whole);
    }
}

// Whether a tile computes what stage `i` defines.
bool walks(int i, const StagePlacements &placements, const std::set<int> &stored) {
    return stored.count(i) != 0 || placements[static_cast<size_t>(i)] == Placement::Inline;
}

// Calls visit(read, how many elements it asks for at most, region of the reader) for all that a tile reads. Of an inlined
// stage, no more elements read something than its readers ask for: most of what they ask for is the same.
template<typename Visit>
void for_each_read(const ImageGraph &graph, const StagePlacements &placements,
                   const std::set<int> &stored, const std::map<int, Extents> &needed,
                   const Visit &visit) {
    std::map<int, double> asked_for;  // elements of inlined stages
    for (auto it = needed.rbegin(); it != needed.rend(); ++it) {
        const auto &[reader, region] = *it;
        if (!walks(reader, placements, stored)) {
            continue;
        }
        const bool is_inlined = stored.count(reader) == 0;
        for (const Definition &definition : graph.stages[static_cast<size_t>(reader)].definitions) {
            const double all = evaluations(definition, region);
            const double count = is_inlined ? std::min(all, asked_for[reader]) : all;
            for (const ImageRead &read : definition.reads) {
                const double asked = count * static_cast<double>(read.taps.size());
                if (read.producer >= 0) {
                    asked_for[read.producer] = std::max(asked_for[read.producer], asked);
                }
                visit(read, asked, region);
            }
        }
    }
}

}  // namespace

double product(const Extents &extents) {
    double all = 1.0;
    for (const double e : extents) {
        all *= e;
    }
    return all;
}

double evaluations(const Definition &definition, const Extents &region) {
    double count = product({definition.reduced.begin(), definition.reduced.end()});
    for (size_t axis = 0; axis < region.size(); axis++) {
        count *= definition.free[axis] ? region[axis] : 1.0;
    }
    return count;
}

double column_loops(const Definition &definition, const Extents &region) {
    const double columns = std::max(region.empty() ? 1.0 : region.front(), 1.0);
    return (definition.scans ? evaluations(definition, region) : product(region)) / columns;
}

double input_bytes(const ImageGraph &graph, const StagePlacements &placements,
                   const std::set<int> &stored, const std::map<int, Extents> &needed) {
    double bytes = 0.0;
    for_each_read(graph, placements, stored, needed,
                  [&](const ImageRead &read, double asked, const Extents &region) {
                      if (read.producer >= 0 || read.data_dependent) {
                          return;
                      }
                      Extents of_input;
                      for (const Reach &reach : read.all) {
                          of_input.push_back(length(reach, region));
                      }
                      bytes += std::min(product(of_input), asked) * read.element_bytes;
                  });
    return bytes;
}

std::map<int, double> read_elements(const ImageGraph &graph, const StagePlacements &placements,
                                    const std::set<int> &stored,
                                    const std::map<int, Extents> &needed) {
    std::map<int, double> elements;
    for_each_read(graph, placements, stored, needed,
                  [&](const ImageRead &read, double asked, const Extents &) {
                      if (read.producer >= 0 && !walks(read.producer, placements, stored)) {
                          elements[read.producer] = std::max(elements[read.producer], asked);
                      }
                  });
    for (auto &[producer, asked] : elements) {
        asked = std::min(asked, product(needed.at(producer)));
    }
    return elements;
}

std::map<int, Extents> needed_regions(const ImageGraph &graph, const StagePlacements &placements,
                                      const std::set<int> &stored, const TileOfRoot &tile) {
    std::map<int, Extents> needed{{tile.root, tile.extents}};
    // Readers before what they read, which is added meanwhile.
    for (auto it = needed.rbegin(); it != needed.rend();
         it = std::make_reverse_iterator(needed.find(it->first))) {
        const int reader = it->first;
        if (!walks(reader, placements, stored)) {
            continue;
        }
        const Extents region = it->second;
        const auto &definitions = graph.stages[static_cast<size_t>(reader)].definitions;
        for (size_t d = 0; d < definitions.size(); d++) {
            const bool step = reader == tile.root && static_cast<int>(d) == tile.step;
            for (const ImageRead &read : definitions[d].reads) {
                if (read.producer >= 0) {
                    merge(needed[read.producer], step ? read.step : read.all, region,
                          graph.stages[static_cast<size_t>(read.producer)],
                          stored.count(read.producer) != 0);
                }
            }
        }
    }
    return needed;
}

}  // namespace emulsion
