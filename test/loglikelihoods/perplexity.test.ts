import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { terminalTable } from '../../src/exports/report.ts';
import { evaluate, rescore } from '../../src/index.ts';
import { echoChoices } from '../integration/joints/reply/echo-choices.ts';
import vectors from '../vectors/perplexity/numpy.json' with { type: 'json' };

const known = new Map(vectors.texts.map((text) => [text.tokens.join(''), text]));

/** A server that echoes the recorded texts, with a mark before them or without. */
async function serve(hasMark: boolean) {
  const choiceOf = (text: string, index: number) => {
    const found = known.get(text);
    if (!found)
      return echoChoices({ model: '', prompt: text }).map((one) => ({ ...one, index }))[0];
    const { tokens, logprobs } = found;
    const said = hasMark ? [null, ...logprobs] : [null, ...logprobs.slice(1)];
    return {
      index,
      logprobs: { tokens: hasMark ? ['<s>', ...tokens] : tokens, token_logprobs: said },
    };
  };
  const server = createServer(async (request, response) => {
    const { prompt } = (await json(request)) as { prompt: string | string[] };
    const choices = [prompt].flat().map(choiceOf);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(vectors.cases)(
  'perplexities are those of NumPy (a mark before texts: $hasMark)',
  async (expected) => {
    const out = await mkdtemp(join(tmpdir(), 'typecase-perplexity-'));
    onTestFinished(() => rm(out, { recursive: true }));
    const base_url = await serve(expected.hasMark);
    const ran = await evaluate(
      {
        models: [{ abbr: 'm', type: 'OpenAICompletions', base_url, model: 'x' }],
        datasets: [
          {
            abbr: 'd',
            rows: [...known.keys()].map((text) => ({ text })),
            reader_cfg: { input_columns: ['text'], output_column: null },
            infer_cfg: {
              prompt_template: { template: '{text}' },
              inferencer: { type: 'PPLOnlyInferencer' },
            },
          },
        ],
      },
      { out },
    );
    for (const { summary } of [ran, await rescore(out)]) {
      const [result] = summary.results;
      expect(result?.rows.scored).toBe(known.size);
      const { nll, ...rows } = expected.rows;
      expect(result).toMatchObject({ metric: 'nll', direction: 'lower', plain: true });
      expect(result?.score?.value).toBeCloseTo(nll, 9);
      const found = new Map(result?.metrics?.map((metric) => [metric.name, metric]));
      expect([...found.keys()]).toEqual([...Object.keys(expected.pooled), ...Object.keys(rows)]);
      for (const [name, value] of Object.entries(rows)) {
        expect(found.get(name)?.score.value).toBeCloseTo(value, 8);
      }
      for (const [name, { value, interval }] of Object.entries(expected.pooled)) {
        const { score, ...kind } = found.get(name) ?? {};
        expect(kind).toEqual({ name, direction: 'lower', plain: true });
        expect((score?.value ?? 0) / value).toBeCloseTo(1, 9);
        const [low = 0, high = 0] = interval;
        const off = [(score?.low ?? 0) - low, (score?.high ?? 0) - high].map(Math.abs);
        expect(Math.max(...off)).toBeLessThan(0.15 * (high - low));
      }
      const table = terminalTable(summary, { width: 100, color: false });
      expect(table).toContain('\nScores with 95% intervals. ↓: lower is better.\n');
    }
  },
);
