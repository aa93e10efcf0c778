import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ConfigInput, evaluate, rescore } from '../../../src/index.ts';
import { heldRows, readSnapshot } from '../../read-snapshot.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** A server that answers by the last message; what throws there is refused. */
async function serve(answer: (text: string) => string): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body) as { messages: readonly Message[] };
    try {
      const content = answer(messages.at(-1)?.content ?? '');
      const message = { role: 'assistant', content };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
    } catch {
      response.statusCode = 400;
      response.end('{"error":{"message":"no"}}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/v1`;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-report-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'run');
}

interface ShownRow {
  readonly id: number;
  readonly verdict: string;
  readonly prompts: readonly string[];
  readonly answers: readonly string[];
}

/** What the report of a run shows of its rows. */
async function readReport(out: string) {
  const snapshot = await readSnapshot(join(out, 'report.html'));
  const rows = heldRows(snapshot).map(({ details, prompt }): ShownRow => {
    const { id, verdict, parts, record } = details as unknown as {
      id: number;
      verdict: string;
      record: { answer?: string };
      parts: { answer: string }[];
    };
    const { view } = prompt as unknown as { view: { prompts: { spans: Span[] }[] } };
    return {
      ...{ id, verdict },
      prompts: view.prompts.map(({ spans }) => textOf(spans)),
      answers: parts.length > 0 ? parts.map(({ answer }) => answer) : [record.answer ?? ''],
    };
  });
  return { rows, counts: snapshot.evaluations[0]?.counts };
}

type Span = { readonly text: string } | { readonly role: string; readonly spans: readonly Span[] };

function textOf(spans: readonly Span[]): string {
  return spans
    .map((span) => ('spans' in span ? `[${span.role}] ${textOf(span.spans)}` : span.text))
    .join('\n');
}

const inferCfg = {
  prompt_template: { template: 'Say {q}' },
  inferencer: { type: 'GenInferencer' as const },
};

test('a report shows what went wrong, wherever it stands in the data', async () => {
  const wrong = [170, 333, 599];
  const unscored = [401, 598];
  const failed = [500];
  const url = await serve((text) => {
    const id = Number(/\d+/.exec(text)?.[0]);
    if (failed.includes(id)) throw new Error('refused');
    if (unscored.includes(id)) return '';
    return wrong.includes(id) ? 'x' : 'yes';
  });
  const config: ConfigInput = {
    models: [{ abbr: 'm', type: 'OpenAI' as const, base_url: url, model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        rows: Array.from({ length: 600 }, (_, id) => ({ q: `${id}`, a: 'yes' })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: inferCfg,
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
  const out = await makeFolder();
  const check = async () => {
    const { rows, counts } = await readReport(out);
    expect(counts).toMatchObject({ failed: 1, unscored: 2, wrong: 3, right: 594, all: 600 });
    const ids = (verdict: string) =>
      rows.flatMap((row) => (row.verdict === verdict ? [row.id] : [])).sort((a, b) => a - b);
    expect([ids('failed'), ids('unscored'), ids('wrong')]).toEqual([failed, unscored, wrong]);
    expect(ids('right').length).toBe(300);
    for (const { id, prompts } of rows) expect(prompts).toEqual([`[user] Say ${id}`]);
  };
  await evaluate(config, { out });
  await check();
  // All rows but one are answered already: their prompts are made again.
  await evaluate(config, { out });
  await check();
});

test('a dialogue is shown turn by turn', async () => {
  const url = await serve((text) => `answer to ${text}`);
  const turns = (gold: string) => ['one', 'two'].map((q) => ({ q: `${gold} ${q}`, a: gold }));
  const config: ConfigInput = {
    models: [{ abbr: 'm', type: 'OpenAI' as const, base_url: url, model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        rows: [{ q: turns('x').map(({ q }) => q), a: ['x', 'x'] }],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: {
            type: 'MultiTurnPromptTemplate' as const,
            template: {
              round: [
                { role: 'HUMAN', prompt: '{q}' },
                { role: 'BOT', prompt: '{a}' },
              ],
            },
          },
          inferencer: { type: 'MultiTurnGenInferencer' as const, infer_mode: 'every' },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
  const out = await makeFolder();
  const run = () => evaluate(config, { out });
  for (const again of [run, run, () => rescore(out, { config })]) {
    await again();
    const { rows } = await readReport(out);
    expect(rows).toMatchObject([
      {
        prompts: ['[user] x one', '[user] x one\n[assistant] answer to x one\n[user] x two'],
        answers: ['answer to x one', 'answer to x two'],
      },
    ]);
  }
});
