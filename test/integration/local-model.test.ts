import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import type { RunSummary } from '../../src/run/summary.ts';
import { buildCli, cli, root } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

/** Serves the embedded model for as long as the test runs, and gives its address. */
async function serveTiny(): Promise<string> {
  const args = [cli, 'serve-model', join(root, 'models/typecase-tiny'), '--port', '0'];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`the server answered ${said}`);
}

async function rowsOf(cwd: string, model: string, dataset: string): Promise<RowRecord[]> {
  const text = await readFile(join(cwd, 'out', model, `${dataset}.jsonl`), 'utf8');
  const records = text
    .trimEnd()
    .split('\n')
    .map((line): RowRecord => JSON.parse(line));
  return records
    .filter(({ part }) => part === undefined)
    .sort((a, b) => Number(a.id) - Number(b.id));
}

describe('log-probabilities', () => {
  test('in process and over HTTP are the same, whatever asks for them', async () => {
    const url = await serveTiny();
    const dataset = (abbr: string, task: object, inferencer: object) => ({
      abbr,
      ...task,
      reader_cfg: { test_range: '[:12]' },
      infer_cfg: { retriever: { type: 'RandomRetriever', ice_num: 3 }, inferencer },
    });
    const config = {
      models: [
        { abbr: 'local', type: 'Local', path: 'typecase-tiny' },
        { abbr: 'http', type: 'OpenAICompletions', base_url: url },
      ],
      datasets: [
        dataset('ppl', { task: 'sentiment-en', version: 'review' }, { type: 'PPLInferencer' }),
        dataset('ja', { task: 'sentiment-ja', version: 'review' }, { type: 'PPLInferencer' }),
        dataset('ll', { task: 'multiple-choice', version: 'letter' }, { type: 'LLInferencer' }),
        dataset(
          'clp',
          { task: 'arithmetic', version: 'equation' },
          {
            type: 'CLPInferencer',
            labels: [' 1', ' 2', ' 3'],
          },
        ),
      ],
    };
    const cwd = await writeFolder({ 'config.json': JSON.stringify(config) });
    const { code, stderr } = await runCli(['run', 'config.json', '--out', 'out', '--json'], {
      cwd,
    });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    for (const { abbr } of config.datasets) {
      const [local, http] = [await rowsOf(cwd, 'local', abbr), await rowsOf(cwd, 'http', abbr)];
      expect(local).toHaveLength(12);
      for (const [index, row] of local.entries()) {
        const other = http[index];
        expect([other?.id, other?.label, other?.score]).toEqual([row.id, row.label, row.score]);
        expect(other?.loglikelihoods?.map(({ tokens }) => tokens)).toEqual(
          row.loglikelihoods?.map(({ tokens }) => tokens),
        );
        for (const [place, { logprob }] of (row.loglikelihoods ?? []).entries()) {
          expect(other?.loglikelihoods?.[place]?.logprob).toBeCloseTo(logprob ?? Number.NaN, 4);
        }
      }
    }
    const recorded = JSON.parse(await readFile(join(cwd, 'out/run.json'), 'utf8'));
    expect(recorded.models[1].facts.likelihood).toMatchObject({ how: 'echo', takesLists: true });
    expect(recorded.templates[0]).toMatchObject({ task: 'sentiment-en', version: 'review' });
  });
});

describe('the embedded model', () => {
  test('does what its card says on the tour', async () => {
    const cwd = await writeFolder({
      'tour.yaml': await readFile(join(root, 'examples/tour.yaml'), 'utf8'),
    });
    const args = ['run', 'tour.yaml', '--out', 'out', '--limit', '80', '--json'];
    const { code, stdout } = await runCli(args, { cwd });
    expect(code).toBe(0);
    const { results }: RunSummary = JSON.parse(stdout);
    const scoreOf = (name: string) => results.find(({ dataset }) => dataset === name)?.score;
    expect(scoreOf('sums as equations')?.low).toBeGreaterThan(0.9);
    expect(scoreOf('sums in postfix')?.high).toBeLessThan(0.1);
    expect(scoreOf('reviews')?.low).toBeGreaterThan(0.9);
    expect(scoreOf('四択問題')?.low).toBeGreaterThan(0.85);
    const curve = ['0 shots', '1 shot', '2 shots', '4 shots'].map(
      (shots) => scoreOf(`larger number, ${shots}`)?.value ?? 0,
    );
    expect(curve).toEqual(curve.toSorted((a, b) => a - b));
    expect((curve[3] ?? 0) - (curve[0] ?? 0)).toBeGreaterThan(0.3);
  });

  test('is asked in several ways: samples, votes, orders of options, a judge', async () => {
    const evaluator = { type: 'choice', text_columns: ['A', 'B', 'C', 'D'] };
    const range = { reader_cfg: { test_range: '[:10]' } };
    const config = {
      models: [
        { abbr: 'tiny', type: 'Local', path: 'typecase-tiny' },
        { abbr: 'judge', type: 'Local', path: 'typecase-tiny', judge: true, max_out_len: 4 },
      ],
      datasets: [
        { abbr: 'n', task: 'arithmetic', n: 3, k: [1, 3], ...range },
        {
          abbr: 'sc',
          task: 'arithmetic',
          ...range,
          infer_cfg: { inferencer: { type: 'SCInferencer', sc_size: 3 } },
        },
        {
          abbr: 'circular',
          task: 'multiple-choice',
          ...range,
          eval_cfg: { evaluator, circular: 'rotations' },
        },
        {
          abbr: 'judged',
          task: 'multiple-choice',
          ...range,
          eval_cfg: { evaluator: { type: 'judge', model: 'judge' } },
        },
      ],
    };
    const cwd = await writeFolder({ 'config.json': JSON.stringify(config) });
    const args = ['run', 'config.json', '--out', 'out', '--json'];
    const { code, stdout, stderr } = await runCli(args, { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('tiny on judged: no row has a score: verdict');
    const { results }: RunSummary = JSON.parse(stdout);
    const metricsOf = (name: string) =>
      results.find(({ dataset }) => dataset === name)?.metrics?.map((metric) => metric.name);
    expect(metricsOf('n')).toEqual(expect.arrayContaining(['avg@3', 'pass@1', 'pass@3', 'cons@3']));
    expect(metricsOf('sc')).toContain('agreement');
    expect(metricsOf('circular')).toEqual(expect.arrayContaining(['perf_circ', 'perf_orig']));
    // The judge is no judge: its verdicts cannot be read, which is not the same as wrong.
    expect(results.find(({ dataset }) => dataset === 'judged')?.rows).toMatchObject({
      total: 10,
      failed: 0,
      missing: 0,
    });
    const again = await runCli(args, { cwd });
    const sent = (JSON.parse(again.stdout) as RunSummary).results.map(
      ({ requests }) => requests.sent,
    );
    expect(sent).toEqual([0, 0, 0, 0]);
    const scored = await runCli(['score', 'out', 'config.json', '--json'], { cwd });
    const rescored: RunSummary = JSON.parse(scored.stdout);
    expect(rescored.results.slice(0, 3).map(({ score }) => score)).toEqual(
      results.slice(0, 3).map(({ score }) => score),
    );
  });
});
