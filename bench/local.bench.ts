import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tensor } from 'onnxruntime-node';
import { CausalGraph, type GraphBatch } from '../src/model/local/engine/causal-graph.ts';
import { argMax, logSumExp } from '../src/model/local/engine/logits.ts';
import { openSession } from '../src/model/local/engine/runtime.ts';
import { localModel } from '../src/model/local/local-model.ts';
import { LocalTokenizer } from '../src/model/local/local-tokenizer.ts';
import { readModelFolder } from '../src/model/local/model-folder.ts';
import { median } from './measure.ts';

const usual = fileURLToPath(new URL('../models/typecase-tiny', import.meta.url));
const path = process.argv[2] ?? usual;
if (!existsSync(join(path, 'config.json'))) throw new Error(`there is no model in ${path}`);

const folder = await readModelFolder({ path });
const tokenizer = await LocalTokenizer.read(folder.tokenizer, folder.tokenizerConfig);
const { session, runtime } = await openSession(folder.weights);
const graph = new CausalGraph(session, runtime, folder.config);
const model = await localModel({ path });
const alone = await localModel({ path, batchSize: 1 });
const signal = AbortSignal.timeout(3_600_000);

const rows = 8;
const shotsOf = (seed: number) =>
  Array.from({ length: 5 }, (_, shot) => {
    const left = (seed * 37 + shot * 11) % 90;
    return `Question: What is ${left} plus ${shot + 12}?\nA. ${left + 3}\nB. ${left + shot + 12}\nC. ${left}\nD. 77\nAnswer: B\n\n`;
  }).join('');
const question = (row: number) =>
  `Question: What is ${row + 10} plus ${row}?\nA. ${row}\nB. ${row + 3}\nC. ${2 * row + 10}\nD. 99\nAnswer: `;

/** The texts of a row, one for each choice. */
function choices(row: number, { sameShots, labels }: Scoring) {
  const context = shotsOf(sameShots ? 0 : row + round * rows) + question(row + round * rows);
  return labels.map((label) => ({ text: context + label, from: 0 }));
}

let round = 0;

/** Without any of our own: whole texts, so many at a time. */
async function scoreBare(texts: readonly { text: string }[]): Promise<number> {
  const tokens = texts.map(({ text }) => Int32Array.from(tokenizer.encodePrompt(text)));
  const { logitsAt } = await graph.run(freshBatch(tokens), { logits: true, cache: 'none' });
  let sum = 0;
  tokens.forEach((ids, row) => {
    for (let place = 1; place < ids.length; place += 1) {
      const logits = logitsAt(row, place - 1);
      sum += (logits[ids[place] as number] as number) - logSumExp(logits);
    }
  });
  return sum;
}

function freshBatch(tokens: readonly Int32Array[]): GraphBatch {
  return { tokens, pastLengths: tokens.map(() => 0), past: graph.cacheRoom(0), pastStride: 0 };
}

interface Scoring {
  readonly sameShots: boolean;
  readonly labels: readonly string[];
}

const scoring = {
  'nothing shared, one text at a time': (how: Scoring) =>
    eachRow(how, async (texts) => {
      for (const text of texts) await scoreBare([text]);
    }),
  'nothing shared, 4 texts at a time': (how: Scoring) => eachRow(how, scoreBare),
  'shared, one text at a time': (how: Scoring) => weighAll(alone, how),
  'shared, together': (how: Scoring) => weighAll(model, how),
};

async function eachRow(
  how: Scoring,
  score: (texts: readonly { text: string }[]) => Promise<unknown>,
): Promise<number> {
  for (let row = 0; row < rows; row += 1) await score(choices(row, how));
  return rows;
}

async function weighAll({ loglikelihoodModel }: typeof model, how: Scoring): Promise<number> {
  const requests = Array.from({ length: rows }, (_, row) => ({ texts: choices(row, how) }));
  await Promise.all(requests.map((request) => loglikelihoodModel?.measure(request, { signal })));
  return rows;
}

const answerLength = 64;
const promptOf = (row: number) => `${row} and ${round}: `.padEnd(24, 'abcdefgh');

/** Generation with nothing around ONNX Runtime: all rows in step, all of one length. */
async function writeBare(count: number): Promise<number> {
  const { Tensor } = runtime;
  const whole = (rows: number, columns: number, numberAt: (row: number, place: number) => number) =>
    new Tensor(
      'int64',
      BigInt64Array.from({ length: rows * columns }, (_, index) =>
        BigInt(numberAt(Math.floor(index / columns), index % columns)),
      ),
      [rows, columns],
    );
  const { heads, size, type } = graph.shape;
  const pastNames = session.inputNames.filter((name) => name.startsWith('past_key_values'));
  const presentOf = (name: string) => name.replace('past_key_values', 'present');
  const empty = () => new Tensor(type, graph.cacheRoom(0)[0] ?? [], [count, heads, 0, size]);
  let past: Record<string, Tensor> = Object.fromEntries(pastNames.map((name) => [name, empty()]));
  let tokens = Array.from({ length: count }, (_, row) => tokenizer.encodePrompt(promptOf(row)));
  let read = 0;
  for (let step = 0; step < answerLength; step += 1) {
    const length = tokens[0]?.length ?? 0;
    const feeds = {
      ...past,
      input_ids: whole(count, length, (row, place) => tokens[row]?.[place] ?? 0),
      attention_mask: whole(count, read + length, () => 1),
      position_ids: whole(count, length, (_, place) => read + place),
    };
    const outputs = await session.run(feeds, ['logits', ...pastNames.map(presentOf)]);
    past = Object.fromEntries(pastNames.map((name) => [name, outputs[presentOf(name)] as Tensor]));
    const { data, dims } = outputs.logits as Tensor;
    const width = dims[2] ?? 0;
    tokens = tokens.map((_, row) => {
      const start = ((row + 1) * length - 1) * width;
      return [argMax((data as Float32Array).subarray(start, start + width))];
    });
    read += length;
  }
  return count * answerLength;
}

async function writeOurs(count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, row) =>
      model.generate(
        { prompt: { type: 'text', text: promptOf(row) }, maxOutLen: answerLength },
        { signal },
      ),
    ),
  );
  return answers.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0);
}

async function compare(
  title: string,
  ways: Readonly<Record<string, () => Promise<number>>>,
  { unit, rounds = 5 }: { unit: string; rounds?: number },
): Promise<void> {
  const found = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  // The ways take turns, so that a noisy machine hits them alike.
  for (let turn = -1; turn < rounds; turn += 1) {
    round += 1;
    for (const [name, run] of Object.entries(ways)) {
      const start = performance.now();
      const amount = await run();
      if (turn >= 0) found.get(name)?.push((amount / (performance.now() - start)) * 1000);
    }
  }
  const rates = [...found].map(([name, values]) => [name, median(values)] as const);
  const floor = rates[0]?.[1] ?? Number.NaN;
  console.log(`\n${title}`);
  for (const [name, rate] of rates) {
    const ratio = (rate / floor).toFixed(2);
    console.log(`${name.padEnd(36)}${rate.toFixed(1).padStart(9)} ${unit}${ratio.padStart(8)} ×`);
  }
}

const letters = ['A', 'B', 'C', 'D'];
const words = ['seven', 'eleven', 'twenty-two', 'ninety-nine'];
for (const [title, how] of [
  ['letters after 5 examples, others for each row', { sameShots: false, labels: letters }],
  ['letters after 5 examples, always the same', { sameShots: true, labels: letters }],
  ['words after 5 examples, always the same', { sameShots: true, labels: words }],
] as const) {
  const ways = Object.entries(scoring).map(([name, run]) => [name, () => run(how)] as const);
  await compare(`4 choices, ${title}`, Object.fromEntries(ways), { unit: 'rows/s' });
}
for (const count of [1, 16]) {
  await compare(
    `answers of ${answerLength} tokens, ${count} at a time`,
    { 'bare ONNX Runtime': () => writeBare(count), Typecase: () => writeOurs(count) },
    { unit: 'tokens/s', rounds: 9 },
  );
}
await Promise.all([model.close(), alone.close(), graph.release()]);
