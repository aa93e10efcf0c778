import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ConfigInput,
  evaluate,
  openRun,
  type RunSummary,
  rankRuns,
  rescore,
} from '../../src/index.ts';

let server: Server;
let asked = 0;

/** By what is asked: some requests are refused, late, so that others of the row are answered by then. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked++;
    const [first = 0, second = 0] = createHash('sha256').update(Buffer.concat(chunks)).digest();
    const isRefused = first < 60;
    await sleep(isRefused ? 30 : second % 8);
    response.statusCode = isRefused ? 400 : 200;
    response.setHeader('content-type', 'application/json');
    const content = second < 30 ? '' : String(second % 3);
    const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.end(JSON.stringify(isRefused ? { error: { message: 'refused' } } : { choices }));
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
  ['one answer', single({ type: 'GenInferencer' })],
  ['samples', { n: 4, ...single({ type: 'GenInferencer' }) }],
  ['votes', single({ type: 'SCInferencer', sc_size: 5 })],
  ['turns', turns('every'), true],
  ['turns with gold', turns('every_with_gt'), true],
];

function configOf(way: object, isDialogue: boolean): ConfigInput {
  const { port } = server.address() as AddressInfo;
  const rowOf = (index: number) => {
    const question = `What is ${index}?`;
    const answer = String(index % 3);
    return isDialogue
      ? { question: [question, 'And now?', 'Sure?'], answer: [answer, answer, answer] }
      : { question, answer };
  };
  const dataset = (abbr: string, rows: readonly object[]) => ({
    abbr,
    rows,
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    eval_cfg: { evaluator: { type: 'exact' } },
    ...way,
  });
  const rows = Array.from({ length: 30 }, (_, index) => rowOf(index));
  return {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: `http://127.0.0.1:${port}`, model: 'x' }],
    datasets: [dataset('d', rows), dataset('half', rows.slice(15))],
  } as unknown as ConfigInput;
}

/** What a summary says of rows and scores. */
function said({ results }: RunSummary) {
  return results.map(({ dataset, rows, score, allRows, samples, metrics }) => ({
    dataset,
    rows,
    score,
    allRows,
    samples,
    metrics,
  }));
}

test.each(ways)(
  'rows of %s of which a part fails are there for every reader',
  async (_, way, isDialogue = false) => {
    const folder = await mkdtemp(join(tmpdir(), 'typecase-parts-'));
    const out = join(folder, 'run');
    try {
      const config = configOf(way, isDialogue);
      const { summary, problems } = await evaluate(config, { out });
      expect(problems.items).toEqual([]);
      const [whole] = summary.results;
      expect(whole?.rows.failed).toBeGreaterThan(2);
      expect(whole?.rows.scored).toBeGreaterThan(2);
      const run = await openRun(out);
      for (const { dataset, rows } of summary.results) {
        const outcomes: Record<string, number> = { scored: 0, unscored: 0, failed: 0 };
        for await (const { outcome } of run.rows({ model: 'm', dataset }))
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const { scored, unscored, failed } = rows;
        expect([dataset, outcomes]).toEqual([dataset, { scored, unscored, failed }]);
      }
      expect(run.problems).toEqual([]);
      const sent = asked;
      const again = await evaluate(config, { out });
      expect([asked, said(again.summary)]).toEqual([sent, said(summary)]);
      expect(said((await rescore(out)).summary)).toEqual(said(summary));
      expect((await rankRuns([out])).problems).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
