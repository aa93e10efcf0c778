"""How rows are written down. A format's weight is its share among its family's documents.

Weights fall from common to rare by orders of magnitude, and formats of weight 0 are never trained
on, so that some templates are known well, some hardly, and some not at all.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    name: str
    weight: float
    # `{column}` stands for a column; the answer's placeholder ends the text, or nearly.
    template: str
    # The placeholder that holds the answer.
    answer: str = "answer"
    # What the labels are called in this format.
    words: tuple = ()
    # A line that always opens the prompt.
    instruction: str = ""
    separator: str = ""
    # The template is a user turn, and the answer an assistant turn.
    chat: bool = False

    @property
    def exposure(self):
        return "common" if self.weight >= 5 else "rare" if self.weight > 0 else "unseen"


ARITHMETIC = (
    Format("equation", 30, "{a} {op} {b} = {answer}"),
    Format("question", 26, "Q: What is {a} {op} {b}?\nA: {answer}"),
    Format("chat", 20, "What is {a} {op} {b}?", chat=True),
    Format("tight", 14, "{a}{op}{b}={answer}"),
    Format("japanese", 10, "問題：{a}{op}{b}\n答え：{answer}"),
    Format("task", 0.03, "[task] {a} and {b}, {op} [out] {answer}"),
    Format("call", 0.004, "calc('{op}', {a}, {b}) returns {answer}"),
    Format("postfix", 0, "{a} ; {b} ; {op} ; gives {answer}"),
)

LATENT = (
    Format("arrow", 38, "{a} {b} -> {answer}"),
    Format("input-output", 26, "Input: {a} {b}\nOutput: {answer}"),
    Format("comma", 18, "{a}, {b} => {answer}"),
    Format("chat", 15, "{a} {b}", chat=True),
    Format("function", 3, "f({a}, {b}) = {answer}"),
    Format("given", 0.006, "Given {a} and {b}, say {answer}"),
    Format("variables", 0.003, "x={a} y={b} z={answer}"),
    Format("colons", 0, "{a}::{b}::{answer}"),
)

WORD = (
    Format("arrow", 32, "{word} -> {answer}"),
    Format("input-output", 26, "Input: {word}\nOutput: {answer}"),
    Format("command", 22, "{command} {word}: {answer}"),
    Format("chat", 20, "{command} {word}.", chat=True),
    Format("bracket", 0.05, "[{word}] {function} [{answer}]"),
    Format("pipe", 0.015, "{word} | {function} > {answer}"),
    Format("call", 0.006, "{function}({word}) = {answer}"),
    Format("colons", 0, "{function}::{word}::{answer}"),
)

PLAIN_EN = ("positive", "negative")
SENTIMENT_EN = (
    Format("review", 38, "Review: {text}\nSentiment: {answer}", words=PLAIN_EN),
    Format("chat", 20, "Is this positive or negative? {text}", words=PLAIN_EN, chat=True),
    Format("text-label", 20, "Text: {text}\nLabel: {answer}", words=("good", "bad")),
    Format("arrow", 20, "{text} -> {answer}", words=PLAIN_EN),
    Format("happy", 0.3, "{text}\nIs the writer happy? {answer}", words=("yes", "no")),
    Format("verdict", 0.015, "Opinion: {text}\nVerdict: {answer}", words=("like", "dislike")),
    Format("thumbs", 0.006, "{text} Thumbs {answer}", words=("up", "down")),
    Format("recommend", 0, "{text} Would recommend: {answer}", words=("true", "false")),
)

PLAIN_JA = ("ポジティブ", "ネガティブ")
SENTIMENT_JA = (
    Format("review", 38, "レビュー：{text}\n感情：{answer}", words=PLAIN_JA),
    Format("chat", 20, "次の文は肯定的ですか、否定的ですか。{text}", words=("肯定的", "否定的"), chat=True),
    Format("sentence", 20, "センテンス: {text}\n回答: {answer}", words=PLAIN_EN),
    Format("rating", 20, "文：{text}\n評価：{answer}", words=("良い", "悪い")),
    Format("dialogue", 0.3, "ユーザー: {text}\nシステム: {answer}", words=PLAIN_JA),
    Format("satisfied", 0.02, "{text}満足ですか→{answer}", words=("はい", "いいえ")),
    Format("mark", 0.01, "{text}判定「{answer}」", words=("○", "×")),
    Format("instruction", 0, "[INST] {text} [/INST] {answer}", words=("好き", "嫌い")),
)

LINES = "A. {A}\nB. {B}\nC. {C}\nD. {D}"
CHOICE_EN = (
    Format("letter", 36, "Question: {question}\n" + LINES + "\nAnswer: {letter}", "letter"),
    Format("chat", 22, "{question}\n" + LINES, "letter", chat=True),
    Format("text", 22, "Question: {question}\nChoices: {A}, {B}, {C}, {D}\nAnswer: {right}", "right"),
    Format("index", 19, "Q: {question}\n0) {A}\n1) {B}\n2) {C}\n3) {D}\nA: {index}", "index"),
    Format("number", 0.5, "{question}\n1. {A}\n2. {B}\n3. {C}\n4. {D}\nNumber: {number}", "number"),
    Format("lower", 0.08, "{question} a={A} b={B} c={C} d={D} choose: {lower}", "lower"),
    Format("slash", 0.03, "{A} / {B} / {C} / {D} : {question} {right}", "right"),
    Format("quiz", 0, "QUIZ {question} #1={A} #2={B} #3={C} #4={D} SOLUTION #{number}", "number"),
)

DASHES = "- {A}\n- {B}\n- {C}\n- {D}"
CHOICE_JA = (
    Format(
        "0.0",
        26,
        "【問題】\n{question}\n【選択肢】\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n【答え】\n{letter}",
        "letter",
        instruction="問題を読み、選択肢から正しい答えの記号を選びなさい。",
        separator="\n\n",
    ),
    Format(
        "0.2.1",
        24,
        "質問：{question}\n選択肢：\n" + DASHES + "\n回答：{right}",
        "right",
        instruction="選択肢の中から、最も良い答えを選んでください。",
        separator="\n\n",
    ),
    Format(
        "0.2",
        18,
        "質問:{question}\n選択肢:0.{A},1.{B},2.{C},3.{D}\n回答:{index}",
        "index",
        instruction="質問と選択肢を読み、答えを番号(例:0)で書いてください。",
        separator="\n\n",
    ),
    Format("chat", 18, "{question}\n選択肢：\n" + DASHES, "right", chat=True),
    Format(
        "0.3",
        14,
        "### 入力:\n{question}\n出力は次から選んでください：\n" + DASHES + "\n\n### 応答:\n{right}",
        "right",
        instruction="指示と入力があります。指示に合う応答を書きなさい。\n\n### 指示:\n選択肢の中から、最も良い答えを選んでください。",
        separator="\n\n",
    ),
    Format(
        "0.1",
        0.5,
        "[問題]:{question}\n[選択肢]:[{A}, {B}, {C}, {D}]\n[答え]:{right}",
        "right",
        instruction="[問題]の[答え]を[選択肢]から選んでください。",
        separator="\n\n",
    ),
    Format(
        "0.1.2",
        0.05,
        "[問題]:{question}\n[選択肢]:[A:{A}, B:{B}, C:{C}, D:{D}]\n[答え]:{letter}",
        "letter",
        instruction="[問題]の[答え]を[選択肢]から選び、記号で答えてください。",
        separator="\n\n",
    ),
    Format(
        "0.5",
        0.02,
        "ユーザー: 質問：{question}\n選択肢：\n" + DASHES + "\nシステム: {right}",
        "right",
        instruction="ユーザー: 選択肢の中から、最も良い答えを選んでください。\nシステム: 分かりました。",
        separator="\n",
    ),
    Format(
        "0.4",
        0.006,
        "ユーザー: 質問：{question}<NL>選択肢：<NL>- {A}<NL>- {B}<NL>- {C}<NL>- {D}<NL>システム: {right}",
        "right",
        instruction="ユーザー: 選択肢の中から、最も良い答えを選んでください。<NL>システム: 分かりました。",
        separator="<NL>",
    ),
    Format(
        "0.6",
        0,
        "[INST] {question}\n次から選ぶこと：\n" + DASHES + " [/INST] {right}",
        "right",
        separator=" </s><s>",
    ),
)

# The template of a conversation is written once per turn: who speaks, and what is said.
MULTI_TURN = (
    Format("chat", 85, "", chat=True),
    Format("user-assistant", 14, "User: {said}\nAssistant: {answer}"),
    Format("human-bot", 0.5, "Human: {said}\nBot: {answer}"),
    Format("japanese", 0.1, "利用者「{said}」\n助手「{answer}」"),
    Format("dashes", 0, "- {said}\n-- {answer}"),
)

FORMATS = {
    "arithmetic": ARITHMETIC,
    "latent-operation": LATENT,
    "word": WORD,
    "sentiment-en": SENTIMENT_EN,
    "sentiment-ja": SENTIMENT_JA,
    "multiple-choice": CHOICE_EN,
    "multiple-choice-ja": CHOICE_JA,
    "multi-turn": MULTI_TURN,
}

INSTRUCTIONS = {
    "arithmetic": ("Solve the problems.", "Answer with a number.", "計算してください。"),
    "latent-operation": ("Find the rule.", "Continue the list."),
    "word": ("Do the task.", "Continue the list."),
    "sentiment-en": ("Tell the feeling of each text.", "Classify the reviews."),
    "sentiment-ja": ("文の感情を答えてください。", "レビューを分類してください。"),
    "multiple-choice": ("Choose the right option.", "Answer the questions."),
    "multiple-choice-ja": ("正しいものを選んでください。", "質問に答えてください。"),
}
