"""Networks in Keras, channels last as TensorFlow has them: tf2onnx brings them into ONNX's order with
Transposes. MODELS maps a name to a function that makes a model."""

import keras
import tensorflow as tf
from keras import layers


def image(height=8, width=8, channels=3):
    return keras.Input((height, width, channels), batch_size=1)


def chain(*parts, x=None):
    inputs = x if x is not None else image()
    y = inputs
    for part in parts:
        y = part(y)
    return keras.Model(inputs, y)


def conv_bn(filters, kernel=3, strides=1, act="relu", padding="same", depthwise=False):
    def apply(x):
        if depthwise:
            x = layers.DepthwiseConv2D(kernel, strides, padding, use_bias=False)(x)
        else:
            x = layers.Conv2D(filters, kernel, strides, padding, use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        return layers.Activation(act)(x) if act else x
    return apply


def relu6(x):
    return layers.ReLU(6.0)(x)


def inverted_residual():
    inputs = image(channels=4)
    x = relu6(conv_bn(16, 1, act=None)(inputs))
    x = relu6(conv_bn(16, act=None, depthwise=True)(x))
    return keras.Model(inputs, layers.Add()([inputs, conv_bn(4, 1, act=None)(x)]))


def strided_same():
    """As Keras' MobileNets have it: an explicit pad before a strided depthwise convolution."""
    inputs = image(9, 9, 4)
    x = layers.ZeroPadding2D(((0, 1), (0, 1)))(inputs)
    x = conv_bn(4, strides=2, act="relu", padding="valid", depthwise=True)(x)
    return keras.Model(inputs, layers.Conv2D(8, 3, 2, "same")(x))


def squeeze_excite():
    inputs = image()
    x = conv_bn(8, act="silu")(inputs)
    s = layers.GlobalAveragePooling2D()(x)
    s = layers.Reshape((1, 1, 8))(s)
    s = layers.Conv2D(2, 1, activation="silu")(s)
    s = layers.Conv2D(8, 1, activation="sigmoid")(s)
    return keras.Model(inputs, layers.Multiply()([x, s]))


def branches():
    inputs = image()
    parts = [layers.Conv2D(4, k, padding="same", activation="relu")(inputs) for k in (1, 3, 5)]
    parts.append(layers.MaxPooling2D(3, 1, "same")(inputs))
    return keras.Model(inputs, layers.Concatenate()(parts))


def classifier():
    return chain(conv_bn(8, strides=2), layers.GlobalAveragePooling2D(), layers.Dropout(0.2),
                 layers.Dense(10))


def attention():
    inputs = keras.Input((6, 16), batch_size=2)
    x = layers.LayerNormalization()(inputs)
    x = layers.MultiHeadAttention(4, 4)(x, x)
    x = layers.Add()([inputs, x])
    y = layers.Dense(32, activation="gelu")(layers.LayerNormalization()(x))
    return keras.Model(inputs, layers.Add()([x, layers.Dense(16)(y)]))


def activation(name):
    return lambda: chain(layers.Conv2D(8, 3, padding="same"), layers.Activation(name),
                         layers.Conv2D(4, 1))


def custom(function, x=None):
    return lambda: chain(layers.Conv2D(8, 3, padding="same"), layers.Lambda(function), x=x)


MODELS = {
    name: activation(name)
    for name in ("relu", "relu6", "silu", "mish", "gelu", "hard_sigmoid", "hard_silu", "elu",
                 "selu", "softplus", "softsign", "tanh", "sigmoid", "leaky_relu")
}
MODELS |= {
    "conv_bn": lambda: chain(conv_bn(8), conv_bn(8, strides=2)),
    "conv_valid": lambda: chain(conv_bn(8, padding="valid")),
    "conv_dilated": lambda: chain(layers.Conv2D(8, 3, padding="same", dilation_rate=2)),
    "conv_grouped": lambda: chain(layers.Conv2D(8, 3, padding="same", groups=4),
                                  x=image(channels=8)),
    "conv_1d": lambda: chain(layers.Conv1D(8, 3, padding="causal", activation="relu"),
                             x=keras.Input((20, 4), batch_size=1)),
    "conv_transpose": lambda: chain(layers.Conv2DTranspose(4, 3, 2, "same", activation="relu")),
    "separable": lambda: chain(layers.SeparableConv2D(8, 3, padding="same")),
    "strided_same": strided_same,
    "inverted_residual": inverted_residual,
    "squeeze_excite": squeeze_excite,
    "branches": branches,
    "classifier": classifier,
    "flatten_dense": lambda: chain(layers.MaxPooling2D(), layers.Flatten(), layers.Dense(10),
                                   layers.Softmax()),
    "gelu_tanh": custom(lambda x: keras.activations.gelu(x, approximate=True)),
    "prelu": lambda: chain(layers.Conv2D(8, 3), layers.PReLU(shared_axes=[1, 2])),
    "average_same": lambda: chain(layers.AveragePooling2D(3, 2, "same")),
    "global_max": lambda: chain(layers.GlobalMaxPooling2D()),
    "upsample_nearest": lambda: chain(layers.Conv2D(4, 3), layers.UpSampling2D(2)),
    "upsample_bilinear": lambda: chain(layers.Conv2D(4, 3),
                                       layers.UpSampling2D(2, interpolation="bilinear")),
    "resize": custom(lambda x: tf.image.resize(x, (12, 5))),
    "resize_nearest": custom(
        lambda x: tf.compat.v1.image.resize_nearest_neighbor(x, (16, 16))),
    "resize_corners": custom(
        lambda x: tf.compat.v1.image.resize_bilinear(x, (15, 15), align_corners=True)),
    "depth_to_space": custom(lambda x: tf.nn.depth_to_space(x, 2)),
    "space_to_depth": custom(lambda x: tf.nn.space_to_depth(x, 2)),
    "pad_reflect": custom(lambda x: tf.pad(x, [[0, 0], [1, 2], [2, 1], [0, 0]], "REFLECT")),
    "split": custom(lambda x: tf.concat(tf.split(x, [3, 5], -1)[::-1], -1)),
    "strided_slice": custom(lambda x: x[:, 1:-1, ::2, 2:6]),
    "layer_norm": lambda: chain(layers.Conv2D(8, 3), layers.LayerNormalization()),
    "group_norm": lambda: chain(layers.Conv2D(8, 3), layers.GroupNormalization(4)),
    "attention": attention,
    "lstm": lambda: chain(layers.LSTM(8), x=keras.Input((5, 4), batch_size=1)),
}
