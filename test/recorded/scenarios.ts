import { join } from 'node:path';
import { type EvaluateOptions, evaluate } from '../../src/api/evaluate.ts';
import type { ConfigInput } from '../../src/config/config-input.ts';
import type { FunctionRequest } from '../../src/model/function-model.ts';
import type { StoredRow } from '../../src/run/store/open-run.ts';
import { refusal } from './lines.ts';
import { timeless } from './timeless.ts';

/** A small run: rows that hold what the model says, and how it is asked and scored. */
export interface Scenario {
  /** `reply` of a row is what the model says: of a list, one for each turn, or one for each sample. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly eval?: unknown;
  readonly infer?: object;
  readonly dataset?: object;
  readonly model?: object;
  readonly config?: object;
  readonly options?: EvaluateOptions;
  /** Options of a second start in the same folder. */
  readonly again?: EvaluateOptions;
  /** Further datasets, each with what it has differently. */
  readonly others?: readonly object[];
}

/** All that comes of it: rows, summary and warnings, or the message that refuses it. */
export async function runScenario(scenario: Scenario, folder: string): Promise<unknown> {
  const out = join(folder, 'out');
  const found: unknown[] = [];
  for (const options of [scenario.options, scenario.again]) {
    if (options === undefined && found.length > 0) break;
    found.push(await start(configOf(scenario), { ...options, out }));
  }
  return timeless(JSON.parse(JSON.stringify(found)), [[folder, 'FOLDER']]);
}

async function start(config: unknown, options: EvaluateOptions): Promise<unknown> {
  try {
    const { summary, rows, diagnostics } = await evaluate(config as ConfigInput, options);
    const records: StoredRow[] = [];
    for await (const row of rows()) records.push(row);
    const ordered = records.map((row) => JSON.stringify(row)).sort();
    return { summary, rows: ordered.map((row) => JSON.parse(row)), diagnostics };
  } catch (error) {
    return refusal(error);
  }
}

export function configOf(scenario: Scenario): object {
  const { rows, eval: evaluator, infer, dataset, model, config, others = [] } = scenario;
  const [first = {}] = rows;
  const usual = {
    abbr: 'data',
    rows,
    reader_cfg: {
      input_columns: Object.keys(first).filter((name) => !['reply', 'gold'].includes(name)),
      output_column: 'gold',
    },
    infer_cfg: { prompt_template: { template: 'Say {question}' }, ...infer },
    ...(evaluator !== undefined && { eval_cfg: { evaluator } }),
    ...dataset,
  };
  return {
    ...config,
    models: [
      { abbr: 'app', generate: say, version: '1', ...model },
      { abbr: 'strong', generate: judge, version: '1', judge: true },
    ].filter(({ abbr }) => abbr === 'app' || JSON.stringify(scenario).includes('judge')),
    datasets: [usual, ...others.map((other) => ({ ...usual, ...other }))],
  };
}

function say({ row, messages, settings }: FunctionRequest): unknown {
  const { reply } = row;
  if (!Array.isArray(reply)) return speak(reply);
  const said = messages.filter(({ role }) => role === 'assistant').length;
  return speak(reply[(said + Number(settings.seed ?? 0)) % reply.length]);
}

function speak(reply: unknown): unknown {
  if (typeof reply === 'string' && reply.startsWith('throw ')) throw new Error(reply.slice(6));
  return reply;
}

/** Says what the last `say: …` of its prompt tells it to. */
function judge({ messages }: FunctionRequest): string {
  const asked = messages.map(({ content }) => String(content)).join('\n');
  return [...asked.matchAll(/say: (.+)/g)].at(-1)?.[1] ?? 'A';
}
