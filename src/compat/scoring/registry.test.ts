import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Float, type Row } from '../../prompt/values.ts';
import { toPython } from '../../python/convert.ts';
import { loadSegmenter } from '../../score/segment/segmenter.ts';
import { isWrittenIn } from './judges/detect-language.ts';
import { cleanerNamed, cleaners, rowJudges } from './registry.ts';
import { sequenceRatio } from './sequence-ratio.ts';

interface Case {
  readonly kind: 'clean' | 'judge';
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly text: string | readonly number[];
  readonly gold?: unknown;
  readonly row?: Row;
  readonly counts?: readonly number[];
  readonly expected: unknown;
}

// Inputs that were drawn at random, with what the originals make of them.
const file = new URL('../../../test/vectors/compat-scoring.jsonl', import.meta.url);
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

const located = ({ name, options }: Pick<Case, 'name' | 'options'>) => ({
  component: { type: name, ...options },
  path: [],
});

function plain(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  return Array.isArray(value) ? value.map(plain) : value;
}

function cleaned({ text, ...one }: Case): unknown {
  return plain(cleanerNamed(one.name)?.build(located(one), undefined)(text as string, {}));
}

function judged({ text, gold, row = {}, ...one }: Case): unknown {
  const given = typeof text === 'string' ? text : text.map((part) => new Float(part));
  const { judge } = rowJudges[one.name]?.build(located(one), undefined) ?? {};
  const score = judge?.(given, toPython(gold), row);
  if (typeof score === 'object') expect(score.counts).toEqual(one.counts);
  return typeof score === 'object' ? score.value : Number(score);
}

const names = (kind: Case['kind']) => [
  ...new Set(cases.filter((one) => one.kind === kind).map(({ name }) => name)),
];

test.each(names('clean'))('%s cleans as the original does', (name) => {
  for (const one of cases.filter((each) => each.kind === 'clean' && each.name === name)) {
    expect(cleaned(one), JSON.stringify(one)).toEqual(one.expected);
  }
});

test.each(names('judge'))('%s judges as the original does', (name) => {
  for (const one of cases.filter((each) => each.kind === 'judge' && each.name === name)) {
    // Those of long texts round to two places there.
    expect(judged(one), JSON.stringify(one)).toBeCloseTo((one.expected as number) / 100, 4);
  }
});

const gold = { bbox: [10, 10, 90, 90], image_width: 100, image_height: 100 };
const execution = JSON.stringify({ code: '', input: 'f(1)', output: '[1, 2]' });
const vqa = ['two', '2', '2', '2', '3'].map((answer, id) => ({ answer, answer_id: id }));

test.each<[name: string, text: string, gold: unknown, value: number | undefined, row?: object]>([
  ['Gsm8kEvaluator', '18.0', '18', 1],
  ['Gsm8kEvaluator', '18.5', '18', 0],
  ['Gsm8kEvaluator', 'NULL', '18', 0],
  ['NeedleBenchOriginEvaluatorV2', 'It is a cat.', 'a small cat*cat', 1],
  ['NeedleBenchOriginEvaluatorV2', 'It is a dog.', 'a small cat*cat', 0],
  ['NeedleBenchOriginEvaluatorV2', 'x', 'no keyword', undefined],
  ['NeedleBenchParallelEvaluator', 'cat, cow', 'cat*dog*cow#0*50*100', 2 / 3],
  ['LongBenchRetrievalEvaluator', 'Paragraph 3 or 4', ['Paragraph 3'], 0.5],
  ['LongBenchRetrievalEvaluator', 'three', ['no number'], undefined],
  ['VideoBenchEvaluator', 'It is B', { answer: 'B' }, 1],
  ['TEXTEvaluator', 'Two.', vqa, 0.8],
  ['BBoxIoUEvaluator', '[1]', gold, 0],
  ['CircularRowsEvaluator', 'B', '7--B--BCDA', 1],
  ['CircularRowsEvaluator', 'B', 'B', undefined],
  ['MusrEvaluator', 'Thus\nANSWER: 2', 2, 1],
  ['MusrEvaluator', '2', 2, 0],
  ['LLMJudgeCorrectEvaluator', 'A', 'anything', 1],
  ['CodeUEvaluator', 'So the final output is [ [1, 2] ] now', '[[1, 2]]', 0],
  ['CodeUEvaluator', 'It prints: the final output is [1, 2.0]', '[1, 2]', 1],
  ['CodeUEvaluator', 'a b c the value of x is 7', '7', 0],
  ['CodeUEvaluator', '7', '7', 1],
  ['SciFiEvaluator', 'untrue: False. [fact: True]', 'False [fact: True]', 1],
  ['SciFiEvaluator', '"TRUE" it is', 'true', 1],
  ['SciFiEvaluator', 'no idea', 'true', 0],
  ['LiveMathBenchEvaluator', 'So $\\boxed{\\frac{1}{2}}$.', '1/2', 1],
  ['LiveMathBenchEvaluator', 'It is 3.', '4', 0],
  ['AccContaminationEvaluator', 'A', 'A', 1, { is_clean: 'clean' }],
  ['QuALITYEvaluator', 'A', 'B', 0, { difficult: 1 }],
  ['CrowspairsEvaluator', 'invalid', 'A', 0],
  ['OpenFinDataKWEvaluator', '甲和乙', '甲、乙', 1],
  ['OpenFinDataKWEvaluator', '甲', '甲、乙', 0],
  ['Math401Evaluator', '1.0004', '1', 1],
  ['Math401Evaluator', 'one', '1', 0],
  ['JudgeEvaluator', 'So "Choice": "Model B"', { winner: 'B' }, 1],
  ['ProteinLMBenchEvaluator', 'The answer is C', 'C', 1, { options: ['x', 'y', 'z'] }],
  ['LCBCodeExecutionEvaluator', '[ANSWER] f(1) == [1, 2] [/ANSWER]', execution, 1],
  ['LCBCodeExecutionEvaluator', 'f(1) == [1, 2.0]', execution, 0],
  ['LCBCodeExecutionEvaluator', 'f(1)', execution, 0],
  ['LCBTestOutputEvaluator', 'So:\nassert f("==") == 3', '{"output": "3"}', 1],
  ['LCBTestOutputEvaluator', '```python\nassert f(2) == 4\n```', '{"output": "3"}', 0],
  ['IFEvaluator', 'x', { instruction_id_list: ['no:such'], kwargs: [{}] }, undefined],
])('%s: %j for %j is %j', (name, text, want, value, row = {}) => {
  const { judge } = rowJudges[name]?.build(located({ name, options: {} }), undefined) ?? {};
  const score = judge?.(text, toPython(want), row as Record<string, unknown>);
  const number = typeof score === 'object' ? score.value : score;
  if (value === undefined) expect(number).toBeUndefined();
  else expect(Number(number)).toBeCloseTo(value, 12);
});

test.each([
  ['B', 'B'],
  ['The answer is (C).', 'C'],
  ['It is the brown dog, clearly.', 'B'],
  ['brwn dg', 'B'],
])('the nearest option to %j is %s', (text, option) => {
  const row = { A: 'red cat', B: 'brown dog', C: 'white cow' };
  const component = { type: 'OptionSimAccEvaluator', options: 'ABC' };
  const { judge } =
    rowJudges.OptionSimAccEvaluator?.build({ component, path: [] }, undefined) ?? {};
  expect(judge?.(text, option, row)).toBe(true);
});

test('no post-processor throws on any text', async () => {
  await loadSegmenter('zh');
  const options: Readonly<Record<string, object>> = {
    mathbench_postprocess: { name: 'x_cn' },
    LLM4Mat_postprocessor: { property: 'band_gap' },
    mgsm_postprocess: { lang: 'de' },
    xml_tag_postprocessor: { tag: '<answer>' },
    lcb_program: { block: 'first' },
    match_answer_pattern: { answer_pattern: '(?i)answer (\\w)' },
  };
  const built = Object.entries(cleaners).map(([name, type]) =>
    type.build({ component: { type: name, ...options[name] }, path: [] }, undefined),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const clean of built) clean(text, {});
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['', '', 1],
  ['abcd', 'bcde', 0.75],
  ['a'.repeat(300), `${'a'.repeat(150)}b`, 300 / 451],
])('%j and %j are alike by %d', (left, right, ratio) => {
  expect(sequenceRatio(left, right)).toBeCloseTo(ratio, 12);
});

test.each([
  ['The cat is on the table and it will not leave.', 'en', true],
  ['THE CAT IS ON THE TABLE', 'en', true],
  ['Der Hund ist im Haus und will nicht hinaus.', 'de', true],
  ['Der Hund ist im Haus und will nicht hinaus.', 'en', false],
  ['El perro no quiere salir de la casa.', 'es', true],
  ['O cachorro não quer sair da casa.', 'pt', true],
  ['कुत्ता घर में है और बाहर नहीं जाना चाहता।', 'hi', true],
  ['कुत्रा घरात आहे आणि त्याला बाहेर जायचे नाही.', 'mr', true],
  ['Собака в доме и не хочет выходить на улицу.', 'ru', true],
  ['Кучето е в къщата и не иска да излезе.', 'bg', true],
  ['کتا گھر میں ہے اور باہر نہیں جانا چاہتا۔', 'ur', true],
  ['سگ در خانه است و نمی‌خواهد بیرون برود.', 'fa', true],
  ['犬は家にいて、外に出たくない。', 'ja', true],
  ['개는 집에 있고 나가고 싶지 않다.', 'ko', true],
  ['ನಾಯಿ ಮನೆಯಲ್ಲಿದೆ', 'kn', true],
  ['Mbwa yuko katika nyumba na hataki kutoka kwa sababu ya mvua.', 'sw', true],
  ['42 + 1', 'de', true],
])('%j is in %s: %j', (text, language, expected) => {
  expect(isWrittenIn(text, language)).toBe(expected);
});
