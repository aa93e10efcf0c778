/** Files in the layout in which datasets are published, made up. */
const lines = (...rows: readonly unknown[]) =>
  `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
const choices = (...texts: readonly string[]) =>
  texts.map((text, index) => ({ text, label: 'ABCDE'[index] }));
const squad = {
  data: [
    {
      paragraphs: [
        {
          context: 'Ada wrote it.',
          qas: [
            {
              question: 'Who?',
              is_impossible: false,
              answers: [{ text: 'Ada' }, { text: 'Ada' }, { text: 'Ada L.' }],
            },
            {
              question: 'When?',
              is_impossible: true,
              answers: [],
              plausible_answers: [{ text: '1843' }],
            },
          ],
        },
      ],
    },
  ],
};
const chinese = {
  data: [
    {
      paragraphs: [
        { context: '小明在家。', qas: [{ question: '谁？', answers: [{ text: '小明' }] }] },
      ],
    },
  ],
};
const program = {
  task_id: 1,
  text: 'Add two numbers.',
  prompt: 'Write add.',
  code: 'def add(a, b): return a + b',
  test_list: ['assert add(1, 2) == 3', 'assert add(0, 0) == 0'],
};
const winogrande = {
  sentence: 'The cup fits since _ is small.',
  option1: 'the cup',
  option2: 'the box',
  answer: '1',
};
const longRow = {
  input: 'Who?',
  context: 'A long text.',
  answers: ['Ada'],
  all_classes: ['Ada', 'Bob'],
  length: 3,
};
const subjective = [
  { question: 'Why?', capability: 'logic', others: { reference: 'Because.', type: 1 } },
];
const gpqaHead = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'Question',
  'Correct Answer',
  'Wrong 1',
  'Wrong 2',
  'Wrong 3',
  'x',
];
const gpqaRow = (question: string) => [
  '0',
  '0',
  '0',
  '0',
  '0',
  '0',
  '0',
  question,
  'right',
  'w1',
  'w2',
  'w3',
  '-',
];

export const publishedData: Readonly<Record<string, string>> = {
  'mmlu/dev/anatomy_dev.csv': '"Which, then?",a,b,c,d,A\nSecond,e,f,g,h,C\n',
  'mmlu/test/anatomy_test.csv': 'Bones?,one,two,three,four,B\nMore?,1,2,3,4,D\n',
  'cmmlu/dev/law.csv': ',Question,A,B,C,D,Answer\n0,法?,a,b,c,d,A\n',
  'cmmlu/test/law.csv': ',Question,A,B,C,D,Answer\n0,律?,a,b,c,d,C\n',
  'ceval/formal_ceval/dev/law_dev.csv':
    'id,question,A,B,C,D,answer,explanation\n0,问?,a,b,c,d,A,因为\n1,再问?,a,b,c,d,D,所以\n',
  'ceval/formal_ceval/val/law_val.csv': 'id,question,A,B,C,D,answer\n0,什么?,a,b,c,d,B\n',
  'ceval/formal_ceval/test/law_test.csv': 'id,question,A,B,C,D\n0,何?,a,b,c,d\n',
  'gsm8k/train.jsonl': lines({ question: '1 + 1?', answer: 'It is 2.\n#### 2' }),
  'gsm8k/test.jsonl': lines(
    { question: '20 + 22?', answer: 'So\n#### 42' },
    { question: '1,000 + 0?', answer: '#### 1,000' },
  ),
  'math/math.json': JSON.stringify({
    0: { problem: 'Half?', level: 'Level 1', solution: 'It is $\\boxed{\\frac{1}{2}}$.' },
    1: { problem: 'Two?', level: 'Level 2', solution: 'See \\boxed{2} and \\boxed{{3}}' },
    2: { problem: 'None?', level: 'Level 3', solution: 'nothing' },
  }),
  'BBH/data/navigate.json': JSON.stringify({
    examples: [{ input: 'Back? Options: yes', target: 'Yes' }],
  }),
  'hellaswag/hellaswag.jsonl': lines(
    { query: 'Sport: Running: He runs: fast', choices: ['on', 'off', 'up', 'in'], gold: 2 },
    { query: 'Short', choices: ['a', 'b', 'c', 'd'], gold: 0 },
  ),
  'hellaswag/hellaswag_train_sampled25.jsonl': lines({
    query: 'Food: She cooks',
    choices: ['a', 'b', 'c', 'd'],
    gold: 1,
  }),
  'humaneval/human-eval-v2-20210705.jsonl': lines({
    task_id: 'HumanEval/0',
    prompt: 'def twice(n):\n    """Twice n."""\n',
    entry_point: 'twice',
    canonical_solution: '    return 2 * n\n',
    test: 'def check(candidate):\n    assert candidate(2) == 4\n',
  }),
  'ARC/ARC-c/ARC-Challenge-Dev.jsonl': lines(
    { id: 'x', question: { stem: 'Which?', choices: choices('a', 'b', 'c', 'd') }, answerKey: 'C' },
    { id: 'y', question: { stem: 'Few?', choices: choices('a', 'b', 'c') }, answerKey: 'A' },
    {
      id: 'z',
      question: {
        stem: 'Numbers?',
        choices: ['a', 'b', 'c', 'd'].map((text, index) => ({ text, label: String(index + 1) })),
      },
      answerKey: '2',
    },
  ),
  'race/validation/high.jsonl': lines({
    article: 'A',
    question: 'Q?',
    options: ['a', 'b', 'c', 'd'],
    answer: 'A',
  }),
  'race/test/high.jsonl': lines({
    article: 'B',
    question: 'R?',
    options: ['e', 'f', 'g', 'h'],
    answer: 'D',
  }),
  'commonsenseqa/train_rand_split.jsonl': lines({
    question: { stem: 'T?', choices: choices('a', 'b', 'c', 'd', 'e') },
    answerKey: 'E',
  }),
  'commonsenseqa/dev_rand_split.jsonl': lines({
    question: { stem: 'D?', choices: choices('f', 'g', 'h', 'i', 'j') },
    answerKey: 'B',
  }),
  'gpqa/gpqa_diamond.csv': `${[gpqaHead, gpqaRow('One?'), gpqaRow('Two?'), gpqaRow('Three?'), gpqaRow('Four?')].map((row) => row.join(',')).join('\n')}\n`,
  'aime.jsonl': lines({ origin_prompt: 'Sum?', gold_answer: '204', id: 1 }),
  'aime2025/aime2025.jsonl': lines({ question: 'Sum?', answer: '70' }),
  'mmlu_pro/test-00000-of-00001.jsonl': lines(
    {
      category: 'math',
      question: 'Q?',
      options: ['x', 'y', 'N/A'],
      answer: 'B',
      cot_content: "A: Let's think step by step. So B.",
    },
    { category: 'law', question: 'L?', options: ['x'], answer: 'A', cot_content: '' },
  ),
  'mmlu_pro/validation-00000-of-00001.jsonl': lines({
    category: 'math',
    question: 'V?',
    options: ['x', 'y'],
    answer: 'A',
    cot_content: '',
  }),
  'mbpp/mbpp.jsonl': lines(...Array.from({ length: 12 }, (_, id) => ({ ...program, task_id: id }))),
  'mbpp/sanitized-mbpp.jsonl': lines(
    ...Array.from({ length: 9 }, (_, id) => ({ ...program, task_id: id })),
  ),
  'mbpp_plus/mbpp_plus.jsonl': lines(program),
  'triviaqa/trivia-dev.qa.csv': "Who?\t['Ada', \"O'Brien\"]\n",
  'triviaqa/trivia-test.qa.csv': "What?\t['Sea', 'Ocean']\n",
  'triviaqa/triviaqa-validation.jsonl': lines({ question: 'V?', answer: ['a'] }),
  'triviaqa/triviaqa-train.jsonl': lines({ question: 'T?', answer: 'b' }),
  'nq/nq-dev.qa.csv': "When?\t['1843', '1842']\n",
  'nq/nq-test.qa.csv': "Where?\t['London']\n",
  'nq-open/nq-open-validation.jsonl': lines({ question: 'V?', answer: ['a', 'b'] }),
  'nq-open/nq-open-train.jsonl': lines({ question: 'T?', answer: ['c', 'd'] }),
  'piqa/train.jsonl': lines({ id: 'a', goal: 'g', sol1: 's', sol2: 't' }),
  'piqa/train-labels.lst': '1\n',
  'piqa/dev.jsonl': lines(
    { id: 'b', goal: 'h', sol1: 'u', sol2: 'v' },
    { id: 'c', goal: 'i', sol1: 'w', sol2: 'x' },
  ),
  'piqa/dev-labels.lst': '0\n-1\n',
  'siqa/train.jsonl': lines({
    context: 'c',
    question: 'q',
    answerA: 'a',
    answerB: 'b',
    answerC: 'd',
  }),
  'siqa/train-labels.lst': '3\n',
  'siqa/dev.jsonl': lines({
    context: 'e',
    question: 'f',
    answerA: 'g',
    answerB: 'h',
    answerC: 'i',
  }),
  'siqa/dev-labels.lst': '2\n',
  'winogrande/dev.jsonl': lines(winogrande),
  'winogrande/train_xs.jsonl': lines({ ...winogrande, answer: '2' }),
  'openbookqa/Main/test.jsonl': lines({
    question: { stem: 'Plants need', choices: choices('sun', 'salt', 'sand', 'song') },
    answerKey: 'A',
    fact1: 'f',
  }),
  'SuperGLUE/BoolQ/val.jsonl': lines(
    { question: 'is it', passage: 'It -- is.', label: 'true' },
    { question: 'no', passage: 'p', label: 'false' },
  ),
  'SuperGLUE/AX-b/AX-b.jsonl': lines({ sentence1: 'a', sentence2: 'b', label: 'not_entailment' }),
  'SuperGLUE/CB/val.jsonl': lines({ premise: 'p', hypothesis: 'h', label: 'neutral' }),
  'SuperGLUE/COPA/val.jsonl': lines({ premise: 'p', choice1: 'a', choice2: 'b', label: 1 }),
  'SuperGLUE/WiC/val.jsonl': lines({ word: 'w', sentence1: 's', sentence2: 't', label: 'true' }),
  'SuperGLUE/WSC/val.jsonl': lines({
    text: 'Ann saw her',
    target: { span1_text: 'Ann', span2_text: 'her', span1_index: 0, span2_index: 2 },
    label: 'false',
  }),
  'SuperGLUE/MultiRC/val.jsonl': lines({
    passage: {
      text: 't',
      questions: [
        {
          question: 'q',
          answers: [
            { text: 'a', label: 1 },
            { text: 'b', label: 0 },
          ],
        },
      ],
    },
  }),
  'SuperGLUE/ReCoRD/val.jsonl': lines({
    passage: { text: 'Ada @highlight wrote' },
    qas: [{ query: '@placeholder wrote', answers: [{ text: 'Ada' }] }],
  }),
  'anli/dev.jsonl': lines({ context: 'c', hypothesis: 'h', label: 'e' }),
  'CLUE/AFQMC/dev.json': lines({ sentence1: 'a', sentence2: 'b', label: '1' }),
  'CLUE/cmnli/cmnli_public/dev.json': lines(
    { sentence1: 'a', sentence2: 'b', label: 'neutral' },
    { sentence1: 'c', sentence2: 'd', label: '-' },
  ),
  'CLUE/CMRC/dev.json': JSON.stringify(chinese),
  'CLUE/DRCD/dev.json': JSON.stringify(chinese),
  'CLUE/C3/dev_0.json': JSON.stringify([
    [['甲说', '乙听'], [{ question: '谁说?', choice: ['甲', '乙'], answer: '甲' }], 'id'],
  ]),
  'FewCLUE/chid/test_public.json': lines({
    content: '他#idiom#了',
    candidates: ['一', '二', '三', '四', '五', '六', '七'],
    answer: 3,
  }),
  'FewCLUE/cluewsc/test_public.json': lines({
    text: '她见她',
    target: { span1_text: '她', span2_text: '见', span2_index: 2 },
    label: 'true',
  }),
  'FewCLUE/csl/test_public.json': lines({ abst: '摘要', keyword: ['甲', '乙'], label: '1' }),
  'FewCLUE/eprstmt/test_public.json': lines({ sentence: '好', label: 'Positive' }),
  'FewCLUE/tnews/test_public.json': lines({ sentence: '股', label_desc: 'news_stock' }),
  'summedits/summedits.jsonl': lines({ doc: 'd', summary: 's', label: 1 }),
  'xstory_cloze/en_train.jsonl': lines({
    input_sentence_1: 'a',
    input_sentence_2: 'b',
    input_sentence_3: 'c',
    input_sentence_4: 'd',
    answer_right_ending: 1,
  }),
  'xstory_cloze/en_eval.jsonl': lines({
    input_sentence_1: 'e',
    input_sentence_2: 'f',
    input_sentence_3: 'g',
    input_sentence_4: 'h',
    answer_right_ending: 2,
  }),
  'SQuAD2.0/dev-v2.0.json': JSON.stringify(squad),
  'tydiqa/dev/english-dev.jsonl': lines({
    question: 'q',
    passage_text: 'p',
    answers: [{ text: 'a' }, { text: 'a' }],
  }),
  'lambada/test.jsonl': lines({ prompt: 'He said', label: 'yes' }),
  'strategyqa/strategyQA_train.json': JSON.stringify([
    { question: 'Can fish swim?', answer: true },
  ]),
  'drop_simple_eval/dev.jsonl': lines({ context: 'c', ref_text: 'a|b' }),
  'Xsum/dev.jsonl': lines({ dialogue: 'd', summary: 's' }, { dialogue: 1.5, summary: 't' }),
  'LCSTS/test.src.txt': '原文\n二\n',
  'LCSTS/test.tgt.txt': '摘要\n三\n',
  'mgsm/mgsm_de.tsv': 'Wie viele?\t7\n',
  'svamp/SVAMP.jsonl': lines({ Body: 'He has 3.', Question: 'How many?', Answer: 3 }),
  'gsm-hard/test.jsonl': lines({ input: 'How many?', target: 12 }),
  'ifeval/input_data.jsonl': lines({
    key: 1,
    prompt: 'Write.',
    instruction_id_list: ['x'],
    kwargs: [{}],
  }),
  'AGIEval/data/v1/sat-math.jsonl': lines(
    { passage: null, question: 'Q?', options: ['(A)1', '(B)2'], label: 'B', answer: null },
    { passage: 'P ', question: 'R?', options: null, label: null, answer: '7' },
  ),
  'GAOKAO-BENCH/data/Multi/x.json': JSON.stringify({ example: [{ question: 'q', answer: ['A'] }] }),
  'mathbench_v1/college/single_choice_en.jsonl': lines({
    question: ' Which? ',
    options: ['a', 'b', 'c', 'd'],
    answer: 'B',
  }),
  'mathbench_v1/college/cloze_en.jsonl': lines({ question: ' How? ', answer: ' 4 ' }),
  'WikiBench/cn/s.jsonl': lines({ question: 'W?', options: ['a', 'b', 'c', 'd'], answer: 'C' }),
  'Longbench/data/hotpotqa.jsonl': lines(longRow),
  'Longbench/data/trec.jsonl': lines(longRow),
  'Longbench/data/gov_report.jsonl': lines(longRow),
  'subjective/alignment_bench/alignment_bench_v1_1.json': JSON.stringify(subjective),
  'FewCLUE/csl/dev_few_all.json': lines({ abst: '摘要', keyword: ['甲', '乙'], label: '0' }),
  'ChemBench/dev/Name_benchmark.json': JSON.stringify([
    { question: 'c?', A: 'a', B: 'b', C: 'c', D: 'd', answer: 'A' },
  ]),
  'ChemBench/test/Name_benchmark.json': JSON.stringify([
    { question: 'd?', A: 'a', B: 'b', C: 'c', D: 'd', answer: 'B' },
  ]),
  'textvqa/textvqa_json/textvqa_val.jsonl': lines({
    image: 'textvqa_json/sign.png',
    question: 'What does it say?',
    question_id: 7,
  }),
  'textvqa/textvqa_json/textvqa_val_annotations.json': JSON.stringify({
    annotations: [
      {
        question_id: 7,
        answers: ['stop', 'stop', 'stop', 'go'].map((answer, index) => ({
          answer,
          answer_id: index,
        })),
      },
    ],
  }),
  'textvqa/textvqa_json/sign.png': 'not really a picture',
  'mtbench/question.jsonl': lines({
    question_id: 1,
    prompt: ['Name a metal.', 'Its symbol?'],
    reference: ['Iron', 'Fe'],
  }),
};
