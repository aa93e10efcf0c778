import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { displayPath } from '../../../base/display-path.ts';
import { hideBase64In } from '../../../base/hidden-text.ts';
import type { Config } from '../../../config/config.ts';
import { loadConfig } from '../../../config/load-config.ts';
import type { ConfigOverrides } from '../../../config/override-config.ts';
import { withLocation } from '../../../config/with-location.ts';
import { TypecaseError } from '../../../errors.ts';
import type { Evaluation } from '../../../evaluation/evaluation.ts';
import { type Evaluations, openEvaluations } from '../../../evaluation/open-evaluations.ts';
import { takesOf } from '../../../evaluation/setup-of-config.ts';
import { formatSummaries } from '../../../prompt/format-summaries.ts';
import { toPlain } from '../../../prompt/mapping.ts';
import type { MediaContent } from '../../../prompt/parts/content.ts';
import type { PositionedRow } from '../../../prompt/trace.ts';
import { cutTexts } from '../../../report/snapshot/cut-texts.ts';
import { knownModels } from '../../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../../run/loglikelihood-memory.ts';
import { openRecordedConfig } from '../../../study/remake/open-remade.ts';
import { inOrder } from '../../../study/sweep/change-rows.ts';
import type { SweepCell } from '../../../study/sweep/expand-cells.ts';
import { makeView, type PromptView, type Remark } from '../../../study/view/prompt-view.ts';
import { jsonView } from '../../../terminal/view/json-view.ts';
import type { OpenedRun } from '../opened-run.ts';
import type { OpenedRuns } from '../opened-runs.ts';
import { packValue } from '../pack-row.ts';
import { Refusal } from '../refusal.ts';
import type {
  BenchDetails,
  BenchProblem,
  BenchPrompt,
  BenchRemark,
  ConfigList,
  PromptBody,
} from './api.ts';
import { editedConfig } from './edited-config.ts';
import { promptKit } from './prompt-kit.ts';
import { templateSource } from './template-source.ts';
import { editedFile, refuseHuge } from './template-text.ts';

/** Which config is meant. */
export interface ConfigName {
  readonly config?: string | undefined;
  readonly run?: string | undefined;
}

/** A config that was opened, before anything of it was changed. */
export interface BenchConfig {
  readonly config: Config;
  readonly overrides: ConfigOverrides;
  /** Tells it from what it was before. */
  readonly stamp: string;
  readonly changed?: string | undefined;
  /** The run that names it. */
  readonly opened?: OpenedRun | undefined;
  readonly startedIn?: string | undefined;
  /** Of a sweep: its datasets are these cells. */
  readonly cells?: readonly SweepCell[] | undefined;
}

interface OpenedBench {
  readonly config: Config;
  readonly evaluations: Evaluations;
  readonly evaluation: Evaluation;
}

const maxOpened = 4;
const maxRows = 200;
const maxMedia = 200;
const maxListedRuns = 40;

/** Configs whose templates are tried out; nothing of them is changed. */
export class Workbench {
  readonly #files: readonly string[];
  readonly #runs: OpenedRuns;
  readonly #opened = new Map<string, Promise<OpenedBench>>();
  readonly #rows = new Map<string, FoundRow>();
  readonly #media = new Map<string, MediaContent>();

  constructor(files: readonly string[], runs: OpenedRuns) {
    this.#files = files;
    this.#runs = runs;
  }

  /** The configs that were named, and those of the latest runs. */
  async list(): Promise<ConfigList> {
    const files = this.#files.map((file) => ({ name: displayPath(file), config: nameOf(file) }));
    const runs = (await this.#runs.served.list()).slice(0, maxListedRuns);
    return { configs: [...files, ...runs.map(({ id }) => ({ name: `run ${id}`, run: id }))] };
  }

  async details(name: ConfigName): Promise<BenchDetails> {
    const { config, changed } = await this.open(name);
    const { evaluatorTypes } = await import('../../../score/evaluators/evaluator-types.ts');
    return {
      name: config.file === undefined ? (name.run ?? '') : basename(config.file),
      folder: displayPath(config.folder),
      ...(changed !== undefined && { changed }),
      models: config.models
        .filter(({ judge }) => !judge)
        .map((model) => ({ abbr: model.abbr, takes: takesOf(model) })),
      datasets: config.datasets.map((dataset) => {
        const { text, problem } = templateSource(config, dataset);
        const evaluator = dataset.evalCfg?.evaluator as { readonly type?: string } | undefined;
        return {
          abbr: dataset.abbr,
          ...(text && { templates: text }),
          ...(problem !== undefined && { problem }),
          evaluator: String(evaluator?.type ?? 'exact'),
        };
      }),
      formats: Object.entries(formatSummaries).map(([name, summary]) => ({ name, summary })),
      evaluators: Object.entries(evaluatorTypes).map(([evaluator, { summary }]) => ({
        name: evaluator,
        summary,
      })),
    };
  }

  /** The config that is meant, as it is in its file now. */
  async open({ config: name, run }: ConfigName): Promise<BenchConfig> {
    if (run !== undefined) return this.#ofRun(run);
    const file = this.#files.find((one) => nameOf(one) === name);
    if (file === undefined) {
      throw new Refusal(404, 'serve.no_such_config', `config ${name ?? ''} not found`);
    }
    const stamp = `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`;
    return { config: await loadConfig(file), overrides: {}, stamp };
  }

  /** What a run would send for a row. */
  async prompt({ row, ...body }: PromptBody): Promise<BenchPrompt> {
    const nothing = { columns: [], lint: [] };
    try {
      if (body.templates) refuseHuge(body.templates, 0);
      const bench = await this.open(body);
      const opened = await this.#evaluation(bench, body);
      try {
        return await this.#look(opened, { bench, body, row });
      } catch (error) {
        throw withLocation(opened.config.written, error);
      }
    } catch (error) {
      if (!TypecaseError.isInstance(error)) throw error;
      return { ...nothing, problem: problemOf(error) };
    }
  }

  /** A medium of the prompts that were looked at last. */
  medium(sha256: string): MediaContent | undefined {
    return this.#media.get(sha256);
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) {
      await opened.then(({ evaluations }) => evaluations.close()).catch(() => undefined);
    }
    this.#opened.clear();
  }

  async #ofRun(run: string): Promise<BenchConfig> {
    const opened = await this.#runs.get(run);
    const recorded = await openRecordedConfig(opened.run, (file) => this.#runs.mayOpen(file));
    if (recorded.type === 'not-made') {
      throw new Refusal(
        409,
        'serve.no_config',
        `the run has no config to open: ${recorded.reason}`,
      );
    }
    const { config, overrides, folder, changed, cells } = recorded;
    const stamp = `${run} ${opened.stamp} ${config.file === undefined ? '' : statSync(config.file).mtimeMs}`;
    return { config, overrides, stamp, changed, opened, startedIn: folder, cells };
  }

  async #look(
    { config, evaluation }: OpenedBench,
    { bench, body, row: wanted }: Looked,
  ): Promise<BenchPrompt> {
    const { dataset, model = '', templates } = body;
    const found = await this.#row(evaluation, {
      key: `${bench.stamp} ${dataset} ${model} ${evaluation.task.compat}`,
      id: wanted,
    });
    if (!found) return { columns: [], lint: [], problem: noRow(wanted) };
    const { row, previous, next } = found;
    if (templates) refuseHuge(templates, packValue(row.row).length);
    const view = await makeView({ config, evaluation }, row);
    for (const content of mediaOf(view)) keep(this.#media, content.sha256, content, maxMedia);
    const { value: shown } = cutTexts({
      row: hideBase64In(toPlain(row.row)) as Record<string, unknown>,
      view: hideBase64In(toPlain(jsonView(view))) as Record<string, unknown>,
    });
    return {
      id: Number(row.id),
      ...(previous !== undefined && { previous }),
      ...(next !== undefined && { next }),
      columns: Object.keys(row.row),
      ...shown,
      lint: remarksOf(view),
      ...(await promptKit({ evaluation, row, view })),
    };
  }

  /** A row, read from the start of the data unless it is near one that was looked at. */
  async #row(
    evaluation: Evaluation,
    { key, id }: { readonly key: string; readonly id: number | undefined },
  ): Promise<FoundRow | undefined> {
    const known = this.#rows.get(`${key} ${id ?? 'first'}`);
    if (known) return known;
    const { found, around } = await findRow(evaluation, id);
    for (const one of around) keep(this.#rows, `${key} ${one.row.id}`, one, maxRows);
    if (found) keep(this.#rows, `${key} ${id ?? 'first'}`, found, maxRows);
    return found;
  }

  /** The evaluation of an edited config; the last ones stay open. */
  async #evaluation(bench: BenchConfig, body: Omit<PromptBody, 'row'>): Promise<OpenedBench> {
    const { dataset, model, templates, format } = body;
    const key = JSON.stringify([bench.stamp, dataset, model, templates, format]);
    const known = this.#opened.get(key);
    this.#opened.delete(key);
    const opened = known ?? openBench(bench, body);
    opened.catch(() => this.#opened.delete(key));
    const oldest = keep(this.#opened, key, opened, maxOpened);
    oldest?.then(({ evaluations }) => evaluations.close()).catch(() => undefined);
    return opened;
  }
}

interface Looked {
  readonly bench: BenchConfig;
  readonly body: Omit<PromptBody, 'row'>;
  readonly row: number | undefined;
}

interface FoundRow {
  readonly row: PositionedRow;
  readonly previous?: number | undefined;
  readonly next?: number | undefined;
}

/** Opened as `typecase view` does it: nothing is sent. */
async function openBench(
  { config: original, overrides, opened, startedIn, cells }: BenchConfig,
  { dataset, model, templates, format }: Omit<PromptBody, 'row'>,
): Promise<OpenedBench> {
  const config = editedConfig(original, { dataset, templates, format }, overrides);
  const folder = opened?.run.path;
  const evaluations = await openEvaluations(config, {
    purpose: 'view',
    datasets: [dataset],
    ...(model !== undefined && { models: [model] }),
    ...(startedIn !== undefined && { startedIn }),
    ...(folder !== undefined && {
      known: await knownModels(folder),
      rememberLoglikelihoods: recallLoglikelihoodsOf(folder),
    }),
  });
  const [asked] = evaluations;
  if (!asked) throw new RangeError('Nothing was opened');
  const cell = cells?.find(({ abbr }) => abbr === dataset);
  return { config, evaluations, evaluation: inOrder(asked, cell?.order) };
}

/** So many rows on either side of one that was looked for are kept, unless they are large. */
const nearRows = 30;
const largeRow = 50_000;

interface RowsAround {
  readonly found: FoundRow | undefined;
  /** Rows near it whose own neighbours are known. */
  readonly around: readonly FoundRow[];
}

/** A row by its number, or the first one, with those before and after it. */
async function findRow({ rows }: Evaluation, id: number | undefined): Promise<RowsAround> {
  const near: PositionedRow[] = [];
  let at = -1;
  read: for await (const batch of rows.batches()) {
    for (const row of batch) {
      near.push(row);
      if (at >= 0) {
        if (isLarge(row) || near.length > at + nearRows) break read;
      } else if (id === undefined || Number(row.id) === id) at = near.length - 1;
      else if (near.length > nearRows) near.shift();
    }
  }
  const neighbours = near.map((row, place) => ({
    row,
    previous: idOf(near[place - 1]),
    next: idOf(near[place + 1]),
  }));
  const around = neighbours.filter(
    ({ row, previous, next }) => previous !== undefined && next !== undefined && !isLarge(row),
  );
  return { found: neighbours[at], around: at < 0 ? [] : around };
}

function idOf(row: PositionedRow | undefined): number | undefined {
  return row && Number(row.id);
}

function isLarge({ row }: PositionedRow): boolean {
  let length = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') length += value.length;
  return length > largeRow;
}

function mediaOf({ prompts }: PromptView): MediaContent[] {
  const spans = prompts.flatMap(({ prompt }) =>
    prompt.type === 'text' ? prompt.spans : prompt.messages.flatMap((message) => message.spans),
  );
  return spans.flatMap(({ media }) => media?.content ?? []);
}

function noRow(id: number | undefined): BenchProblem {
  return {
    code: 'serve.no_such_row',
    message: id === undefined ? 'The dataset has no rows' : `The dataset has no row ${id}`,
    hint: 'Rows are numbered as in the data.',
  };
}

function remarksOf({ templateRemarks, rowRemarks }: PromptView): BenchRemark[] {
  return [...templateRemarks, ...rowRemarks].map(({ at, ...remark }) => ({
    ...remark,
    ...placeOf(at),
  }));
}

function problemOf({ code, message, hint, at }: TypecaseError): BenchProblem {
  return { code, message, ...(hint !== undefined && { hint }), ...placeOf(at) };
}

/** Places in the text that is edited; those in files stand in the message. */
function placeOf(at: Remark['at']): Pick<BenchRemark, 'at'> {
  return at?.file === editedFile ? { at: { line: at.line, column: at.column } } : {};
}

function nameOf(file: string): string {
  return displayPath(file);
}

/** Puts a value last, and gives the oldest one that has to go. */
function keep<Value>(
  kept: Map<string, Value>,
  key: string,
  value: Value,
  most: number,
): Value | undefined {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size <= most || oldest === undefined) return undefined;
  const gone = kept.get(oldest);
  kept.delete(oldest);
  return gone;
}
