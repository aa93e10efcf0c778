"""Records the tokens of nltk-words.fixture.json anew: /usr/bin/python3 nltk-words.fixture.py"""

import json
import pathlib

import nltk
from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

abbreviations = "a.m co col corp dr gen gov inc jr lt ltd mr mrs ms p.m prof rep sen sgt sr st u.k u.s vs"

path = pathlib.Path(__file__).with_suffix(".json")
fixture = json.loads(path.read_text(encoding="utf-8"))

parameters = PunktParameters()
parameters.abbrev_types = set(abbreviations.split())
sentences = PunktSentenceTokenizer(parameters)
words = NLTKWordTokenizer()

for case in fixture["words"]:
    case["tokens"] = words.tokenize(case["text"])
for case in fixture["texts"]:
    case["tokens"] = [
        word for sentence in sentences.tokenize(case["text"]) for word in words.tokenize(sentence)
    ]
fixture["source"] = (
    f"NLTK {nltk.__version__} (Debian python3-nltk 3.8-1). words: NLTKWordTokenizer().tokenize(text). "
    "texts: the same over the sentences of a PunktSentenceTokenizer without a trained model, with "
    f"these abbreviations: {abbreviations}"
)
path.write_text(json.dumps(fixture, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
