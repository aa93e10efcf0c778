import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FaultServerOptions, startFaultServer } from '../../test/fault-server/index.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { describeAnswers, describeEvents } from '../report/describe-events.ts';
import { usageFacts } from '../report/task-facts.ts';
import { terminalTable } from '../report/terminal-table.ts';
import { openRun } from '../run/store/open-run.ts';
import { type RunFile, readRunFile } from '../run/store/run-file.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { compareRuns } from './compare-runs.ts';
import { type EvaluateOptions, evaluate } from './evaluate.ts';
import { planRun } from './plan-run.ts';
import { rescore } from './rescore.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-again-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

interface Asked {
  readonly url: string;
  readonly rows?: number;
  /** Rows that ask the same as the first. */
  readonly equal?: number;
  readonly template?: string;
  readonly evaluator?: string;
  readonly model?: object;
  readonly dataset?: object;
}

function configOf({
  url,
  rows = 6,
  equal = 0,
  template = '{sum} =',
  ...given
}: Asked): ConfigInput {
  const { evaluator = 'exact', model, dataset } = given;
  const sums = Array.from({ length: rows + equal }, (_, id) => (id < rows ? id : 0));
  return {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: `${url}/v1`, model: 'fault', ...model }],
    datasets: [
      {
        abbr: 'd',
        rows: sums.map((sum) => ({ sum: `${sum} + 7`, answer: String(sum + 7) })),
        reader_cfg: { input_columns: ['sum'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template } },
        eval_cfg: { evaluator: { type: evaluator } },
        ...dataset,
      },
    ],
  } as ConfigInput;
}

function resultOf({ results }: RunSummary): TaskResult {
  const [result] = results;
  if (!result) throw new Error('no result');
  return result;
}

async function answersIn(folder: string): Promise<string[]> {
  const answers: string[] = [];
  for await (const { id, answer = '–' } of (await openRun(folder)).rows()) answers[id] = answer;
  return answers;
}

/** Lets a run stop once it has so many answers. */
function stopAfter(answers: number): Pick<EvaluateOptions, 'onStart' | 'concurrency'> {
  return {
    concurrency: 1,
    onStart: (control) => {
      const timer = setInterval(() => {
        if (control.progress().done >= answers) control.stop();
      }, 1);
      onTestFinished(() => clearInterval(timer));
    },
  };
}

describe('what was asked and what was there', () => {
  it('is said in one line', async () => {
    await using server = await startFaultServer();
    const { url } = server;
    const folder = await makeFolder();
    const [out, cache] = [join(folder, 'a'), join(folder, 'cache')];
    const lines = async (config: ConfigInput, options: EvaluateOptions = {}) => {
      const { summary } = await evaluate(config, { out, cache, ...options });
      return describeAnswers(summary).filter((line) => !line.includes(' starts '));
    };
    expect(await lines(configOf({ url, equal: 2 }), { limit: 3 })).toEqual(['3 answers: 3 asked.']);
    expect(await lines(configOf({ url, equal: 2 }))).toEqual([
      '8 answers: 3 asked, 5 reused from this folder.',
    ]);
    expect(await lines(configOf({ url, equal: 2, evaluator: 'contains' }))).toEqual([
      '8 answers: 8 reused from this folder.',
    ]);
    expect(await lines(configOf({ url, equal: 2, template: 'What is {sum}?' }))).toEqual([
      '8 answers: 6 asked, 2 shared by identical rows.',
      '8 saved answers no longer apply: the prompt, the row or settings changed.',
    ]);
    expect(await lines(configOf({ url, rows: 8 }), { out: join(folder, 'b') })).toEqual([
      '8 answers: 2 asked, 6 reused from the cache.',
    ]);
  });

  it('knows a model by its version too', async () => {
    await using server = await startFaultServer({ record: true });
    const out = await makeFolder();
    const run = async (version?: string) => {
      const model = version === undefined ? {} : { version };
      const { summary } = await evaluate(configOf({ url: server.url, rows: 2, model }), { out });
      return resultOf(summary).requests;
    };
    expect(await run()).toMatchObject({ asked: 2 });
    expect(await run('2026-11')).toMatchObject({ asked: 2, outdated: 2 });
    expect(await run('2026-11')).toMatchObject({ asked: 0, resumed: 2 });
    const { recorded } = await server.stats();
    expect(recorded[2]?.body).toEqual(recorded[0]?.body);
  });

  it('adds up over any starts, to what the server saw', async () => {
    const start = fc.record({
      rows: fc.integer({ min: 1, max: 8 }),
      template: fc.constantFrom('{sum} =', 'What is {sum}?'),
      evaluator: fc.constantFrom('exact', 'contains'),
      n: fc.constantFrom(undefined, 3),
      cache: fc.boolean(),
      fresh: fc.boolean(),
      stop: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(start, { minLength: 1, maxLength: 5 }), async (starts) => {
        await using server = await startFaultServer({
          rates: [
            {
              rate: 0.15,
              fault: { type: 'status', status: 503, headers: { 'retry-after-ms': '1' } },
            },
          ],
        });
        const folder = await makeFolder();
        const out = join(folder, 'run');
        let requests = 0;
        for (const [
          index,
          { rows, template, evaluator, n, cache, fresh, stop },
        ] of starts.entries()) {
          const dataset = n === undefined ? {} : { n };
          const config = configOf({
            url: server.url,
            rows,
            equal: 2,
            template,
            evaluator,
            dataset,
          });
          const { summary } = await evaluate(config, {
            out,
            ...(cache && { cache: join(folder, 'cache') }),
            fresh,
            retries: 30,
            ...(stop !== undefined && stopAfter(stop)),
          });
          const result = resultOf(summary);
          const { asked = 0, resumed = 0, cached, shared, sent } = result.requests;
          const now = (await server.stats()).requests;
          expect(sent).toBe(now - requests);
          requests = now;
          const answers = asked + resumed + cached + shared;
          if (summary.complete) expect(answers).toBe((rows + 2) * (n ?? 1));
          expect(summary.starts).toMatchObject({ count: index + 1, sent: now });
          const { starts: recorded = [] } = await readRunFile(out);
          expect(recorded).toHaveLength(index + 1);
          expect(recorded.at(-1)).toMatchObject({ sent, complete: summary.complete });
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

describe('starts', () => {
  it('keep what the ones before them took, of replaced answers too', async () => {
    await using server = await startFaultServer();
    const out = await makeFolder();
    const config = configOf({ url: server.url });
    const first = await evaluate(config, { out });
    const second = await evaluate(config, { out });
    const third = await evaluate(config, { out, fresh: true });
    const { input, output } = resultOf(first.summary).tokens;
    const tokens = { input, output };
    expect(first.summary.starts).toMatchObject({ count: 1, sent: 6, tokens });
    expect(second.summary.starts).toMatchObject({ count: 2, sent: 6, tokens });
    expect(third.summary.starts).toMatchObject({
      count: 3,
      sent: 12,
      tokens: { input: input * 2, output: output * 2 },
    });
    expect(third.summary.starts?.seconds).toBeGreaterThan(first.summary.starts?.seconds ?? 0);
    const { starts = [] } = await readRunFile(out);
    expect(starts.map(({ sent, complete, fresh }) => [sent, complete, fresh])).toEqual([
      [6, true, undefined],
      [0, true, undefined],
      [6, true, 'done'],
    ]);
    const { summary } = await rescore(out, { evaluator: 'contains' });
    expect(summary.starts).toEqual(third.summary.starts);
    expect(describeAnswers(second.summary)).toContainEqual(
      expect.stringMatching(/ in 2 starts since .* UTC: 6 requests, \d+ tokens in, \d+ out\.$/),
    );
  });

  it('cost what all their answers cost, and a limit counts answers that were set aside', async () => {
    await using server = await startFaultServer();
    const out = await makeFolder();
    const model = { price: { in: 1_000_000, out: 0 }, max_out_len: 4 };
    const config = configOf({ url: server.url, model });
    const first = await evaluate(config, { out });
    const { input } = resultOf(first.summary).tokens;
    expect(first.summary.starts).toMatchObject({ cost: input });
    const second = await evaluate(config, { out, fresh: true });
    expect(second.summary.starts).toMatchObject({ count: 2, cost: input * 2 });
    expect((await readRunFile(out)).starts).toMatchObject([{ cost: input }, { cost: input }]);
    await evaluate(config, { out, ids: [1], fresh: true });
    const limited = await evaluate(config, { out, maxCost: 1_000_000 });
    expect(limited.summary.cost?.spent).toBe(limited.summary.starts?.cost);
  });

  it('that did not end say so, and a folder of an older version had one', async () => {
    await using server = await startFaultServer();
    const out = await makeFolder();
    const config = configOf({ url: server.url });
    await evaluate(config, { out });
    const file = join(out, 'run.json');
    const { starts, git: _, ...older } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(
      file,
      JSON.stringify({ ...older, starts: [{ ...starts[0], finishedAt: undefined }] }),
    );
    const killed = await evaluate(config, { out });
    expect(killed.summary.starts).toMatchObject({ count: 2, unfinished: 1, sent: 6 });
    expect(describeAnswers(killed.summary).join()).toContain('1 start did not finish');
    await writeFile(file, JSON.stringify(older));
    const { summary } = await evaluate(config, { out });
    expect(summary.starts).toMatchObject({ count: 2, unfinished: 1, sent: 0 });
  });

  it('that fail are over as well', async () => {
    await using server = await startFaultServer({ apiKey: 'k' });
    const out = await makeFolder();
    await expect(evaluate(configOf({ url: server.url }), { out })).rejects.toThrow('401');
    const { starts } = await readRunFile(out);
    expect(starts).toMatchObject([{ finishedAt: expect.any(String), complete: false }]);
  });

  it('give the time of each task, and how long answers took', async () => {
    await using server = await startFaultServer({ latencyMs: 40 });
    const out = await makeFolder();
    const config = configOf({ url: server.url });
    const [first] = (await evaluate(config, { out, concurrency: 1 })).summary.results;
    expect(first?.seconds).toBeGreaterThan(0.2);
    expect(first?.latency?.total).toBeGreaterThan(0.2);
    expect(first?.latency?.median).toBeGreaterThanOrEqual(0.038);
    const [again] = (await evaluate(config, { out })).summary.results;
    expect([again?.seconds, again?.latency]).toEqual([0, first?.latency]);
    expect(again).not.toHaveProperty('tokensPerSecond');
  });

  it('tell when streamed answers began, which took longest, and tokens per second', async () => {
    await using server = await startFaultServer({
      latencyMs: 30,
      answer: (prompt) => (prompt.startsWith('4') ? 'there are eleven of them in all' : '7'),
      rules: [{ prompt: '4 + 7', fault: { type: 'slow-stream', pauseMs: 40 } }],
    });
    const config = configOf({ url: server.url, model: { stream: true } });
    const { summary } = await evaluate(config, { out: await makeFolder(), concurrency: 1 });
    const [result] = summary.results;
    const { latency, tokensPerSecond, seconds = 0, tokens } = result ?? {};
    expect(latency?.longest).toHaveLength(3);
    expect(latency?.longest?.[0]?.id).toBe(4);
    expect(latency?.firstToken?.median).toBeGreaterThanOrEqual(0.028);
    expect(latency?.firstToken?.p99).toBeLessThan(latency?.longest?.[0]?.seconds ?? 0);
    expect(tokensPerSecond?.output).toBeCloseTo((tokens?.output ?? 0) / seconds, -1);
    const facts = new Map(result && usageFacts(result));
    expect(facts.get('longest rows')).toMatch(/^4 \(/);
    expect(facts.get('first tokens took')).toMatch(/ median, 95% under .+, 99% under /);
    expect(facts.get('tokens per second')).toMatch(/^[\d,.]+ in, [\d,.]+ out$/);
  });
});

describe('fresh', () => {
  /** A server whose answers tell when they were given. */
  const eras = () => {
    const era = { name: 'old' };
    return { era, options: { answer: () => era.name } satisfies FaultServerOptions };
  };

  it.each([
    ['without a cache', false],
    ['with a cache', true],
  ])(
    'asks everything again, %s; what is left of it the plain command asks',
    async (_, withCache) => {
      const { era, options } = eras();
      await using server = await startFaultServer(options);
      const folder = await makeFolder();
      const out = join(folder, 'run');
      const cache = withCache && { cache: join(folder, 'cache') };
      const config = configOf({ url: server.url });
      await evaluate(config, { out, ...cache });
      era.name = 'new';
      const { tasks } = await planRun(config, { out, ...cache, fresh: true });
      expect(tasks[0]).toMatchObject({ send: 6, reused: { log: 0, cache: 0 } });
      const begun = await evaluate(config, { out, ...cache, fresh: true, ...stopAfter(2) });
      expect(begun.summary.complete).toBe(false);
      const reached = resultOf(begun.summary).rows.scored;
      const { summary } = await evaluate(config, { out, ...cache });
      expect(resultOf(summary).requests).toMatchObject({
        asked: 6 - reached,
        resumed: reached,
        cached: 0,
      });
      expect(await answersIn(out)).toEqual(Array(6).fill('new'));
      expect(await answersIn(join(out, 'earlier/1'))).toEqual(Array(6).fill('old'));
      const other = await evaluate(config, { out: join(folder, 'other'), ...cache });
      expect(resultOf(other.summary).requests.cached).toBe(withCache ? 6 : 0);
      expect(await answersIn(join(folder, 'other'))).toEqual(Array(6).fill('new'));
      expect(resultOf((await evaluate(config, { out, ...cache })).summary).requests.sent).toBe(0);
    },
  );

  it('asks chosen rows again, and keeps the others', async () => {
    const { era, options } = eras();
    await using server = await startFaultServer(options);
    const out = await makeFolder();
    const config = configOf({ url: server.url });
    await evaluate(config, { out });
    era.name = 'new';
    await evaluate(config, { out, ids: [1, 4], fresh: true });
    const { summary } = await evaluate(config, { out });
    expect(resultOf(summary).requests).toMatchObject({ sent: 0, resumed: 6 });
    expect(await answersIn(out)).toEqual(['old', 'new', 'old', 'old', 'new', 'old']);
    expect(await answersIn(join(out, 'earlier/1'))).toEqual(Array(6).fill('old'));
    await evaluate(config, { out, fresh: true });
    expect(await answersIn(join(out, 'earlier/2'))).toContain('new');
  });

  it('is finished by the next start if it was ended while answers were set aside', async () => {
    const { era, options } = eras();
    await using server = await startFaultServer(options);
    const folder = await makeFolder();
    const [out, cache] = [join(folder, 'run'), join(folder, 'cache')];
    const config = configOf({ url: server.url });
    const datasets = [...(config.datasets ?? []), { ...config.datasets?.[0], abbr: 'e' }];
    const two = { ...config, datasets } as ConfigInput;
    await evaluate(two, { out, cache });
    era.name = 'new';
    await mkdir(join(out, 'earlier/1.part/m'), { recursive: true });
    await rename(join(out, 'm/d.jsonl'), join(out, 'earlier/1.part/m/d.jsonl'));
    await evaluate(two, { out, cache });
    expect(new Set(await answersIn(out))).toEqual(new Set(['new']));
    expect(await readdir(join(out, 'earlier'))).toEqual(['1']);
    expect((await readdir(join(out, 'earlier/1/m'))).sort()).toEqual([
      'd.index',
      'd.jsonl',
      'e.index',
      'e.jsonl',
    ]);
  });

  it('is not through before rows that failed are asked again', async () => {
    const { era, options } = eras();
    const rules: NonNullable<FaultServerOptions['rules']>[number][] = [];
    await using server = await startFaultServer({ ...options, rules });
    const folder = await makeFolder();
    const [out, cache] = [join(folder, 'run'), join(folder, 'cache')];
    const config = configOf({ url: server.url });
    await evaluate(config, { out, cache });
    era.name = 'new';
    rules.push({ prompt: '3 +', fault: { type: 'status', status: 503 } });
    const failing = await evaluate(config, { out, cache, fresh: true, retries: 1 });
    expect(resultOf(failing.summary).rows).toMatchObject({ scored: 5, failed: 1, missing: 0 });
    rules.length = 0;
    const { summary } = await evaluate(config, { out, cache });
    expect(resultOf(summary).requests).toMatchObject({ asked: 1, cached: 0 });
    expect(await answersIn(out)).toEqual(Array(6).fill('new'));
    const { starts = [] } = await readRunFile(out);
    expect(starts.map(({ fresh }) => fresh)).toEqual([undefined, 'begun', 'done']);
  });

  it.each([[false], [true]])('asks judges again; a cache: %j', async (withCache) => {
    let verdict = 'A';
    const answer = (prompt: string) =>
      prompt.includes('You grade') ? JSON.stringify({ reason: 'so', verdict }) : '7';
    await using server = await startFaultServer({ answer });
    const folder = await makeFolder();
    const out = join(folder, 'run');
    const cache = withCache && { cache: join(folder, 'cache') };
    const judge = { abbr: 'j', type: 'OpenAI', base_url: `${server.url}/v1`, judge: true };
    const dataset = {
      eval_cfg: { evaluator: { type: 'judge', model: 'j', question_column: 'sum' } },
    };
    const { models = [], ...rest } = configOf({ url: server.url, rows: 3, dataset });
    const config = { ...rest, models: [...models, { ...judge, model: 'fault' }] } as ConfigInput;
    const scoreOf = async (options: EvaluateOptions = {}) =>
      resultOf((await evaluate(config, { out, ...cache, ...options })).summary).score?.value;
    expect(await scoreOf()).toBe(1);
    verdict = 'B';
    expect(await scoreOf()).toBe(1);
    expect(await scoreOf({ fresh: true })).toBe(0);
    expect((await server.stats()).requests).toBe(12);
    expect(existsSync(join(out, 'earlier/1/j/verdicts'))).toBe(true);
    expect(await scoreOf({ out: join(folder, 'other') })).toBe(0);
  });

  it('leaves no trace where there was nothing', async () => {
    await using server = await startFaultServer();
    const out = await makeFolder();
    await evaluate(configOf({ url: server.url }), { out, fresh: true });
    expect(existsSync(join(out, 'earlier'))).toBe(false);
  });
});

it('rows are found by the kind of their failure', async () => {
  const status = (number: number) => ({ type: 'status', status: number, message: 'no' }) as const;
  await using server = await startFaultServer({
    rules: [
      { prompt: '1 +', fault: status(400) },
      { prompt: '2 +', fault: { ...status(400), message: 'maximum context length is 16 tokens' } },
      { prompt: '3 +', fault: { ...status(400), body: '{"error":{"code":"content_filter"}}' } },
      { prompt: '4 +', fault: status(503) },
      { prompt: '5 +', fault: { type: 'invalid-json' } },
    ],
  });
  const out = await makeFolder();
  const config = configOf({ url: server.url });
  const { summary, rows } = await evaluate(config, { out, retries: 1 });
  const kinds = ['refused', 'too_long', 'content_filter', 'server_error', 'bad_response'] as const;
  expect(
    resultOf(summary)
      .failures?.map(({ kind }) => kind)
      .sort(),
  ).toEqual([...kinds].sort());
  for (const [index, kind] of kinds.entries()) {
    const ids: number[] = [];
    for await (const { id } of rows({ kind })) ids.push(id);
    expect(ids).toEqual([index + 1]);
  }
  const { tasks } = await planRun(config, { out });
  expect(tasks[0]).toMatchObject({ reused: { log: 1 }, left: 3, send: 2 });
  const again = await evaluate(config, { out, retries: 1 });
  expect(resultOf(again.summary).requests.sent).toBe(2);
  expect(describeEvents(resultOf(again.summary))[1]).toBe(
    '3 failed rows are not retried without `--retry content_filter,refused,too_long`',
  );
  expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('"kind":"too_long"');
  await expect(evaluate(config, { retry: ['timeouts'] as never })).rejects.toThrow(
    'content_filter',
  );
});

describe('the model that was served', () => {
  it.each([
    ['whole answers', {}],
    ['streams', { stream: true }],
  ])('is recorded, on rows where it is another: %s', async (_, model) => {
    const served = (prompt: string) => (prompt.startsWith('2') ? 'imposter' : 'fault');
    await using server = await startFaultServer({ modelOf: served });
    const out = await makeFolder();
    const { summary, rows } = await evaluate(configOf({ url: server.url, model }), { out });
    const names = [
      { name: 'fault', answers: 5 },
      { name: 'imposter', answers: 1 },
    ];
    expect((await readRunFile(out)).models[0]?.served).toEqual(names);
    expect(summary.served).toEqual([{ model: 'm', asked: 'fault', names }]);
    const noted: unknown[] = [];
    for await (const { id, served } of rows()) noted[id] = served;
    expect(noted).toEqual([undefined, undefined, 'imposter', undefined, undefined, undefined]);
  });

  it('is not spoken of where it is what was asked, and is where it changes between starts', async () => {
    let name = 'fault';
    await using server = await startFaultServer({ modelOf: () => name });
    const out = await makeFolder();
    const config = configOf({ url: server.url });
    const first = await evaluate(config, { out, limit: 3 });
    expect(first.summary.served).toBeUndefined();
    name = 'fault-2025-08-06';
    const names = [
      { name: 'fault', answers: 3 },
      { name, answers: 3 },
    ];
    const { summary } = await evaluate(config, { out });
    expect(summary.served).toEqual([{ model: 'm', asked: 'fault', names }]);
    const scored = await rescore(out, { evaluator: 'contains' });
    expect(scored.summary.served).toEqual(summary.served);
    const fresh = await evaluate(config, { out, fresh: true });
    expect(fresh.summary.served?.[0]?.names).toEqual([{ name, answers: 6 }]);
  });

  it('is counted by the answers that count', async () => {
    let name = 'imposter';
    await using server = await startFaultServer({ modelOf: () => name });
    const out = await makeFolder();
    const run = async (given: Partial<Asked> = {}, options: EvaluateOptions = {}) => {
      const config = configOf({ url: server.url, ...given });
      const { summary } = await evaluate(config, { out, ...options });
      return summary.served?.[0]?.names;
    };
    const imposters = [{ name: 'imposter', answers: 6 }];
    expect(await run()).toEqual(imposters);
    name = 'other';
    expect(await run({ model: { model: 'other' } }), 'another model').toBeUndefined();
    const copy = join(await makeFolder(), 'copy');
    await cp(out, copy, { recursive: true });
    const { warnings } = await compareRuns(out, copy);
    expect(warnings).toEqual([]);
    expect(await run(), 'the first again, from the log').toEqual(imposters);
    name = 'fault';
    expect(await run({ template: 'Now {sum} =' }, { limit: 3 }), 'a part anew').toEqual([
      ...imposters,
      { name: 'fault', answers: 3 },
    ]);
    expect(await run({ template: 'And {sum} =' }), 'other prompts').toBeUndefined();
  });
});

describe('answers that were cut off', () => {
  it('are counted, and their rows say so', async () => {
    await using server = await startFaultServer({ answer: () => 'It is a long way to the sum' });
    const model = { max_out_len: 2 };
    const dataset = { eval_cfg: { evaluator: { type: 'number' } } };
    const config = configOf({ url: server.url, model, dataset });
    const { summary, rows } = await evaluate(config, { out: await makeFolder() });
    const result = resultOf(summary);
    expect(result).toMatchObject({ cutOff: 6, rows: { unscored: 6 } });
    expect(describeEvents(result)).toEqual(['6 of 6 answers were cut off at the length limit']);
    for await (const { finish, reason } of rows()) {
      expect([finish, reason]).toEqual([
        'length',
        expect.stringMatching(/, cut off at the length limit$/),
      ]);
    }
  });

  it('of parts count each; limits of the server are named', async () => {
    const answer = (prompt: string) => (prompt.startsWith('1') ? 'a long answer' : '7');
    await using server = await startFaultServer({ answer, limit: 2 });
    const out = await makeFolder();
    const { summary } = await evaluate(configOf({ url: server.url, dataset: { n: 2 } }), { out });
    expect(describeEvents(resultOf(summary))).toEqual([
      "2 of 12 answers were cut off at the length limit; no `max_out_len` is set, so the server's own limit applies",
    ]);
    const again = await rescore(out, { evaluator: 'contains' });
    expect(resultOf(again.summary)).toMatchObject({ cutOff: 2, serverLimit: true });
  });
});

it('a score of a run that was interrupted has no interval in any of its files', async () => {
  await using server = await startFaultServer();
  const out = await makeFolder();
  const config = {
    ...configOf({ url: server.url, rows: 40 }),
    summarizer: { summary_groups: [{ name: 'all', subsets: ['d'] }] },
  };
  const { summary } = await evaluate(config as ConfigInput, { out, ...stopAfter(10) });
  const { rows } = resultOf(summary);
  expect([resultOf(summary).partial, summary.groups[0]?.partial]).toEqual([true, true]);
  const reached = rows.total - rows.missing;
  const said = `the score covers only the ${reached} rows reached, which are not a random sample: no interval`;
  expect(describeEvents(resultOf(summary))).toEqual([said]);
  const files = ['summary.md', 'summary.csv', 'report.html', 'junit.xml'];
  const texts = await Promise.all(files.map((name) => readFile(join(out, name), 'utf8')));
  for (const text of [...texts, terminalTable(summary, { width: 100, color: false })]) {
    expect(text).not.toMatch(/\[\d+\.\d, \d+\.\d\]|wilson|name="low"|--low:\d/);
  }
  expect(terminalTable(summary, { width: 100, color: false })).toContain(said);
  const whole = await evaluate(config as ConfigInput, { out });
  expect(resultOf(whole.summary).partial).toBeUndefined();
  expect(whole.summary.groups[0]).not.toHaveProperty('partial');
});

describe('the repository of the config', () => {
  const git = (folder: string, ...command: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...command], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .toString()
      .trim();

  it('is recorded with its commit, and whether something was changed', async () => {
    await using server = await startFaultServer();
    const folder = await makeFolder();
    const file = join(folder, 'config.json');
    const { loadConfig } = await import('../config/load-config.ts');
    const run = async (): Promise<RunFile> => {
      const out = join(folder, 'runs/a');
      await evaluate(await loadConfig(file), { out });
      return readRunFile(out);
    };
    await writeFile(file, JSON.stringify(configOf({ url: server.url })));
    expect(await run()).not.toHaveProperty('git');
    git(folder, 'init', '-q');
    await writeFile(join(folder, 'rows.txt'), 'a');
    git(folder, 'add', 'rows.txt');
    git(folder, 'commit', '-qm', 'a');
    const commit = git(folder, 'rev-parse', 'HEAD');
    expect((await run()).git).toEqual({ commit, dirty: true });
    git(folder, 'add', 'config.json');
    git(folder, 'commit', '-qm', 'b');
    const next = git(folder, 'rev-parse', 'HEAD');
    expect((await run()).git).toEqual({ commit: next, dirty: false });
    await writeFile(join(folder, 'rows.txt'), 'b');
    expect((await run()).git).toEqual({ commit: next, dirty: true });
  });
});
