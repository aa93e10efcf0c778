import { appendFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EvaluateOptions, evaluate } from '../../src/api/evaluate.ts';
import { explainCache } from '../../src/api/explain-cache.ts';
import { exportRows } from '../../src/api/export-rows.ts';
import { planRun } from '../../src/api/plan-run.ts';
import { rescore } from '../../src/api/rescore.ts';
import { showRow } from '../../src/api/show-row.ts';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { openRun } from '../../src/run/store/open-run.ts';
import { plain, refusal, short } from './lines.ts';
import { logsIn } from './runs.ts';
import { configOf, type Scenario } from './scenarios.ts';
import { timeless } from './timeless.ts';

/** What is done to a folder, one step after the other. */
type Step =
  | readonly ['run', options?: EvaluateOptions, change?: Partial<Scenario>]
  | readonly ['rescore', options?: object, change?: Partial<Scenario>]
  | readonly ['plan', options?: object, change?: Partial<Scenario>]
  | readonly ['explain', options?: object, change?: Partial<Scenario>]
  | readonly ['show', row: number]
  | readonly ['export', options?: object]
  | readonly ['read', selection?: object]
  /** Some lines of a log are others, or gone; or the file is cut off, or has more at its end. */
  | readonly ['edit', file: string, from: string, to: string]
  | readonly ['cut', file: string, bytes: number]
  | readonly ['add', file: string, text: string]
  | readonly ['remove', file: string];

export interface History {
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
}

/** What each step says, and the files of the folder after the last one. */
export async function runHistory({ scenario, steps }: History, folder: string): Promise<unknown> {
  const out = join(folder, 'out');
  const told = (value: unknown) =>
    short(plain(timeless(JSON.parse(JSON.stringify(value)), [[folder, 'FOLDER']])), 600);
  const found: unknown[] = [];
  for (const step of steps) {
    found.push(told((await attempt(() => take(step, { scenario, out }))) ?? null));
  }
  const names = (await readdir(out, { recursive: true }).catch(() => [])).sort();
  const text = await readFile(join(out, 'run.json'), 'utf8').catch(() => 'null');
  // Its repository is that of whoever runs this.
  const record = { ...JSON.parse(text), git: undefined };
  return [found, names.join(' '), told(record), told(await logsIn(out).catch(() => 0))];
}

interface Place {
  readonly scenario: Scenario;
  readonly out: string;
}

async function take(step: Step, { scenario, out }: Place): Promise<unknown> {
  switch (step[0]) {
    case 'run': {
      const { summary, rows, problems, diagnostics } = await evaluate(
        configFor(scenario, step[2]),
        {
          ...step[1],
          out,
        },
      );
      return { summary, rows: await listed(rows()), problems: problems.items, diagnostics };
    }
    case 'rescore': {
      const config = step[2] && configFor(scenario, step[2]);
      const { summary, rows, problems } = await rescore(out, {
        ...step[1],
        ...(config && { config }),
      });
      return { summary, rows: await listed(rows()), problems: problems.items };
    }
    case 'plan':
      return planRun(configFor(scenario, step[2]), { ...step[1], out });
    case 'explain':
      return explainCache(configFor(scenario, step[2]), { ...step[1], out });
    case 'show':
      return showRow(out, { row: step[1] });
    case 'export':
      return exportRows(out, { file: join(out, '..', 'rows.jsonl'), ...step[1] } as never);
    case 'read': {
      const run = await openRun(out);
      const rows = await listed(run.rows(step[1]));
      const [name] = run.evaluations;
      const first = name && (await run.row({ ...name, id: 1 }));
      return { rows, first, evaluations: run.evaluations, problems: run.problems };
    }
    case 'edit': {
      const text = await readFile(join(out, step[1]), 'utf8');
      return writeFile(join(out, step[1]), text.replace(new RegExp(step[2], 'm'), step[3]));
    }
    case 'cut': {
      const { length } = await readFile(join(out, step[1]));
      return truncate(join(out, step[1]), Math.max(0, length - step[2]));
    }
    case 'add':
      return appendFile(join(out, step[1]), step[2]);
    case 'remove':
      return rm(join(out, step[1]), { recursive: true });
  }
}

function configFor(scenario: Scenario, change?: Partial<Scenario>): ConfigInput {
  return configOf({ ...scenario, ...change }) as ConfigInput;
}

async function listed(rows: AsyncIterable<object>): Promise<unknown[]> {
  const found: string[] = [];
  for await (const row of rows) found.push(JSON.stringify(row));
  return found.sort().map((row) => JSON.parse(row));
}

async function attempt(step: () => Promise<unknown>): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    return refusal(error);
  }
}
