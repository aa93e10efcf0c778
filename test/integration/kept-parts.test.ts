import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { keyedRandom } from '../../src/base/keyed-random.ts';
import { type ConfigInput, evaluate, openRun, type RowRecord, rescore } from '../../src/index.ts';

let server: Server;
let asked = 0;

/** Answers by what is asked, so that equal requests have equal answers. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked++;
    const [first = 0] = createHash('sha256').update(Buffer.concat(chunks)).digest();
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: String(first % 3) };
    const usage = { prompt_tokens: 7, completion_tokens: first % 5 };
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const turns = (infer_mode: string) => ({
  infer_cfg: {
    prompt_template: {
      type: 'MultiTurnPromptTemplate',
      template: {
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
    inferencer: { type: 'MultiTurnGenInferencer', infer_mode },
  },
});
const single = (inferencer: object) => ({
  infer_cfg: { prompt_template: { template: '{question}' }, inferencer },
});

const ways: readonly [string, object, isDialogue?: boolean][] = [
  ['samples', { n: 3, ...single({ type: 'GenInferencer' }) }],
  ['votes', single({ type: 'SCInferencer', sc_size: 4 })],
  ['turns', turns('every'), true],
  ['turns with gold', turns('every_with_gt'), true],
];
const rows = 12;

function configOf(way: object, isDialogue = false, evaluator: object = { type: 'exact' }) {
  const { port } = server.address() as AddressInfo;
  const rowOf = (index: number) => {
    const question = `What is ${index}?`;
    const answer = String(index % 3);
    return isDialogue
      ? { question: [question, 'And now?', 'Sure?'], answer: [answer, answer, answer] }
      : { question, answer };
  };
  return {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: `http://127.0.0.1:${port}`, model: 'x' }],
    datasets: [
      {
        abbr: 'd',
        rows: Array.from({ length: rows }, (_, index) => rowOf(index)),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        eval_cfg: { evaluator },
        ...way,
      },
    ],
  } as unknown as ConfigInput;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-kept-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The records of a run by row, without how long they took. */
async function recordsOf(folder: string): Promise<Map<number, Partial<RowRecord>>> {
  const found = new Map<number, Partial<RowRecord>>();
  for await (const { ms: _, ...record } of (await openRun(folder)).rows({ model: 'm' })) {
    found.set(record.id, record);
  }
  return found;
}

/** A copy of a run whose process was killed when its log was so long. */
async function killedAt(out: string, bytes: number): Promise<string> {
  const copy = join(await newFolder(), 'run');
  await cp(out, copy, { recursive: true });
  for (const file of ['summary.json', 'm/d.index', 'report.html']) {
    await rm(join(copy, file), { force: true });
  }
  await truncate(join(copy, 'm/d.jsonl'), bytes);
  return copy;
}

test.each(ways)(
  'a run of %s that is killed: score finds every row that is answered, and asks nothing',
  async (name, way, isDialogue) => {
    const config = configOf(way, isDialogue);
    const out = join(await newFolder(), 'run');
    const { summary } = await evaluate(config, { out });
    const whole = await recordsOf(out);
    expect(whole.size).toBe(rows);
    const log = await readFile(join(out, 'm/d.jsonl'), 'utf8');
    const lines = log.split(/(?<=\n)/);
    const random = keyedRandom(3, name);
    const beforeTheRow = lines.findIndex((line) => JSON.parse(line).part === undefined);
    const cuts = [
      beforeTheRow,
      ...Array.from({ length: 5 }, () => random.below(lines.length - 1) + 1),
    ];
    let kept = 0;
    for (const cut of cuts) {
      const left = lines.slice(0, cut);
      const copy = await killedAt(out, Buffer.byteLength(left.join('')));
      const known = new Set(left.map((line) => JSON.parse(line).key));
      const answered = [...whole].filter(([, { parts = [] }]) =>
        parts.every((key) => known.has(key)),
      );
      const written = left.filter((line) => JSON.parse(line).part === undefined).length;
      kept += answered.length - written;
      const sent = asked;
      const scored = await rescore(copy, { config });
      expect([cut, asked]).toEqual([cut, sent]);
      expect([cut, await recordsOf(copy)]).toEqual([cut, new Map(answered)]);
      expect(scored.summary).toMatchObject({
        complete: answered.length === rows,
        results: [{ rows: { total: rows, missing: rows - answered.length } }],
      });
      const again = await evaluate(config, { out: copy });
      const keys = new Set(
        lines
          .map((line) => JSON.parse(line))
          .filter(({ part }) => part !== undefined)
          .map(({ key }) => key),
      );
      expect([cut, asked - sent]).toEqual([cut, [...keys].filter((key) => !known.has(key)).length]);
      expect(again.summary.results[0]?.score).toEqual(summary.results[0]?.score);
      expect(await recordsOf(copy)).toEqual(whole);
    }
    expect(kept).toBeGreaterThan(0);
  },
);

test('answers that were never scored, since the scorer had not ended, are scored', async () => {
  const ending = new AbortController();
  const held = new Promise<never>(() => undefined);
  let isHeld = true;
  const score = (answer: string, { gold }: { readonly gold: unknown }) =>
    isHeld ? held : answer === gold;
  const samples = { n: 3, ...single({ type: 'GenInferencer' }) };
  const config = configOf(samples, false, { type: 'function', metric: 'mine', score });
  const out = join(await newFolder(), 'run');
  const before = asked;
  const running = evaluate(config, { out, signal: ending.signal });
  while (asked < before + 6) await sleep(10);
  await sleep(300);
  ending.abort();
  const { results, complete } = (await running).summary;
  expect(complete).toBe(false);
  expect(results[0]?.rows).toMatchObject({ scored: 0, missing: rows });
  const sent = asked - before;
  isHeld = false;
  const scored = (await rescore(out, { config })).summary.results[0]?.rows.scored ?? 0;
  expect([asked - before, scored]).toEqual([sent, Math.floor(sent / 3)]);
  const { summary } = await evaluate(config, { out });
  expect(asked - before).toBe(3 * rows);
  const other = join(await newFolder(), 'run');
  const { summary: undisturbed } = await evaluate(config, { out: other });
  expect(summary.results[0]?.score).toEqual(undisturbed.results[0]?.score);
});
