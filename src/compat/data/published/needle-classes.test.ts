import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../prompt/values.ts';
import { readPublished } from './read-published.ts';

const lines = (...rows: readonly unknown[]) =>
  `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
const fact = (place: string, thing: string, language = 'English') => ({
  needle: `In ${place}: ${thing}.`,
  retrieval_question: `What is in ${place}? Answer as 'In ${place}: ___.'`,
  arg1: place,
  arg2: thing,
  language,
});

// Each of these words is a token of GPT-4's tokenizer.
const files: Readonly<Record<string, string>> = {
  'PaulGrahamEssays.jsonl': lines({ text: 'one two three four five six seven eight nine ten' }),
  'zh_tech.jsonl': lines({ text: '龘龘龘' }),
  'needles.jsonl': lines(fact('Rome', 'gold'), fact('Rome', 'gold', 'Chinese')),
  'pairs.jsonl': lines(fact('Rome', 'salt'), fact('Rome', 'salt'), fact('Oslo', 'gold')),
  'steps.json': JSON.stringify([
    { derivation_count: 2, derivations: ['A', 'B'], answer: 'C', question: 'Who?' },
    { derivation_count: 3, derivations: [], answer: 'D', question: 'No.' },
  ]),
  'names.json': JSON.stringify({ English: 'Ann,Bob,Cid' }),
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'needles-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

async function rowsOf(published: Readonly<Record<string, unknown>> & { readonly type: string }) {
  const settings = {
    length: 20,
    length_buffer: 2,
    tokenizer_model: 'gpt-4',
    file_list: ['PaulGrahamEssays.jsonl'],
    num_repeats_per_file: 1,
    language: 'English',
    prompt: '{{{context}}}|{retrieval_question}|{last_person}',
    ...published,
  };
  const { split } = await readPublished({
    path: folder,
    published: settings,
    folder,
    source: [],
  });
  const rows: Row[] = [];
  for await (const batch of split('test', 'test_split').batches()) {
    rows.push(...batch.map(({ row }) => row));
  }
  return rows;
}

test('a fact is put at a depth of as many tokens as fit', async () => {
  const origin = { type: 'NeedleBenchOriginDataset', needle_file_name: 'needles.jsonl', depth: 50 };
  const [row, ...others] = await rowsOf(origin);
  expect(others).toEqual([]);
  // The fact takes 6 tokens: its last line end is one with the dot.
  expect(row).toEqual({
    prompt: `{one two three four five\nIn Rome: gold.\n six seven eight nine ten}|What is in Rome? Answer as 'In Rome: ___.'|`,
    answer: '\nIn Rome: gold.\n*gold',
  });
  const [short] = await rowsOf({ ...origin, length: 13 });
  expect(short?.prompt).toContain('{one two\nIn Rome: gold.\n three four five}|');
  const [guided] = await rowsOf({
    ...origin,
    guide: true,
    hint: 'Think. Answer as',
    mark: 'Answer as',
  });
  expect(guided?.prompt).toContain("What is in Rome? Think. Answer as 'In Rome: ___.'");
  const [base] = await rowsOf({
    ...origin,
    guide: false,
    hint: 'Think. Answer as',
    mark: 'Answer as',
  });
  expect(base?.prompt).toContain('What is in Rome? Think. In R|');
});

test('a text that is cut inside of a character ends as it does there', async () => {
  const [row] = await rowsOf({
    type: 'NeedleBenchOriginDataset',
    needle_file_name: 'needles.jsonl',
    file_list: ['zh_tech.jsonl'],
    depth: 100,
    length: 9,
  });
  expect(row?.prompt).toMatch(/^\{\ufffd\nIn Rome/);
});

test('several facts are asked about at once, each about another thing', async () => {
  const rows = await rowsOf({
    type: 'NeedleBenchParallelDataset',
    needle_file_name: 'pairs.jsonl',
    depths: [0, 100],
    ask: ' As ',
    form: '!',
    length: 30,
  });
  expect(rows).toHaveLength(1);
  expect(rows[0]?.answer).toMatch(/^(?:salt\*gold|gold\*salt)#0\*100$/);
  const [first, second] = String(rows[0]?.answer).startsWith('salt')
    ? ['Rome: salt', 'Oslo: gold']
    : ['Oslo: gold', 'Rome: salt'];
  const [one, two] = [first, second].map((text) => text.slice(0, 4));
  expect(rows[0]?.prompt).toBe(
    `{\nIn ${first}.\none two three four five six seven eight nine ten\nIn ${second}.\n}|What is in ${one}?、What is in ${two}? As In ${one}: ___、In ${two}: ___!|`,
  );
});

test('facts that follow from one another stand apart', async () => {
  const multi = { type: 'NeedleBenchMultiDataset', depth: 0, diff: 20, length: 16, guide: true };
  const [row] = await rowsOf({
    ...multi,
    needle_file_name: 'steps.json',
    num_needles: 2,
    hint: ' Think.',
  });
  expect(row).toEqual({
    prompt: '{\nA\none two three four\nB\n five six seven eight}|Who? Think.|',
    answer: 'C*C',
  });
  const [kin] = await rowsOf({
    ...multi,
    needle_file_name: 'names.json',
    num_needles: 1,
    question: 'Who is above {last_person}?',
    terms: ['aunt'],
    sentences: ['{A} is the {relationship} of {B}'],
  });
  const [, older, younger] = /\n(\w+) is the aunt of (\w+)\n/.exec(String(kin?.prompt)) ?? [];
  expect(kin?.answer).toBe(older);
  expect(kin?.prompt).toContain(`|Who is above ${younger}?|${younger}`);
});

test.each([
  [{ needle_file_name: 'needles.jsonl', language: 'French' }, 'needles.jsonl has nothing to hide'],
  [{ needle_file_name: 'needles.jsonl', tokenizer_model: 'gpt-4o' }, 'the tokenizer of `gpt-4o`'],
  [{ needle_file_name: 'needles.jsonl', prompt: undefined }, 'the prompts of this dataset class'],
])('refuses %j', async (settings, message) => {
  const published = { type: 'NeedleBenchOriginDataset', depth: 1, ...settings };
  await expect(rowsOf(published)).rejects.toThrow(message);
});
