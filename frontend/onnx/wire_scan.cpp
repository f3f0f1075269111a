#include "frontend/onnx/wire_scan.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx_pb.h>

#include <climits>
#include <cstdint>
#include <string>

#include "fusion/error.h"

namespace emulsion {

namespace {

using google::protobuf::internal::WireFormatLite;

// What an object costs beside its data (sizes of the generated classes and of std::string, with
// what the allocator adds), and how much of that is accepted: ten million nodes' worth.
constexpr int64_t kMessageBytes = 256;
constexpr int64_t kStringBytes = 64;
constexpr int64_t kLargestOverhead = int64_t{4} << 30;

// The messages that a file can repeat, and where they are nested. (onnx's classes are generated for
// protobuf's lite runtime, which has no descriptors to ask.)
enum class Message {
    Model,
    Graph,
    Function,
    Training,
    Node,
    Attribute,
    Tensor,
    SparseTensor,
    ValueInfo,
    Type,
    TensorType,
    Shape,
    Dimension,
    Leaf  // without messages of its own inside
};

struct Nested {
    Message outer;
    int field;
    Message inner;
};

constexpr Nested kNested[] = {
    {Message::Model, onnx::ModelProto::kGraphFieldNumber, Message::Graph},
    {Message::Model, onnx::ModelProto::kOpsetImportFieldNumber, Message::Leaf},
    {Message::Model, onnx::ModelProto::kMetadataPropsFieldNumber, Message::Leaf},
    {Message::Model, onnx::ModelProto::kTrainingInfoFieldNumber, Message::Training},
    {Message::Model, onnx::ModelProto::kFunctionsFieldNumber, Message::Function},
    {Message::Training, onnx::TrainingInfoProto::kInitializationFieldNumber, Message::Graph},
    {Message::Training, onnx::TrainingInfoProto::kAlgorithmFieldNumber, Message::Graph},
    {Message::Function, onnx::FunctionProto::kNodeFieldNumber, Message::Node},
    {Message::Function, onnx::FunctionProto::kAttributeProtoFieldNumber, Message::Attribute},
    {Message::Function, onnx::FunctionProto::kValueInfoFieldNumber, Message::ValueInfo},
    {Message::Graph, onnx::GraphProto::kNodeFieldNumber, Message::Node},
    {Message::Graph, onnx::GraphProto::kInitializerFieldNumber, Message::Tensor},
    {Message::Graph, onnx::GraphProto::kSparseInitializerFieldNumber, Message::SparseTensor},
    {Message::Graph, onnx::GraphProto::kInputFieldNumber, Message::ValueInfo},
    {Message::Graph, onnx::GraphProto::kOutputFieldNumber, Message::ValueInfo},
    {Message::Graph, onnx::GraphProto::kValueInfoFieldNumber, Message::ValueInfo},
    {Message::Graph, onnx::GraphProto::kQuantizationAnnotationFieldNumber, Message::Leaf},
    {Message::Node, onnx::NodeProto::kAttributeFieldNumber, Message::Attribute},
    {Message::Attribute, onnx::AttributeProto::kTFieldNumber, Message::Tensor},
    {Message::Attribute, onnx::AttributeProto::kTensorsFieldNumber, Message::Tensor},
    {Message::Attribute, onnx::AttributeProto::kGFieldNumber, Message::Graph},
    {Message::Attribute, onnx::AttributeProto::kGraphsFieldNumber, Message::Graph},
    {Message::Attribute, onnx::AttributeProto::kTpFieldNumber, Message::Type},
    {Message::Attribute, onnx::AttributeProto::kTypeProtosFieldNumber, Message::Type},
    {Message::Attribute, onnx::AttributeProto::kSparseTensorFieldNumber, Message::SparseTensor},
    {Message::Attribute, onnx::AttributeProto::kSparseTensorsFieldNumber, Message::SparseTensor},
    {Message::Tensor, onnx::TensorProto::kExternalDataFieldNumber, Message::Leaf},
    {Message::SparseTensor, onnx::SparseTensorProto::kValuesFieldNumber, Message::Tensor},
    {Message::SparseTensor, onnx::SparseTensorProto::kIndicesFieldNumber, Message::Tensor},
    {Message::ValueInfo, onnx::ValueInfoProto::kTypeFieldNumber, Message::Type},
    {Message::Type, onnx::TypeProto::kTensorTypeFieldNumber, Message::TensorType},
    {Message::TensorType, onnx::TypeProto::Tensor::kShapeFieldNumber, Message::Shape},
    {Message::Shape, onnx::TensorShapeProto::kDimFieldNumber, Message::Dimension},
};

const Nested *nested(Message outer, int field) {
    for (const Nested &entry : kNested) {
        if (entry.outer == outer && entry.field == field) {
            return &entry;
        }
    }
    return nullptr;
}

class Scanner {
public:
    Scanner(const std::byte *bytes, size_t size, int nesting)
        : stream_(reinterpret_cast<const uint8_t *>(bytes), static_cast<int>(size)),
          nesting_(nesting) {
        stream_.SetTotalBytesLimit(INT_MAX);
        stream_.SetRecursionLimit(nesting);
    }

    void message(Message type, int depth) {
        if (depth > nesting_) {
            throw Error("its protobuf data is nested more than " + std::to_string(nesting_) +
                        " deep");
        }
        while (const uint32_t tag = stream_.ReadTag()) {
            field(nested(type, WireFormatLite::GetTagFieldNumber(tag)), tag, depth);
        }
        if (!stream_.ConsumedEntireMessage()) {
            damaged();
        }
    }

private:
    [[noreturn]] static void damaged() {
        throw Error("it is no ONNX model, or a damaged one: its protobuf data can't be read to the "
                    "end");
    }

    void field(const Nested *inner, uint32_t tag, int depth) {
        const bool delimited =
            WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
        charge(!delimited ? 0 : inner != nullptr ? kMessageBytes : kStringBytes);
        if (inner == nullptr || !delimited) {
            if (!WireFormatLite::SkipField(&stream_, tag)) {
                damaged();
            }
            return;
        }
        int size = 0;
        if (!stream_.ReadVarintSizeAsInt(&size)) {
            damaged();
        }
        const int outer_left = stream_.BytesUntilLimit();
        if (outer_left >= 0 && size > outer_left) {
            damaged();
        }
        const auto limit = stream_.PushLimit(size);
        message(inner->inner, depth + 1);
        stream_.PopLimit(limit);
    }

    void charge(int64_t bytes) {
        overhead_ += bytes;
        if (overhead_ > kLargestOverhead) {
            throw Error("it has more nodes, attributes and names than fit " +
                        std::to_string(kLargestOverhead >> 30) + " GiB of memory");
        }
    }

    google::protobuf::io::CodedInputStream stream_;
    int nesting_;
    int64_t overhead_ = 0;
};

}  // namespace

void scan_wire(const std::byte *bytes, size_t size, int nesting) {
    Scanner(bytes, size, nesting).message(Message::Model, 0);
}

}  // namespace emulsion
