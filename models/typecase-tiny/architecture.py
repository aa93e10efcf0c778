"""The shape of the model and its vocabulary, shared by training and export."""

from dataclasses import dataclass

BOS, EOS, PAD, SYSTEM, USER, ASSISTANT, END = range(256, 263)
SPECIAL_TOKENS = {
    "<|bos|>": BOS,
    "<|eos|>": EOS,
    "<|pad|>": PAD,
    "<|system|>": SYSTEM,
    "<|user|>": USER,
    "<|assistant|>": ASSISTANT,
    "<|end|>": END,
}
VOCAB_SIZE = 263


@dataclass(frozen=True)
class Architecture:
    layers: int = 6
    width: int = 256
    heads: int = 8
    kv_heads: int = 4
    hidden: int = 768
    context: int = 2048
    rope_theta: float = 10000.0
    norm_epsilon: float = 1e-5

    @property
    def head_width(self):
        return self.width // self.heads

    def parameter_shapes(self):
        """Name and shape of every weight, matrices as [inputs, outputs]."""
        kv_width = self.kv_heads * self.head_width
        shapes = {"embedding": (VOCAB_SIZE, self.width), "final_norm": (self.width,)}
        for layer in range(self.layers):
            shapes[f"layers.{layer}.attention_norm"] = (self.width,)
            shapes[f"layers.{layer}.query_key_value"] = (self.width, self.width + 2 * kv_width)
            shapes[f"layers.{layer}.attention_output"] = (self.width, self.width)
            shapes[f"layers.{layer}.feed_norm"] = (self.width,)
            shapes[f"layers.{layer}.gate_up"] = (self.width, 2 * self.hidden)
            shapes[f"layers.{layer}.down"] = (self.hidden, self.width)
        return shapes
