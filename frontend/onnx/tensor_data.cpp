#include "frontend/onnx/tensor_data.h"

#include <onnx/onnx_pb.h>

#include <bit>
#include <utility>
#include <vector>

#include "frontend/onnx/names.h"

namespace emulsion {

namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

using Proto = std::shared_ptr<const onnx::TensorProto>;

std::string type_name(int onnx_type) {
    return onnx::TensorProto::DataType_IsValid(onnx_type)
               ? onnx::TensorProto::DataType_Name(
                     static_cast<onnx::TensorProto::DataType>(onnx_type))
               : "number " + std::to_string(onnx_type);
}

// The elements of a typed field as they are, kept alive by `owner`.
template<typename T>
ConstantData shared_field(const Proto &owner, const google::protobuf::RepeatedField<T> &field) {
    return {owner, reinterpret_cast<const std::byte *>(field.data()),
            static_cast<size_t>(field.size()) * sizeof(T)};
}

// The elements of a typed field that is wider than the element type, which is T.
template<typename T, typename Field>
ConstantData narrowed_field(const Field &field) {
    std::vector<std::byte> bytes(static_cast<size_t>(field.size()) * sizeof(T));
    for (int i = 0; i < field.size(); ++i) {
        reinterpret_cast<T *>(bytes.data())[i] = static_cast<T>(field.Get(i));
    }
    return make_constant(std::move(bytes));
}

// Each element type has its elements in one of a few fields: that of its own type, or a wider one.
ConstantData typed_data(const Proto &proto, DataType type) {
    return with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, float>) {
            return shared_field(proto, proto->float_data());
        } else if constexpr (std::is_same_v<T, double>) {
            return shared_field(proto, proto->double_data());
        } else if constexpr (std::is_same_v<T, int32_t>) {
            return shared_field(proto, proto->int32_data());
        } else if constexpr (std::is_same_v<T, int64_t>) {
            return shared_field(proto, proto->int64_data());
        } else if constexpr (std::is_same_v<T, uint64_t>) {
            return shared_field(proto, proto->uint64_data());
        } else if constexpr (std::is_same_v<T, uint32_t>) {
            return narrowed_field<T>(proto->uint64_data());
        } else {
            return narrowed_field<T>(proto->int32_data());
        }
    });
}

// Any non-zero byte is true in a file; generated code counts on 1.
ConstantData as_bools(const ConstantData &data) {
    std::vector<std::byte> bytes(data.size);
    for (size_t i = 0; i < data.size; ++i) {
        bytes[i] = data.bytes[i] == std::byte{0} ? std::byte{0} : std::byte{1};
    }
    return make_constant(std::move(bytes));
}

}  // namespace

DataType data_type_of(int onnx_type, const std::string &what) {
    for (const DataTypeTraits &traits : all_data_types()) {
        if (traits.onnx == onnx_type) {
            return traits.type;
        }
    }
    throw Error(what + " has elements of type " + type_name(onnx_type) +
                "; FLOAT, DOUBLE, BOOL and integers of 8 to 64 bits are supported")
        .with_remedy("convert the model to one of these types, or compile it as it was before "
                     "it was converted or quantised");
}

int onnx_type_of(DataType type) { return traits_of(type).onnx; }

void check_shape(const std::vector<Dim> &shape, const LoadLimits &limits, const std::string &what) {
    if (shape.size() > static_cast<size_t>(limits.rank)) {
        throw Error(what + " has rank " + std::to_string(shape.size()) + ", more than the " +
                    std::to_string(limits.rank) + " accepted");
    }
    int64_t count = 1;
    for (const Dim &dim : shape) {
        if (!dim.is_constant()) {
            require_printable(dim.symbol(), "the name of a dimension of " + what, {});
            continue;
        }
        if (dim.value() < 0) {
            throw Error(what + " has a dimension of " + std::to_string(dim.value()));
        }
        if (__builtin_mul_overflow(count, dim.value(), &count) || count > limits.tensor_elements) {
            throw Error(what + " has more than the " + std::to_string(limits.tensor_elements) +
                        " elements accepted");
        }
    }
}

void require_supported_type(const onnx::TensorProto &proto, const LoadLimits &limits) {
    const std::string what = "initializer '" + proto.name() + "'";
    data_type_of(proto.data_type(), what);
    check_shape(std::vector<Dim>(proto.dims().begin(), proto.dims().end()), limits, what);
}

Tensor constant_tensor(const Proto &proto, ExternalData &external, const LoadLimits &limits) {
    const std::string what = "initializer '" + proto->name() + "'";
    Tensor tensor;
    tensor.name = proto->name();
    tensor.type = data_type_of(proto->data_type(), what);
    tensor.shape.assign(proto->dims().begin(), proto->dims().end());
    check_shape(tensor.shape, limits, what);
    const auto expected =
        static_cast<size_t>(tensor.element_count()) * static_cast<size_t>(size_of(tensor.type));

    ConstantData data;
    if (proto->data_location() == onnx::TensorProto::EXTERNAL) {
        data = external.read(*proto, expected);
    } else if (proto->has_raw_data()) {
        const std::string &raw = proto->raw_data();
        data = {proto, reinterpret_cast<const std::byte *>(raw.data()), raw.size()};
    } else {
        data = typed_data(proto, tensor.type);
    }
    if (data.size != expected) {
        throw Error(what + " has " + std::to_string(data.size) + " bytes of data where its type " +
                    "and shape need " + std::to_string(expected));
    }
    tensor.constant = tensor.type == DataType::Bool ? as_bools(data) : data;
    return tensor;
}

}  // namespace emulsion
