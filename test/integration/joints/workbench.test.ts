import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { untrace } from '../../../src/prompt/prompt.ts';
import { OpenedRuns } from '../../../src/server/viewer/opened-runs.ts';
import { ServedRuns } from '../../../src/server/viewer/served-runs.ts';
import type { BenchPrompt } from '../../../src/server/viewer/workbench/api.ts';
import { makePrompts } from '../../../src/server/viewer/workbench/make-prompts.ts';
import { readTemplates } from '../../../src/server/viewer/workbench/template-text.ts';
import { Workbench } from '../../../src/server/viewer/workbench/workbench.ts';
import { coverPairs } from './all-pairs.ts';
import { buildConfig, describeLevels, writeConfig } from './config-space.ts';
import { type Levels, plainLevels } from './factors.ts';
import { startRecordingServer } from './recording-server.ts';

/** What only the server can make: media are read there, and compat drops examples label by label. */
const serverMade = /media|number of examples/;

/** Rows whose prompts were made as the page makes them. */
let madeHere = 0;

interface ShownPrompt {
  readonly prompt: unknown;
}

/** Where the page would not make the prompts that `view` shows, which are those that a run sends. */
async function problemsOf(levels: Levels, url: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
  const file = await writeConfig(buildConfig(levels, url), folder);
  const bench = new Workbench([file], new OpenedRuns(new ServedRuns([folder])));
  try {
    const [name = {}] = (await bench.list()).configs;
    const { datasets, models } = await bench.details(name);
    const problems: string[] = [];
    for (const { abbr: dataset, templates, problem } of datasets) {
      if (!templates) problems.push(`the templates of ${dataset} cannot be edited: ${problem}`);
      for (const { abbr: model } of models) {
        const asked = { ...name, dataset, model };
        const own = await bench.prompt(asked);
        const edited = await bench.prompt({ ...asked, templates });
        const told = [own, edited].find((one) => one.problem);
        if (told) problems.push(`${model} on ${dataset}: ${told.problem?.message}`);
        if (shown(own) !== shown(edited))
          problems.push('the text of the templates reads otherwise');
        if (own.kit === undefined) {
          if (!serverMade.test(own.noKit ?? '')) problems.push(`not made here: ${own.noKit}`);
          continue;
        }
        madeHere += 1;
        const read = templates && readTemplates(templates).templates;
        for (const given of [undefined, read]) {
          const { texts } = await makePrompts(own.kit, given);
          const made = JSON.stringify(texts.map(({ prompt }) => untrace(prompt)));
          if (made !== shown(own)) problems.push(`made ${made}, and shown is ${shown(own)}`);
        }
      }
    }
    return problems;
  } finally {
    await bench.close();
    await rm(folder, { recursive: true });
  }
}

function shown({ view }: BenchPrompt): string {
  const { prompts = [] } = (view ?? {}) as { readonly prompts?: readonly ShownPrompt[] };
  return JSON.stringify(prompts.map(({ prompt }) => prompt));
}

describe('the workbench makes the prompts that are sent', () => {
  const { configs } = coverPairs();
  const size = 25;
  const chunks = Array.from({ length: Math.ceil(configs.length / size) }, (_, index) => ({
    some: configs.slice(index * size, (index + 1) * size),
    title: `configs ${index * size + 1} to ${Math.min((index + 1) * size, configs.length)}`,
  }));
  it.each(chunks)('$title', { timeout: 120_000 }, async ({ some }) => {
    await using server = await startRecordingServer();
    const failures: string[] = [];
    for (const levels of some) {
      const problems = await problemsOf(levels, server.url);
      if (problems.length > 0) {
        failures.push(`${describeLevels(levels, plainLevels)}\n  ${problems[0]?.slice(0, 1500)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('most of them in the page itself', () => {
    expect(madeHere).toBeGreaterThan(configs.length / 2);
  });
});
