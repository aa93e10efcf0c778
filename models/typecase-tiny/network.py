"""The model in PyTorch. Matrices are kept as [inputs, outputs], as the ONNX graph uses them."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from architecture import VOCAB_SIZE

# Tensor cores want multiples of eight; the entries beyond the vocabulary are cut off on export.
PADDED_VOCAB = 264


def rms_norm(value, scale, epsilon):
    wide = value.float()
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)
    return (wide * scale).to(value.dtype)


def rotate(value, cos, sin):
    first, second = value.chunk(2, -1)
    return value * cos + torch.cat((-second, first), -1) * sin


def causal_attention(queries, keys, values):
    if hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    length = queries.shape[-2]
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
    ahead = torch.ones(length, length, dtype=torch.bool, device=queries.device).triu(1)
    return scores.masked_fill(ahead, float("-inf")).softmax(-1) @ values


class Network(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.weights = nn.ParameterDict()
        for name, size in shape.parameter_shapes().items():
            if name == "embedding":
                size = (PADDED_VOCAB, size[1])
            value = torch.ones(size) if len(size) == 1 else torch.randn(size) * 0.02
            if name.endswith(("attention_output", "down")):
                value /= math.sqrt(2 * shape.layers)
            self.weights[name.replace(".", "_")] = nn.Parameter(value)
        half = shape.head_width // 2
        frequency = shape.rope_theta ** (-torch.arange(half, dtype=torch.float64) / half)
        angle = torch.outer(torch.arange(shape.context, dtype=torch.float64), frequency)
        angle = torch.cat((angle, angle), -1)
        self.register_buffer("cos", angle.cos().float(), persistent=False)
        self.register_buffer("sin", angle.sin().float(), persistent=False)

    def weight(self, name):
        return self.weights[name.replace(".", "_")]

    def attention(self, value, prefix):
        shape = self.shape
        batch, length, _ = value.shape
        kv_width = shape.kv_heads * shape.head_width
        mixed = value @ self.weight(f"{prefix}.query_key_value").to(value.dtype)
        parts = mixed.split((shape.width, kv_width, kv_width), -1)
        queries, keys, values = (
            part.view(batch, length, -1, shape.head_width).transpose(1, 2) for part in parts
        )
        cos, sin = self.cos[:length].to(value.dtype), self.sin[:length].to(value.dtype)
        queries, keys = rotate(queries, cos, sin), rotate(keys, cos, sin)
        group = shape.heads // shape.kv_heads
        keys, values = (part.repeat_interleave(group, 1) for part in (keys, values))
        mixed = causal_attention(queries, keys, values)
        mixed = mixed.transpose(1, 2).reshape(batch, length, shape.width)
        return mixed @ self.weight(f"{prefix}.attention_output").to(value.dtype)

    def feed_forward(self, value, prefix):
        mixed = value @ self.weight(f"{prefix}.gate_up").to(value.dtype)
        gate, up = mixed.chunk(2, -1)
        return (functional.silu(gate) * up) @ self.weight(f"{prefix}.down").to(value.dtype)

    def forward(self, tokens, dtype=torch.float32):
        shape = self.shape
        embedding = self.weight("embedding")
        value = functional.embedding(tokens, embedding).to(dtype)
        for layer in range(shape.layers):
            prefix = f"layers.{layer}"
            scale = self.weight(f"{prefix}.attention_norm")
            normed = rms_norm(value, scale, shape.norm_epsilon)
            value = value + self.attention(normed, prefix)
            scale = self.weight(f"{prefix}.feed_norm")
            normed = rms_norm(value, scale, shape.norm_epsilon)
            value = value + self.feed_forward(normed, prefix)
        value = rms_norm(value, self.weight("final_norm"), shape.norm_epsilon)
        return value @ embedding.to(dtype).t()

    def export(self):
        """The weights as fp32 arrays under the names of the architecture."""
        arrays = {
            name: self.weight(name).detach().float().cpu().numpy()
            for name in self.shape.parameter_shapes()
        }
        arrays["embedding"] = arrays["embedding"][:VOCAB_SIZE]
        return arrays

    def load(self, arrays):
        with torch.no_grad():
            for name, value in arrays.items():
                rows = value.shape[0]
                self.weight(name)[:rows].copy_(torch.from_numpy(np.asarray(value, np.float32)))
        return self


def rounded(arrays):
    """The weights as the model folder stores them: matrices in fp16, norms in fp32."""
    return {
        name: value if value.ndim == 1 else value.astype(np.float16).astype(np.float32)
        for name, value in arrays.items()
    }
