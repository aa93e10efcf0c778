"""Writes a model folder: the ONNX graph, the tokenizer and the configuration files.

    python3 export_onnx.py weights.npz FOLDER     trained weights
    python3 export_onnx.py model.onnx FOLDER      the weights of another folder
    python3 export_onnx.py --random 7 FOLDER      random weights of the same shape
"""

import argparse
import json
from pathlib import Path

import numpy as np
from onnx import load, save

from architecture import BOS, END, EOS, PAD, SPECIAL_TOKENS, VOCAB_SIZE, Architecture
from graph import build, stored_weights

CHAT_TEMPLATE = (
    "{{ bos_token }}"
    "{% for message in messages %}"
    "{% if message['role'] not in ['system', 'user', 'assistant'] %}"
    "{{ raise_exception('Roles are system, user and assistant, not ' + message['role']) }}"
    "{% endif %}"
    "{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def byte_characters():
    """The printable stand-in of every byte in the byte-level alphabet."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in printable else next(others)) for byte in range(256)]


def added_token(name, index):
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": index, "content": name, **flags, "special": True}


def tokenizer():
    bos = "<|bos|>"
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added_token(name, index) for name, index in SPECIAL_TOKENS.items()],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": False,
            "use_regex": False,
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": bos, "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
            ],
            "pair": [
                {"SpecialToken": {"id": bos, "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 0}},
            ],
            "special_tokens": {bos: {"id": bos, "ids": [BOS], "tokens": [bos]}},
        },
        "decoder": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": False,
            "use_regex": False,
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {character: byte for byte, character in enumerate(byte_characters())}
            | SPECIAL_TOKENS,
            "merges": [],
        },
    }


def configuration(shape):
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": VOCAB_SIZE,
        "hidden_size": shape.width,
        "intermediate_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_width,
        "hidden_act": "silu",
        "max_position_embeddings": shape.context,
        "rms_norm_eps": shape.norm_epsilon,
        "rope_theta": shape.rope_theta,
        "rope_scaling": None,
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "pad_token_id": PAD,
        "torch_dtype": "float16",
        # Masks above 1 name branches (graph.py).
        "typecase_branches": True,
    }


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def write_folder(folder, weights, shape):
    names = {"bos_token": "<|bos|>", "eos_token": "<|eos|>", "pad_token": "<|pad|>"}
    extra = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    save(build(weights, shape), str(folder / "onnx" / "model.onnx"))
    write_json(folder / "config.json", configuration(shape))
    write_json(
        folder / "generation_config.json",
        {"bos_token_id": BOS, "eos_token_id": [EOS, END], "pad_token_id": PAD},
    )
    write_json(folder / "tokenizer.json", tokenizer())
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            **names,
            "additional_special_tokens": extra,
            "add_bos_token": True,
            "add_eos_token": False,
            "clean_up_tokenization_spaces": False,
            "model_max_length": shape.context,
            "padding_side": "left",
            "chat_template": CHAT_TEMPLATE,
        },
    )
    write_json(
        folder / "special_tokens_map.json", {**names, "additional_special_tokens": extra}
    )


def random_weights(shape, seed):
    generator = np.random.default_rng(seed)
    return {
        name: np.ones(size) if len(size) == 1 else generator.normal(0, size[0] ** -0.5, size)
        for name, size in shape.parameter_shapes().items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", nargs="?", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--random", type=int, metavar="SEED")
    options = parser.parse_args()
    shape = Architecture()
    if options.random is not None:
        weights = random_weights(shape, options.random)
    elif options.weights.suffix == ".onnx":
        weights = stored_weights(load(str(options.weights)), shape)
    else:
        weights = dict(np.load(options.weights))
    write_folder(options.folder, weights, shape)


if __name__ == "__main__":
    main()
