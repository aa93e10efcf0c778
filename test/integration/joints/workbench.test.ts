import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hideBase64In } from '../../../src/base/hidden-text.ts';
import { untrace } from '../../../src/prompt/prompt.ts';
import { OpenedRuns } from '../../../src/server/viewer/opened-runs.ts';
import { ServedRuns } from '../../../src/server/viewer/served-runs.ts';
import type { BenchPrompt } from '../../../src/server/viewer/workbench/api.ts';
import { makePrompts } from '../../../src/server/viewer/workbench/make-prompts.ts';
import {
  readTemplates,
  type TemplateText,
} from '../../../src/server/viewer/workbench/template-text.ts';
import { Workbench } from '../../../src/server/viewer/workbench/workbench.ts';
import { coverPairs } from './all-pairs.ts';
import { callCommand } from './call-command.ts';
import { compareBodies, findUnsent } from './compare-bodies.ts';
import { buildConfig, describeLevels, writeConfig } from './config-space.ts';
import type { ShownRequest } from './documents.ts';
import { type Levels, plainLevels } from './factors.ts';
import { endsWell, receivedBy } from './joint.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

/** What only the server can make: media are read there, and compat drops examples label by label. */
const serverMade = /media|number of examples/;

/** Rows whose prompts were made as the page makes them. */
let madeHere = 0;

interface ShownPrompt {
  readonly prompt: unknown;
}

/** Where the page would not make the prompts of a row that the server shows. */
async function checkMade(own: BenchPrompt, templates: TemplateText | undefined): Promise<string[]> {
  if (own.kit === undefined) {
    return serverMade.test(own.noKit ?? '') ? [] : [`not made here: ${own.noKit}`];
  }
  madeHere += 1;
  const problems: string[] = [];
  for (const given of [undefined, templates && readTemplates(templates).templates]) {
    const { texts } = await makePrompts(own.kit, given);
    const made = JSON.stringify(texts.map(({ prompt }) => untrace(prompt)));
    if (made !== shown(own)) problems.push(`made ${made}, and shown is ${shown(own)}`);
  }
  return problems;
}

/** Where what the workbench shows of a config, row by row, is not what a run of it sends, byte for byte. */
async function problemsOf(levels: Levels, server: RecordingServer): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
  const file = await writeConfig(buildConfig(levels, server.url), folder);
  server.clear();
  const { code, stderr } = await callCommand(['run', file, '--out', join(folder, 'out'), '--json']);
  const { sent } = receivedBy(server);
  server.clear();
  const bench = new Workbench([file], new OpenedRuns(new ServedRuns([folder])));
  try {
    const name = { config: (await bench.list()).configs[0]?.config };
    const { datasets, models } = await bench.details(name);
    const problems = endsWell(code, stderr) ? [] : [`run ended with ${code}: ${stderr}`];
    const bodies = new Set<string>();
    for (const { abbr: dataset, templates, problem } of datasets) {
      if (!templates) problems.push(`the templates of ${dataset} cannot be edited: ${problem}`);
      for (const { abbr: model } of models) {
        let row: number | undefined;
        do {
          const asked = { ...name, dataset, model, ...(row !== undefined && { row }) };
          const own = await bench.prompt(asked);
          const edited = await bench.prompt({ ...asked, templates });
          const told = [own, edited].find((one) => one.problem);
          if (told) problems.push(`${model} on ${dataset}: ${told.problem?.message}`);
          if (shown(own) !== shown(edited))
            problems.push('the text of the templates reads otherwise');
          problems.push(...(await checkMade(own, templates)));
          for (const { url, body } of requestsIn(own)) {
            if (url !== undefined)
              bodies.add(`${url.replace(server.url, '')} ${JSON.stringify(body)}`);
          }
          row = own.next;
        } while (row !== undefined);
      }
    }
    const sides = {
      shown: bodies,
      sent: new Set(sent.map(({ path, body }) => `${path} ${hidden(body)}`)),
    };
    // Of a dialogue that goes on from the answers only the first turn is known.
    const check = levels.ask.endsWith('-every') ? findUnsent : compareBodies;
    return [...problems, ...check(sides)];
  } finally {
    await bench.close();
    await rm(folder, { recursive: true });
  }
}

/** A body as pages show it: media by their hashes. */
function hidden(body: string): string {
  return JSON.stringify(hideBase64In(JSON.parse(body)));
}

function requestsIn({ view }: BenchPrompt): readonly ShownRequest[] {
  const { requests = [] } = (view ?? {}) as { readonly requests?: readonly ShownRequest[] };
  return requests;
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
  it.each(chunks)('$title', { timeout: 300_000 }, async ({ some }) => {
    await using server = await startRecordingServer();
    const failures: string[] = [];
    for (const levels of some) {
      const problems = await problemsOf(levels, server);
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
