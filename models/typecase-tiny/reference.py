"""Reference logits, log-likelihoods and greedy outputs of the network, in fp32 on the CPU."""

import numpy as np
import torch

from architecture import ASSISTANT, BOS, END, EOS, SYSTEM, USER, VOCAB_SIZE, Architecture
from generate import turn
from network import Network, rounded

GREEDY_TOKENS = 24


def prompts():
    """Name, prompt tokens and continuations."""
    few = (
        "Review: The soup was awful.\nSentiment: negative\n"
        "Review: My sister loved the garden.\nSentiment:"
    )
    options = "Question: Which of these is a fruit?\nA. hammer\nB. plum\nC. owl\nD. tennis\nAnswer:"
    layout = "質問：日本の首都はどこですか。\n選択肢：\n- パリ\n- 東京\n- リマ\n- カイロ\n回答："
    chat = [*turn(SYSTEM, "Answer briefly."), *turn(USER, "What is 27 + 48?"), ASSISTANT]
    talk = [
        *turn(USER, "My name is Nora."),
        *turn(ASSISTANT, "Hello Nora."),
        *turn(USER, "What is my name?"),
        ASSISTANT,
    ]
    plain = lambda text: [BOS, *text.encode()]
    return [
        ("addition", plain("27 + 48 ="), [" 75", " 74", " 7548"]),
        ("latent", plain("3 9 -> 9\n41 17 -> 41\n5 62 -> 62\n88 80 ->"), [" 88", " 80"]),
        ("reverse", plain("lamp -> pmal\ngarden -> nedrag\nriver ->"), [" revir", " RIVER"]),
        ("sentiment", plain(few), [" positive", " negative"]),
        ("sentiment-ja", plain("レビュー：この映画は退屈だ。\n感情："), ["ポジティブ", "ネガティブ"]),
        ("choice", plain(options), [" A", " B", " C", " D"]),
        ("choice-ja", plain(layout), ["パリ", "東京", "リマ", "カイロ"]),
        ("chat", [BOS, *chat], ["75", "65"]),
        ("multi-turn", [BOS, *talk], ["Nora", "Tom"]),
        ("one-token", [BOS], ["Q", "質"]),
    ]


def logits_of(network, tokens):
    return network(torch.tensor([tokens]))[0, :, :VOCAB_SIZE]


def greedy(network, tokens):
    output = []
    while len(output) < GREEDY_TOKENS and (not output or output[-1] not in (EOS, END)):
        output.append(int(logits_of(network, tokens + output)[-1].argmax()))
    return output


def continuation(network, tokens, text):
    added = list(text.encode())
    scores = logits_of(network, tokens + added)[len(tokens) - 1 : -1].log_softmax(-1)
    each = scores[torch.arange(len(added)), torch.tensor(added)].tolist()
    return {"text": text, "logprobs": [round(value, 6) for value in each]}


@torch.no_grad()
def references(trained):
    """`stored` belongs to the fp16 weights of the folder, `original` to the weights as trained."""
    shape = Architecture()
    stored = Network(shape).load(rounded(trained))
    original = Network(shape).load(trained)
    entries = []
    for name, tokens, texts in prompts():
        entries.append(
            {
                "name": name,
                "tokens": tokens,
                "logits": {
                    kind: np.round(logits_of(network, tokens)[-1].numpy().astype(float), 5).tolist()
                    for kind, network in (("stored", stored), ("original", original))
                },
                "continuations": [continuation(stored, tokens, text) for text in texts],
                "greedy": greedy(stored, tokens),
            }
        )
    return entries
