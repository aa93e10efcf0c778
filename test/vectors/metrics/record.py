"""Writes scikit-learn.json, nltk.json and segments.json beside this file.

Needs scikit-learn, NLTK and jieba for Python, and MeCab with its IPA dictionary:
apt-get install python3-sklearn python3-nltk python3-jieba mecab mecab-ipadic-utf8
"""
import json
import logging
import platform
import random
import subprocess
import warnings
from pathlib import Path

import jieba
import nltk
import sklearn
from nltk.stem.porter import PorterStemmer
from nltk.translate.bleu_score import corpus_bleu
from nltk.translate.chrf_score import sentence_chrf
from sklearn import metrics

warnings.filterwarnings('ignore')
jieba.setLogLevel(logging.WARNING)
python = f'CPython {platform.python_version()}'


def write(name, content):
    parts = [f'{json.dumps(key)}: {write_part(part)}' for key, part in content.items()]
    text = '{\n' + ',\n'.join(parts) + '\n}\n'
    Path(__file__).with_name(name).write_text(text, encoding='utf-8')


def write_part(part):
    if isinstance(part, str):
        return json.dumps(part, ensure_ascii=False)
    return '[\n' + ',\n'.join(json.dumps(case, ensure_ascii=False) for case in part) + '\n]'


def label_case(name, right, given, labels=None, positive=None):
    average = dict(labels=labels, zero_division=0)
    expected = {
        'accuracy': metrics.accuracy_score(right, given),
        'macro_f1': metrics.f1_score(right, given, average='macro', **average),
        'micro_f1': metrics.f1_score(right, given, average='micro', **average),
        'weighted_f1': metrics.f1_score(right, given, average='weighted', **average),
        'macro_precision': metrics.precision_score(right, given, average='macro', **average),
        'macro_recall': metrics.recall_score(right, given, average='macro', **average),
        'balanced_accuracy': metrics.balanced_accuracy_score(right, given),
        'mcc': metrics.matthews_corrcoef(right, given),
    }
    if positive is not None:
        for metric in ('f1', 'precision', 'recall'):
            measure = getattr(metrics, f'{metric}_score')
            # One label's score, whether or not there are two.
            expected[metric] = measure(right, given, labels=[positive], average=None, zero_division=0)[0]
    case = {'name': name, 'pairs': list(zip(right, given))}
    if labels is not None:
        case['labels'] = labels
    if positive is not None:
        case['positive'] = positive
    return {**case, 'expected': {key: float(value) for key, value in expected.items()}}


def draw_labels(seed, labels, count, skill, strays=()):
    draw = random.Random(seed)
    right = [draw.choice(labels) for _ in range(count)]
    given = [
        label if draw.random() < skill else draw.choice([*labels, *strays]) for label in right
    ]
    return right, given


def label_cases():
    two = ['yes', 'no']
    five = ['joy', 'anger', 'fear', 'trust', '驚き']
    return [
        label_case('two labels', *draw_labels(1, two, 40, 0.5), positive='yes'),
        label_case('five labels', *draw_labels(2, five, 120, 0.6)),
        label_case('answers outside the labels', *draw_labels(3, five, 60, 0.3, ['?', 'none', ''])),
        label_case(
            'answers outside, averages over the labels',
            *draw_labels(3, five, 60, 0.3, ['?', 'none', '']),
            labels=five,
        ),
        label_case(
            'a label that never occurs', *draw_labels(4, two, 30, 0.8), labels=[*two, 'maybe']
        ),
        label_case('some labels only', *draw_labels(5, five, 80, 0.5), labels=['joy', 'fear']),
        label_case('positive never given', ['yes', 'no', 'no'], ['no', 'no', 'no'], positive='yes'),
        label_case('positive never right', ['no', 'no'], ['yes', 'no'], positive='yes'),
        label_case('one label throughout', ['a'] * 4, ['a'] * 4),
        label_case('all wrong', ['a', 'b', 'c'], ['b', 'c', 'a']),
        label_case('all wrong, two labels', ['a', 'b', 'a', 'b'], ['b', 'a', 'b', 'a']),
        label_case('a single row', ['a'], ['b']),
        label_case('rare label', ['a'] * 99 + ['b'], ['a'] * 98 + ['b', 'b']),
    ]


def area_cases():
    cases = [
        [[0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]],
        [[0, 1], [0.5, 0.5]],
        [[1, 1, 0], [0.2, 0.3, 0.9]],
    ]
    for seed in range(4):
        draw = random.Random(seed)
        right = [draw.randint(0, 1) for _ in range(50)]
        cases.append([right, [round(draw.random() * 0.7 + 0.3 * one, 1 + seed) for one in right]])
    return [
        {'right': right, 'chances': chances, 'expected': float(metrics.roc_auc_score(right, chances))}
        for right, chances in cases
    ]


def weighed_cases():
    """Rows of two labels: mean NLL per token of each answer, less that after a neutral text."""
    draw = random.Random(3)
    rows = []
    for _ in range(40):
        right = draw.randint(0, 1)
        pairs = []
        for label in (0, 1):
            tokens = draw.randint(1, 5)
            neutral = round(-tokens * draw.uniform(1, 6), 3)
            own = round(neutral + tokens * draw.uniform(-1, 1.6 if label == right else 1), 3)
            pairs.append([[own, tokens], [neutral, tokens]])
        rows.append({'right': right, 'weights': pairs})
    gain = [[(own[0] - neutral[0]) / own[1] for own, neutral in row['weights']] for row in rows]
    area = metrics.roc_auc_score([row['right'] for row in rows], [one - zero for zero, one in gain])
    return [{'rows': rows, 'expected': float(area)}]


write('scikit-learn.json', {
    'source': f'scikit-learn {sklearn.__version__} under {python}: accuracy_score, f1_score, '
    'precision_score, recall_score (zero_division=0), balanced_accuracy_score, matthews_corrcoef, '
    'roc_auc_score',
    'labels': label_cases(),
    'areas': area_cases(),
    'weighed': weighed_cases(),
})

suffixes = (
    's es ies ied eed ed ing y ational tional enci anci izer bli alli entli eli ousli ization ation '
    'ator alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical '
    'ful ness al ance ence er ic able ible ant ement ment ent ion sion ou ism ate iti ous ive ize e ll'
).split()


def stem_words():
    draw = random.Random(0)
    letters = 'bcdfghjklmnpqrstvwxzaeiouaeiouaeiouy'
    words = {'sky', 'skies', 'dying', 'lying', 'tying', 'news', 'innings', 'outing', 'canning'}
    words |= {'howe', 'proceed', 'exceed', 'succeed', 'feed', 'agreed', 'enjoy', 'spy', 'at', 'i', 'geologi'}
    words |= {'flies', 'dies', 'died', 'tied', 'spied', 'hopping', 'falling', 'filing', 'sized', '2nd', 'a1s'}
    for suffix in suffixes:
        for _ in range(9):
            root = ''.join(draw.choice(letters) for _ in range(draw.randint(1, 6)))
            words.add(root + draw.choice(['', draw.choice(suffixes)]) + suffix)
    return sorted(words)


sentences = [
    ('the quick brown fox jumps over the lazy dog', ['the quick brown fox jumped over the lazy dog']),
    ('the committee will meet again on the first monday of next month to vote on the plan', [
        'the committee meets again on the first monday of next month and votes on the plan',
        'on the first monday of next month the committee will come together again for a vote',
        'next month the committee is going to vote on the plan on its first monday',
    ]),
    ('a cat sat on the mat and looked at me', ['the cat sat on the mat and looked at us', 'a cat sat on a mat']),
    ('der Zug fährt um acht Uhr ab', ['der Zug fährt heute um acht Uhr ab']),
]


def nltk_cases():
    stemmer = PorterStemmer()
    bleu = [
        {
            'pairs': chosen,
            'expected': corpus_bleu(
                [[gold.split() for gold in golds] for _, golds in chosen],
                [answer.split() for answer, _ in chosen],
            ),
        }
        for chosen in ([sentences[0]], [sentences[1]], sentences[:2], sentences)
    ]
    # NLTK averages the F-scores of sentences for a corpus, so sentences are compared.
    chrf = [
        {'answer': answer, 'gold': gold, 'beta': beta, 'expected': sentence_chrf(gold, answer, beta=beta)}
        for answer, golds in sentences
        for gold in golds
        for beta in (2.0, 3.0)
    ]
    return {
        'source': f'NLTK {nltk.__version__} under {python}: PorterStemmer().stem, '
        'translate.bleu_score.corpus_bleu, translate.chrf_score.sentence_chrf',
        'stems': [[word, stemmer.stem(word)] for word in stem_words()],
        'bleu': bleu,
        'chrf': chrf,
    }


write('nltk.json', nltk_cases())

japanese = [
    'すもももももももものうち',
    '昨日の夜、友達と渋谷で映画を見ました。',
    'この会社の売上高は前年同期比で12.5%増加した。',
    'お問い合わせはinfo@example.comまでお願いいたします！',
    '「えっ、本当に？」と彼女は聞き返した。',
    '日経平均株価は3万8000円台を回復',
    'ＡＩを使えば、誰でもかんたんに翻訳できる。',
    '東京 大阪　名古屋',
]
chinese = [
    '今天的天气真不错，我们去公园散步吧！',
    '模型在GSM8K上的准确率达到了95.3%。',
    '这家公司的营业收入比去年增长了百分之十二',
    '请把下面的句子翻译成英文：我喜欢喝茶。',
    '长江大桥 于1968年通车',
    '机器学习需要大量的训练数据',
]


def run_mecab(text):
    result = subprocess.run(['mecab', '-Owakati'], input=text, capture_output=True, text=True, check=True)
    return result.stdout.split()


version = subprocess.run(['mecab', '--version'], capture_output=True, text=True, check=True)
write('segments.json', {
    'source': f'ja: {version.stdout.strip()}, Debian mecab-ipadic-utf8, mecab -Owakati; '
    f'zh: jieba {jieba.__version__} for Python, cut(text)',
    'ja': [[text, run_mecab(text)] for text in japanese],
    'zh': [[text, ' '.join(jieba.cut(text)).split()] for text in chinese],
})
