import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
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
import { cutTexts } from '../../../report/snapshot/cut-texts.ts';
import { knownModels } from '../../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../../run/loglikelihood-memory.ts';
import { openRecordedConfig } from '../../../study/remake/open-remade.ts';
import { inOrder } from '../../../study/sweep/change-rows.ts';
import type { SweepCell } from '../../../study/sweep/expand-cells.ts';
import { makeView, type PromptView, type Remark } from '../../../study/view/prompt-view.ts';
import { jsonView } from '../../../terminal/view/json-view.ts';
import { DataRows, type RowAmongOthers } from '../data-rows.ts';
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

interface NamedBench {
  readonly name: ConfigName;
  readonly bench: BenchConfig;
}

interface OpenedBench {
  readonly config: Config;
  readonly evaluations: Evaluations;
  readonly evaluation: Evaluation;
  /** What reads its rows. */
  readonly reading: Promise<DataRows>[];
}

const maxOpened = 4;
/** So many configs are tried where none is named. */
const maxTried = 10;
/** So many datasets are kept by row. */
const maxData = 2;
const maxMedia = 200;
const maxListedRuns = 40;

/** Configs whose templates are tried out; nothing of them is changed. */
export class Workbench {
  readonly #files: readonly string[];
  readonly #runs: OpenedRuns;
  readonly #opened = new Map<string, Promise<OpenedBench>>();
  readonly #data = new Map<string, Promise<DataRows>>();
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

  async details(named: ConfigName): Promise<BenchDetails> {
    const isNamed = named.config !== undefined || named.run !== undefined;
    const { name, bench } = await (isNamed ? this.#named(named) : this.#first());
    const { config, changed } = bench;
    const { evaluatorTypes } = await import('../../../score/evaluators/evaluator-types.ts');
    return {
      ...name,
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

  async #named(name: ConfigName): Promise<NamedBench> {
    return { name, bench: await this.open(name) };
  }

  /** The first config that opens; why the first does not, if none does. */
  async #first(): Promise<NamedBench> {
    const [first, ...others] = (await this.list()).configs.slice(0, maxTried);
    if (!first) throw new Refusal(404, 'serve.no_such_config', 'there is no config to open');
    try {
      return await this.#named({ config: first.config, run: first.run });
    } catch (error) {
      for (const { config, run } of others) {
        const found = await this.#named({ config, run }).catch(() => undefined);
        if (found) return found;
      }
      throw error;
    }
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
      const named = await this.open(body);
      const bench = { ...named, stamp: `${named.stamp} ${dataStamp(named.config, body.dataset)}` };
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
    for (const data of this.#data.values()) {
      await data.then((rows) => rows.close()).catch(() => undefined);
    }
    for (const opened of this.#opened.values())
      await opened.then(closeBench).catch(() => undefined);
    this.#data.clear();
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
        'Choose another config above, or start `typecase serve` in the folder where the run was started.',
      );
    }
    const { config, overrides, folder, changed, cells } = recorded;
    const stamp = `${run} ${opened.stamp} ${config.file === undefined ? '' : statSync(config.file).mtimeMs}`;
    return { config, overrides, stamp, changed, opened, startedIn: folder, cells };
  }

  async #look(opened: OpenedBench, { bench, body, row: wanted }: Looked): Promise<BenchPrompt> {
    const { config, evaluation } = opened;
    const { dataset, model = '', templates } = body;
    const found = await this.#row(opened, {
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

  /** A row by its number; the data is read once, whatever is edited meanwhile. */
  async #row(
    opened: OpenedBench,
    { key, id }: { readonly key: string; readonly id: number | undefined },
  ): Promise<RowAmongOthers | undefined> {
    const data = await this.#dataOf(opened, key);
    const found = await data.around(id);
    if (!found || data.isWhole(Number(found.row.id))) return found;
    const { findRow } = await import('../../../study/show/shown-row.ts');
    const row = await findRow(opened, Number(found.row.id));
    return row && { ...found, row };
  }

  async #dataOf(opened: OpenedBench, key: string): Promise<DataRows> {
    const known = this.#data.get(key);
    const data = known ?? DataRows.open(opened.evaluation);
    if (!known) opened.reading.push(data);
    data.catch(() => this.#data.delete(key));
    const oldest = keep(this.#data, key, data, maxData);
    oldest?.then((rows) => rows.close()).catch(() => undefined);
    return data;
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
    oldest?.then(closeBench).catch(() => undefined);
    return opened;
  }
}

interface Looked {
  readonly bench: BenchConfig;
  readonly body: Omit<PromptBody, 'row'>;
  readonly row: number | undefined;
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
  return { config, evaluations, evaluation: inOrder(asked, cell?.order), reading: [] };
}

/** Tells the data of a dataset from what they were before, where they are files. */
function dataStamp({ datasets, folder }: Config, name: string): string {
  const rows = datasets.find(({ abbr }) => abbr === name)?.rows;
  const paths =
    rows?.type === 'file' ? [rows.path] : rows?.type === 'files' ? Object.values(rows.paths) : [];
  const files = paths.flat().filter((path) => typeof path === 'string');
  const stampOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? '';
  return files.map((path) => stampOf(resolve(folder, path))).join(' ');
}

/** Rows that are still being read come from the evaluation. */
async function closeBench({ evaluations, reading }: OpenedBench): Promise<void> {
  for (const data of reading) await data.then((rows) => rows.ended()).catch(() => undefined);
  await evaluations.close().catch(() => undefined);
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
