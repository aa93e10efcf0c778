import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../src/api/evaluate.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { startContinuingServer } from './continuing-server.ts';

const folder = join(import.meta.dirname, '..', '..', 'examples');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => statSync(join(folder, file)).isFile())
  .sort();

/** Rows, media and parts of configs, which the configs and documented commands use. */
const isData = (file: string) => /\.(jsonl|png)$|^models\/|^gqa\/(llava|frames)\.json$/.test(file);
/** Run in test/docs. */
const isProgram = (file: string) => file.startsWith('program/');
/** Run in test/integration/daily-use.test.ts. */
const isWorkflow = (file: string) => file.startsWith('ci/');
/** Looked at in test/integration/queue.test.ts. */
const isOfClusters = (file: string) => file.startsWith('cluster/');
/** Run in test/functions. */
const isOfOthers = (file: string) => file.startsWith('promptfoo/');
const isSpec = (file: string) => basename(file) === 'spec.json';
const configs = files.filter(
  (file) =>
    ![isData, isProgram, isWorkflow, isOfClusters, isOfOthers, isSpec].some((is) => is(file)),
);

const solved = new Map(
  files
    .filter((file) => extname(file) === '.jsonl')
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .flatMap(({ question, prompt = question, answer, baseline }): [string, string][] => {
      if (typeof answer === 'string') return [[prompt, answer]];
      return Array.isArray(baseline)
        ? question.map((said: string, turn: number) => [said, baseline[turn]])
        : [];
    }),
);

/** What a judge ends with, by the last line or the beginning of what it is shown. */
const verdicts = new Map([
  ['</conversation', 'It is right. Rating: [[10]]'],
  ['</reply', "Rating: [[10]] {'correct': 9, 'helpful': 8, 'clear': 7, 'overall': 10}"],
  ['</turns', 'It is right. Rating: [[10]]'],
  ['</assistant-B', 'They say the same. [[C]]'],
  ['You are grading a visual question answering task.', 'correct'],
]);

/** Grades are what the judge said, and a reply that is as good as the other counts half. */
const judged: Readonly<Record<string, number>> = { dialogues: 10, requests: 10, pairs: 0.5 };

/** Models that a server answers for are asked at the loopback server; so are those that are only looked at. */
function askedAt(config: Config, url: string): Config {
  const models = config.models.map((model) =>
    model.type === 'Local'
      ? model
      : { ...model, type: model.type ?? ('OpenAICompletions' as const), baseUrl: url },
  );
  return { ...config, models };
}

/** What the server, which knows the answers, may not be credited with: the choice by loglikelihood is a draw. */
const isDrawn = (config: Config, dataset: string) =>
  config.datasets.find(({ abbr }) => abbr === dataset)?.inferCfg.inferencer.type ===
  'PPLInferencer';

test.each(configs)('%s is answered, scored and right', async (file) => {
  await using server = await startContinuingServer(solved, verdicts);
  const out = mkdtempSync(join(tmpdir(), 'typecase-examples-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const config = askedAt(await loadConfig(join(folder, file)), server.url);
  const { summary } = await evaluate(config, { out, limit: 10 });
  expect(summary.complete).toBe(true);
  const isLocal = config.models.every(({ type }) => type === 'Local');
  for (const { dataset, model, rows, score, reasons } of summary.results) {
    const known = isLocal || isDrawn(config, dataset) ? score?.value : (judged[dataset] ?? 1);
    expect({ model, dataset, scored: rows.scored, reasons, value: score?.value }).toEqual({
      ...{ model, dataset, scored: rows.total, reasons: [], value: known },
    });
    expect(rows.total).toBeGreaterThan(0);
  }
});

test.each(files.filter(isSpec))('every experiment of %s makes prompts', async (file) => {
  const path = join(folder, file);
  for (const { name } of JSON.parse(readFileSync(path, 'utf8')).experiments) {
    const made = await callCommand(['gqa', '--spec', path, '--experiment', name, '--limit', '1']);
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('prompt') });
  }
});

test('every program is run by test/docs', () => {
  const tested = readFileSync(join(folder, '../test/docs/program.test.ts'), 'utf8');
  for (const file of files.filter(isProgram)) expect(tested).toContain(file);
});
