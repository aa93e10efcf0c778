import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Levels } from '../integration/joints/factors.ts';
import {
  type RecordingServer,
  startRecordingServer,
} from '../integration/joints/recording-server.ts';
import { dataOf, type Given } from './data.ts';
import { isRecording, plain, readLines, short, writeLines } from './lines.ts';
import { type Look, lookAt } from './looks.ts';
import { type Work, workOut } from './numbers.ts';
import { type Asked, promptsOf } from './prompts.ts';
import { type Reading, read } from './readings.ts';
import { recordRun } from './runs.ts';
import { runScenario, type Scenario } from './scenarios.ts';

/** Compares what comes of the inputs of a file with what the file says; or writes the file anew. */
function testLines<Input>(name: string, find: (input: Input) => Promise<unknown> | unknown): void {
  const lines = readLines<Input>(name);
  const found: [Input, unknown][] = [];
  test.each(
    lines.map(({ input, is }, index) => ({
      title: `${index + 1}: ${JSON.stringify(input).slice(0, 60)}`,
      input,
      is,
    })),
  )('$title', async ({ input, is }) => {
    const got = plain(await find(input)) ?? null;
    if (isRecording) found.push([input, got]);
    else expect(got).toEqual(is);
  });
  afterAll(() => {
    if (isRecording && found.length === lines.length) writeLines(name, found);
  });
}

describe('readings of answers', () => testLines<Reading>('readings.jsonl', read));

describe('statistics', () => testLines<Work>('numbers.jsonl', workOut));

describe('data', () =>
  testLines<Given>('data.jsonl', async (given) => short(plain(await dataOf(given)))));

describe('prompts', () =>
  testLines<Asked>('prompts.jsonl', (asked) => short(plain(promptsOf(asked)))));

describe('looks', () =>
  testLines<Look>('looks.jsonl', async (look) => short(plain(await lookAt(look)))));

describe('small runs', () =>
  testLines<Scenario>('scenarios.jsonl', (scenario) =>
    inFolder((folder) => runScenario(scenario, folder)),
  ));

describe('runs', () => {
  let server: RecordingServer;
  beforeAll(async () => {
    server = await startRecordingServer();
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  testLines<Partial<Levels>>('runs.jsonl', (levels) =>
    inFolder((folder) => recordRun(levels, folder, server)),
  );
});

async function inFolder(step: (folder: string) => Promise<unknown>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-recorded-'));
  try {
    return await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
