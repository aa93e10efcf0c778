"""The ONNX graph, in the layout of Hugging Face causal language models with a key-value cache."""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from architecture import VOCAB_SIZE

OPSET = 17
# Finite, so that a row in which everything is masked (left padding) stays a number.
MASKED = -1e30


class Graph:
    """Collects nodes and constants; every method returns the name of its result."""

    def __init__(self):
        self.nodes, self.constants = [], {}

    def constant(self, name, value):
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def integers(self, *values):
        name = "integers_" + "_".join(map(str, values))
        return self.constant(name, np.array(values, np.int64))

    def scalar(self, value):
        return self.constant(f"scalar_{value}", np.array(value, np.float32))

    def weight(self, name, value):
        """Stored as fp16; ONNX Runtime folds the cast when it loads the graph."""
        self.constant(f"{name}.fp16", value.astype(np.float16))
        return self.add("Cast", f"{name}.fp16", output=name, to=TensorProto.FLOAT)

    def add(self, operator, *inputs, output=None, **attributes):
        return self.add_many(operator, inputs, [output], **attributes)[0]

    def add_many(self, operator, inputs, outputs, **attributes):
        outputs = [name or f"v{len(self.nodes)}_{index}" for index, name in enumerate(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), outputs, **attributes))
        return outputs


def rms_norm(graph, value, name, weights, shape):
    scale = graph.constant(f"{name}.scale", weights[name].astype(np.float32))
    square = graph.add("Pow", value, graph.scalar(2.0))
    mean = graph.add("ReduceMean", square, axes=[-1], keepdims=1)
    root = graph.add("Sqrt", graph.add("Add", mean, graph.scalar(shape.norm_epsilon)))
    return graph.add("Mul", graph.add("Div", value, root), scale)


def rotary_tables(graph, shape):
    """cos and sin of every position in the batch, [batch, sequence, 1, head_width]."""
    half = shape.head_width // 2
    frequency = shape.rope_theta ** (-np.arange(half, dtype=np.float64) / half)
    angle = np.arange(shape.context, dtype=np.float64)[:, None] * frequency
    tables = []
    for name, table in (("cos", np.cos(angle)), ("sin", np.sin(angle))):
        # Half a table is stored: both halves of a head turn by the same angles.
        stored = graph.constant(f"rotary_{name}", table.astype(np.float32))
        rows = graph.add("Gather", stored, "position_ids")
        doubled = graph.add("Concat", rows, rows, axis=-1)
        tables.append(graph.add("Unsqueeze", doubled, graph.integers(2)))
    return tables


def rotate(graph, value, cos, sin, shape):
    half = shape.head_width // 2
    first, second = graph.add_many(
        "Split", [value, graph.integers(half, half)], [None, None], axis=-1
    )
    turned = graph.add("Concat", graph.add("Neg", second), first, axis=-1)
    return graph.add("Add", graph.add("Mul", value, cos), graph.add("Mul", turned, sin))


def attention_bias(graph):
    """0 where a position may look, MASKED elsewhere: [batch, 1, 1, sequence, total].

    A position looks at itself and at those before it, but not where the mask is 0. A mask above 1
    names a branch, which only its own positions see: several ends of a text fit into one row.
    """
    zero, one = graph.constant("zero", np.int64(0)), graph.constant("one", np.int64(1))
    total = graph.add("Gather", graph.add("Shape", "attention_mask"), one)
    length = graph.add("Gather", graph.add("Shape", "input_ids"), one)
    columns = graph.add("Range", zero, total, one)
    rows = graph.add("Range", graph.add("Sub", total, length), total, one)
    causal = graph.add(
        "LessOrEqual", columns, graph.add("Unsqueeze", rows, graph.integers(1))
    )
    mask = graph.add("Unsqueeze", "attention_mask", graph.integers(1, 2, 3))
    own = graph.add("Gather", "attention_mask", rows, axis=1)
    own = graph.add("Unsqueeze", own, graph.integers(1, 2, 4))
    present = graph.add("Cast", mask, to=TensorProto.BOOL)
    branch = graph.add("And", graph.add("Equal", mask, own), present)
    visible = graph.add("Or", graph.add("Equal", mask, one), branch)
    return graph.add(
        "Where", graph.add("And", visible, causal), graph.scalar(0.0), graph.scalar(MASKED)
    )


def attention(graph, value, layer, weights, shape, tables, bias):
    heads, kv_heads, width = shape.heads, shape.kv_heads, shape.head_width
    name = f"layers.{layer}.query_key_value"
    mixed = graph.add("MatMul", value, graph.weight(name, weights[name]))
    turned, values = graph.add_many(
        "Split",
        [mixed, graph.integers((heads + kv_heads) * width, kv_heads * width)],
        [None, None],
        axis=-1,
    )
    turned = graph.add("Reshape", turned, graph.integers(0, 0, heads + kv_heads, width))
    turned = graph.add("Transpose", rotate(graph, turned, *tables, shape), perm=[0, 2, 1, 3])
    queries, keys = graph.add_many(
        "Split", [turned, graph.integers(heads, kv_heads)], [None, f"new_keys.{layer}"], axis=1
    )
    values = graph.add("Reshape", values, graph.integers(0, 0, kv_heads, width))
    values = graph.add("Transpose", values, perm=[0, 2, 1, 3], output=f"new_values.{layer}")
    keys = graph.add(
        "Concat", f"past_key_values.{layer}.key", keys, axis=2, output=f"present.{layer}.key"
    )
    values = graph.add(
        "Concat", f"past_key_values.{layer}.value", values, axis=2, output=f"present.{layer}.value"
    )
    # The query heads that share a key head are stacked, so that keys are never copied.
    queries = graph.add("Reshape", queries, graph.integers(0, kv_heads, -1, width))
    scores = graph.add("MatMul", queries, graph.add("Transpose", keys, perm=[0, 1, 3, 2]))
    scores = graph.add("Mul", scores, graph.scalar(width**-0.5))
    scores = graph.add("Reshape", scores, "grouped_shape")
    shares = graph.add("Softmax", graph.add("Add", scores, bias), axis=-1)
    shares = graph.add("Reshape", shares, "stacked_shape")
    mixed = graph.add("MatMul", shares, values)
    mixed = graph.add("Reshape", mixed, graph.integers(0, heads, -1, width))
    mixed = graph.add("Transpose", mixed, perm=[0, 2, 1, 3])
    mixed = graph.add("Reshape", mixed, graph.integers(0, 0, heads * width))
    name = f"layers.{layer}.attention_output"
    return graph.add("MatMul", mixed, graph.weight(name, weights[name]))


def feed_forward(graph, value, layer, weights, shape):
    name = f"layers.{layer}.gate_up"
    mixed = graph.add("MatMul", value, graph.weight(name, weights[name]))
    gate, up = graph.add_many(
        "Split", [mixed, graph.integers(shape.hidden, shape.hidden)], [None, None], axis=-1
    )
    gate = graph.add("Mul", gate, graph.add("Sigmoid", gate))
    name = f"layers.{layer}.down"
    return graph.add("MatMul", graph.add("Mul", gate, up), graph.weight(name, weights[name]))


def stored_weights(model, shape):
    """The weights of a model that was built here."""
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    return {
        name: stored[f"{name}.scale" if len(size) == 1 else f"{name}.fp16"]
        for name, size in shape.parameter_shapes().items()
    }


def build(weights, shape):
    graph = Graph()
    embedding = graph.weight("embedding", weights["embedding"])
    tables, bias = rotary_tables(graph, shape), attention_bias(graph)
    sizes = graph.add("Shape", bias)
    # bias is [batch, 1, 1, sequence, total]: the shapes of the scores follow from it.
    batch = graph.add("Slice", sizes, graph.integers(0), graph.integers(1))
    tail = graph.add("Slice", sizes, graph.integers(3), graph.integers(5))
    total = graph.add("Slice", sizes, graph.integers(4), graph.integers(5))
    groups = graph.integers(shape.kv_heads, shape.heads // shape.kv_heads)
    graph.add("Concat", batch, groups, tail, axis=0, output="grouped_shape")
    stacked = graph.integers(shape.kv_heads, -1)
    graph.add("Concat", batch, stacked, total, axis=0, output="stacked_shape")
    value = graph.add("Gather", embedding, "input_ids")
    for layer in range(shape.layers):
        normed = rms_norm(graph, value, f"layers.{layer}.attention_norm", weights, shape)
        mixed = attention(graph, normed, layer, weights, shape, tables, bias)
        value = graph.add("Add", value, mixed)
        normed = rms_norm(graph, value, f"layers.{layer}.feed_norm", weights, shape)
        value = graph.add("Add", value, feed_forward(graph, normed, layer, weights, shape))
    value = rms_norm(graph, value, "final_norm", weights, shape)
    head = graph.add("Transpose", embedding, perm=[1, 0])
    graph.add("MatMul", value, head, output="logits")
    return as_model(graph, shape)


def as_model(graph, shape):
    cache = (shape.kv_heads, shape.head_width)
    integer, real = TensorProto.INT64, TensorProto.FLOAT
    inputs = [
        helper.make_tensor_value_info("input_ids", integer, ["batch", "sequence"]),
        helper.make_tensor_value_info("attention_mask", integer, ["batch", "total"]),
        helper.make_tensor_value_info("position_ids", integer, ["batch", "sequence"]),
    ]
    outputs = [
        helper.make_tensor_value_info("logits", real, ["batch", "sequence", VOCAB_SIZE])
    ]
    for layer in range(shape.layers):
        for part in ("key", "value"):
            for group, name, length in (
                (inputs, f"past_key_values.{layer}.{part}", "past"),
                (outputs, f"present.{layer}.{part}", "total"),
                # `present` without the past, for those who have that.
                (outputs, f"new_{part}s.{layer}", "sequence"),
            ):
                group.append(
                    helper.make_tensor_value_info(
                        name, real, ["batch", cache[0], length, cache[1]]
                    )
                )
    body = helper.make_graph(
        graph.nodes, "typecase-tiny", inputs, outputs, list(graph.constants.values())
    )
    model = helper.make_model(
        body, producer_name="typecase", opset_imports=[helper.make_opsetid("", OPSET)]
    )
    model.ir_version = 8
    checker.check_model(model, full_check=True)
    return model
