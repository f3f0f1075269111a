#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "backend/arena.h"
#include "backend/program.h"
#include "fusion/preferred_orders.h"

namespace emulsion {

namespace {

constexpr int kNobody = -1;

// Where a planned value and all that alias it lie. Indexed by the value that owns the memory.
struct Home {
    Storage storage = Storage::Arena;
    int index = 0;
    int64_t offset = 0;
    int first = std::numeric_limits<int>::max(), last = -1;  // launches that use it

    // From before the first of `launches` until after the last.
    void keep(size_t launches) {
        first = 0;
        last = static_cast<int>(launches);
    }
};

class Placer {
public:
    explicit Placer(const PlannedNetwork &network)
        : graph_(network.graph), network_(network), values_(network.plan.values) {}

    LinkedNetwork run();

private:
    size_t owner(int value) const;
    const Tensor &tensor(int value) const;
    bool is_dense(int value) const;
    void find_writers_and_readers();
    void find_storage();
    void bind_outputs();
    void bind_output(int output);
    bool is_filled_once(size_t owner) const;
    void keep_halos();
    void place_arena();
    void place_weights();
    void find_live_bytes();
    int view(int value, bool interior);
    HaloFill fill_of(int owner);
    void add_launch(const PlannedLaunch &launch);
    void add_copies();

    const Graph &graph_;
    const PlannedNetwork &network_;
    const std::vector<PlannedValue> &values_;
    std::vector<Home> homes_;    // per planned value; meaningful for owners
    std::vector<int> writer_;    // launch that writes a value, or kNobody
    std::vector<bool> used_;     // by a launch or as an output
    std::vector<bool> filled_;   // whether a launch fills the halo
    std::map<int, int> copied_;  // output -> planned value that it is copied from
    std::map<std::pair<int, bool>, int> views_;
    LinkedNetwork result_;
};

size_t Placer::owner(int value) const { return static_cast<size_t>(network_.plan.owner(value)); }

const Tensor &Placer::tensor(int value) const {
    return graph_.tensor(network_.value_tensor.at(static_cast<size_t>(value)));
}

// Whether the value's bytes are what a caller's buffer holds.
bool Placer::is_dense(int value) const {
    return is_dense_row_major(tensor(value).extents(), values_[static_cast<size_t>(value)].layout);
}

void Placer::find_writers_and_readers() {
    homes_.resize(values_.size());
    writer_.assign(values_.size(), kNobody);
    used_.assign(values_.size(), false);
    filled_.assign(values_.size(), false);
    for (size_t l = 0; l < network_.launches.size(); l++) {
        const PlannedLaunch &launch = network_.launches[l];
        std::vector<int> touched = launch.inputs;
        touched.push_back(launch.output);
        for (int value : touched) {
            Home &home = homes_[owner(value)];
            home.first = std::min(home.first, static_cast<int>(l));
            home.last = std::max(home.last, static_cast<int>(l));
            used_[owner(value)] = true;
        }
        writer_[owner(launch.output)] = static_cast<int>(l);
    }
}

// The caller's inputs and constants; everything else that a launch writes is the arena's for now.
void Placer::find_storage() {
    for (size_t v = 0; v < values_.size(); v++) {
        if (values_[v].alias_of >= 0 || writer_[v] != kNobody) {
            continue;
        }
        const TensorId id = network_.value_tensor[v];
        if (graph_.tensor(id).is_constant()) {
            homes_[v].storage = Storage::Weights;
            continue;
        }
        const auto input = std::find(graph_.inputs.begin(), graph_.inputs.end(), id);
        if (input != graph_.inputs.end()) {
            assert(!used_[v] || is_dense(static_cast<int>(v)));
            homes_[v].storage = Storage::Input;
            homes_[v].index = static_cast<int>(input - graph_.inputs.begin());
        } else {
            assert(!used_[v] && "a launch reads a value that nothing writes");
        }
    }
}

void Placer::bind_output(int output) {
    const TensorId id = graph_.outputs[static_cast<size_t>(output)];
    int source = kNobody;
    for (size_t v = 0; v < values_.size(); v++) {
        const int value = static_cast<int>(v);
        const size_t root = owner(value);
        const bool written = homes_[root].storage != Storage::Arena || writer_[root] != kNobody;
        if (network_.value_tensor[v] != id || !written || !is_dense(value)) {
            continue;
        }
        if (homes_[root].storage == Storage::Arena && is_dense(static_cast<int>(root))) {
            homes_[root].storage = Storage::Output;
            homes_[root].index = output;
            return;
        }
        source = value;
    }
    assert(source != kNobody && "no planned value has the layout of a network output");
    copied_[output] = source;
    Home &home = homes_[owner(source)];
    home.last = static_cast<int>(network_.launches.size());
    used_[owner(source)] = true;
}

void Placer::bind_outputs() {
    for (size_t o = 0; o < graph_.outputs.size(); o++) {
        bind_output(static_cast<int>(o));
    }
}

// Whether what has a halo keeps its memory from run to run, so that the halo is filled once. On a GPU filling
// takes a launch; on a CPU a halo that is larger than what it surrounds (dilated windows on small images) takes
// longer to fill than that takes to write, and a smaller one isn't worth the memory.
bool Placer::is_filled_once(size_t owner) const {
    const PlannedValue &value = values_[owner];
    if (!value.layout.has_halo() || homes_[owner].storage != Storage::Arena) {
        return false;
    }
    const Tensor &t = tensor(static_cast<int>(owner));
    return network_.on_gpu || allocated_elements(t.extents(), value.layout) > 2 * t.element_count();
}

void Placer::keep_halos() {
    for (size_t v = 0; v < values_.size(); v++) {
        if (used_[v] && is_filled_once(v)) {
            homes_[v].keep(network_.launches.size());
        }
    }
}

void Placer::place_arena() {
    std::vector<ArenaRequest> requests;
    std::vector<size_t> owners;
    std::vector<int64_t *> callers;
    keep_halos();
    if (network_.on_gpu) {
        result_.program.on_gpu = true;
        const auto add = [&](const std::vector<TensorId> &tensors, std::vector<int64_t> &offsets) {
            offsets.resize(tensors.size());
            for (size_t i = 0; i < tensors.size(); i++) {
                const Tensor &t = graph_.tensor(tensors[i]);
                requests.push_back({t.element_count() * size_of(t.type), 0,
                                    static_cast<int>(network_.launches.size())});
                callers.push_back(&offsets[i]);
            }
        };
        add(graph_.inputs, result_.program.device_inputs);
        add(graph_.outputs, result_.program.device_outputs);
    }
    for (size_t v = 0; v < values_.size(); v++) {
        if (used_[v] && homes_[v].storage == Storage::Arena) {
            const Tensor &t = tensor(static_cast<int>(v));
            requests.push_back(
                {allocated_elements(t.extents(), values_[v].layout) * size_of(t.type),
                 homes_[v].first, homes_[v].last});
            owners.push_back(v);
        }
    }
    const ArenaPlan plan = plan_arena(requests);
    for (size_t i = 0; i < callers.size(); i++) {
        *callers[i] = plan.offsets[i];
    }
    for (size_t i = 0; i < owners.size(); i++) {
        homes_[owners[i]].offset = plan.offsets[callers.size() + i];
    }
    result_.program.arena_bytes = plan.bytes;
}

// Equal constants in equal layouts are stored once.
void Placer::place_weights() {
    int64_t offset = 0;
    for (size_t v = 0; v < values_.size(); v++) {
        if (!used_[v] || homes_[v].storage != Storage::Weights) {
            continue;
        }
        const Tensor &t = tensor(static_cast<int>(v));
        const auto same = [&](const WeightEntry &entry) {
            const Tensor &other = entry.tensor;
            return other.type == t.type && entry.layout == values_[v].layout &&
                   other.extents() == t.extents() &&
                   (other.constant->bytes == t.constant->bytes ||
                    std::memcmp(other.constant->bytes, t.constant->bytes, t.constant->size) == 0);
        };
        const auto entry = std::find_if(result_.weights.begin(), result_.weights.end(), same);
        if (entry != result_.weights.end()) {
            homes_[v].offset = entry->offset;
            continue;
        }
        homes_[v].offset = offset;
        result_.weights.push_back({t, values_[v].layout, offset});
        offset +=
            align_storage(allocated_elements(t.extents(), values_[v].layout) * size_of(t.type));
    }
    result_.program.weights_bytes = offset;
    result_.program.device_weights_bytes = network_.on_gpu ? offset : 0;
}

void Placer::find_live_bytes() {
    for (int l = 0; l < static_cast<int>(network_.launches.size()); l++) {
        int64_t live = 0;
        for (size_t v = 0; v < values_.size(); v++) {
            if (used_[v] && homes_[v].storage == Storage::Arena && homes_[v].first <= l &&
                l <= homes_[v].last) {
                const Tensor &t = tensor(static_cast<int>(v));
                live += t.element_count() * size_of(t.type);
            }
        }
        result_.program.live_bytes = std::max(result_.program.live_bytes, live);
    }
}

// A view of the whole allocation, or of the tensor without its halo.
int Placer::view(int value, bool interior) {
    const auto known = views_.find({value, interior});
    if (known != views_.end()) {
        return known->second;
    }
    const Tensor &t = tensor(value);
    const Layout &layout = values_[static_cast<size_t>(value)].layout;
    const Home &home = homes_[owner(value)];
    BufferView view;
    view.storage = home.storage;
    view.index = home.index;
    view.offset = home.offset;
    view.type = t.type;
    view.tensor = network_.value_tensor[static_cast<size_t>(value)];
    view.block_axis = layout.block_axis;
    view.block = layout.block;
    const std::vector<int64_t> extents = t.extents();
    view.offset +=
        size_of(t.type) * network_.plan.start(value, [&](int v) { return tensor(v).extents(); });
    view.dimensions = buffer_dimensions(extents, layout);
    if (allocated_elements(extents, layout) > std::numeric_limits<int32_t>::max()) {
        throw Error(fmt::format("tensor '{}' has more elements than the 2147483647 that a buffer "
                                "can hold",
                                t.name));
    }
    if (interior) {
        view.offset += interior_offset(extents, layout) * size_of(t.type);
        for (size_t d = 0; d < extents.size(); d++) {
            if (static_cast<int>(d) != layout.block_axis) {
                view.dimensions[d].min = 0;
                view.dimensions[d].extent = extents[d];
            }
        }
    }
    const int index = static_cast<int>(result_.program.views.size());
    result_.program.views.push_back(std::move(view));
    views_[{value, interior}] = index;
    return index;
}

// All around the memory: the first launch that writes a part of it does that for all who do.
HaloFill Placer::fill_of(int owner) {
    const Layout &layout = values_[static_cast<size_t>(owner)].layout;
    HaloFill fill;
    fill.view = view(owner, false);
    fill.value = layout.fill;
    fill.once = is_filled_once(static_cast<size_t>(owner));
    const size_t rank = result_.program.views[static_cast<size_t>(fill.view)].dimensions.size();
    for (size_t d = 0; d < rank; d++) {
        fill.margin.push_back(layout.margin(static_cast<int>(d)));
    }
    return fill;
}

void Placer::add_launch(const PlannedLaunch &planned) {
    Launch launch;
    launch.unit = unit_key(planned.unit);
    launch.label = planned.label;
    for (int input : planned.inputs) {
        launch.views.push_back(view(input, false));
    }
    const size_t memory = owner(planned.output);
    if (values_[memory].layout.has_halo() && !filled_[memory]) {
        filled_[memory] = true;
        launch.fills.push_back(fill_of(static_cast<int>(memory)));
    }
    launch.views.push_back(view(planned.output, true));
    result_.program.launches.push_back(std::move(launch));
}

void Placer::add_copies() {
    for (const auto &[output, value] : copied_) {
        const Tensor &t = tensor(value);
        result_.program.copies.push_back(
            {view(value, true), output, t.element_count() * size_of(t.type)});
    }
}

LinkedNetwork Placer::run() {
    find_writers_and_readers();
    find_storage();
    bind_outputs();
    place_arena();
    place_weights();
    find_live_bytes();
    for (const PlannedLaunch &launch : network_.launches) {
        add_launch(launch);
    }
    add_copies();
    result_.program.inputs = graph_.inputs;
    result_.program.outputs = graph_.outputs;
    return std::move(result_);
}

}  // namespace

void share_weights_file(LinkedNetwork &gpu, LinkedNetwork &cpu) {
    const int64_t first = gpu.program.weights_bytes;
    for (BufferView &view : cpu.program.views) {
        view.offset += view.storage == Storage::Weights ? first : 0;
    }
    for (WeightEntry entry : cpu.weights) {
        entry.offset += first;
        gpu.weights.push_back(entry);
    }
    cpu.weights = gpu.weights;
    gpu.program.weights_bytes += cpu.program.weights_bytes;
    cpu.program.weights_bytes = gpu.program.weights_bytes;
}

LinkedNetwork place(const PlannedNetwork &network) { return Placer(network).run(); }

}  // namespace emulsion
