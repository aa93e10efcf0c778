import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import {
  checkFields,
  checkValues,
  compileLabelPrompts,
  compilePrompt,
  createShotPool,
  type Diagnostic,
  fillPrompt,
  formatValue,
  type ModelFormat,
  type NamedRow,
  type Prompt,
  type PromptList,
  type PromptProgram,
  type PromptSettings,
  type ShotPool,
  type TemplateConfig,
  type TracedPrompt,
  tracePrompt,
  tracePromptList,
} from '../prompt/index.ts';
import { createRetriever, givesShots, type RetrieverSettings } from '../retrieve/index.ts';
import { compatPrompts } from './compat-prompts.ts';

/** Everything that shapes the prompts of one model on one data set. */
export interface PromptTask {
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
  readonly promptTemplate?: PlacedTemplate | undefined;
  readonly iceTemplate?: PlacedTemplate | undefined;
  readonly inputColumns: readonly string[];
  readonly outputColumn?: string | undefined;
  readonly retriever: RetrieverSettings & {
    readonly source: ConfigPath;
    readonly iceSeparator?: string | undefined;
    readonly iceEosToken?: string | undefined;
  };
  readonly inferencer: {
    readonly type: string;
    readonly labels?: readonly unknown[] | undefined;
    readonly genFieldReplaceToken?: string | undefined;
  };
  readonly model: ModelSide;
}

export interface PlacedTemplate {
  readonly config: TemplateConfig;
  readonly source: ConfigPath;
}

export interface ModelSide {
  readonly takes: 'text' | 'messages';
  readonly format: ModelFormat;
  /** The meta template as it stands in the config, for compat modes. */
  readonly metaTemplate?: unknown;
  readonly source?: ConfigPath;
}

/** Rows to ask about, and the pool that examples come from. */
export interface TaskData {
  readonly test: readonly NamedRow[];
  readonly train: readonly NamedRow[];
}

/** One prompt of a row; tasks that compare labels have one for each. */
export interface TaskPrompt {
  readonly label?: unknown;
  readonly list: PromptList;
  readonly prompt: TracedPrompt;
}

/** The prompts of a task, made row by row. The viewer and the runner both use this. */
export interface TaskPrompts {
  /** Whether the model is to answer (`gen`) or to weigh the whole text (`ppl`). */
  readonly mode: 'gen' | 'ppl';
  readonly labels: readonly unknown[] | undefined;
  /** What can be said of the templates and the columns as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  readonly shotsOf: (index: number) => readonly NamedRow[];
  /** The prompts of a test row as they are sent, one for each label. */
  readonly fill: (index: number) => Prompt[];
  /** The same with the origin of every character. */
  readonly trace: (index: number) => TaskPrompt[];
  readonly checkRow: (index: number) => Diagnostic[];
}

const labelInferencers = new Set(['PPLInferencer', 'LLInferencer']);

/** Compiles the templates of a task once and hands out its prompts. */
export function prepareTaskPrompts(task: PromptTask, data: TaskData): TaskPrompts {
  refuseMissingTypes(task);
  const retriever = createRetriever(task.retriever, {
    pool: data.train,
    compat: task.compat !== undefined,
    path: task.retriever.source,
  });
  const indexesOf = (index: number) => retriever({ ...rowAt(data, index), index });
  if (task.compat !== undefined) return compatPrompts(task, data, indexesOf);
  return cleanPrompts(task, data, indexesOf);
}

const missingTypes = ['MultiTurnPromptTemplate', 'MMPromptTemplate'];

function refuseMissingTypes({ promptTemplate, iceTemplate }: PromptTask): void {
  for (const template of [promptTemplate, iceTemplate]) {
    const type = template?.config.type;
    if (!template || type === undefined || !missingTypes.includes(type)) continue;
    const path = [...template.source, 'type'];
    throw new TemplateError(
      'template.type_not_available',
      `${formatPath(path)}: \`${type}\` is not available yet`,
      {
        path,
        hint: 'PromptTemplate and RawPromptTemplate are.',
      },
    );
  }
}

export function comparesLabels(task: PromptTask): boolean {
  return labelInferencers.has(task.inferencer.type);
}

/** The values that the output column takes, in the order in which they first occur. */
export function labelsInData({ test }: TaskData, column: string | undefined): unknown[] {
  const labels = new Map<string, unknown>();
  for (const { row } of column === undefined ? [] : test) {
    const label = row[column as string];
    if (label !== undefined && !labels.has(formatValue(label)))
      labels.set(formatValue(label), label);
  }
  return [...labels.values()];
}

export function rowAt(data: TaskData, index: number): NamedRow {
  const named = data.test[index];
  if (named) return named;
  throw new RangeError(`there is no row ${index}; the data set has ${data.test.length}`);
}

function cleanPrompts(
  task: PromptTask,
  data: TaskData,
  indexesOf: (index: number) => readonly number[],
): TaskPrompts {
  const programs = compilePrograms(task, data);
  const pools = programs.map(({ program }) => createShotPool(program, data.train));
  const shotsFor = (pool: ShotPool | undefined, index: number) => pool?.take(indexesOf(index));
  const columns = columnsOf(data);
  const declared = task.inputColumns.length > 0 ? task.inputColumns : undefined;
  const [first] = programs;
  return {
    mode: comparesLabels(task) || task.inferencer.type === 'PPLOnlyInferencer' ? 'ppl' : 'gen',
    labels: comparesLabels(task) ? programs.map(({ label }) => label) : undefined,
    diagnostics: uniqueDiagnostics(
      programs.flatMap(({ program }) => [
        ...program.diagnostics,
        ...(data.test.length > 0 ? checkFields(program, columns, declared) : []),
      ]),
    ),
    shotsOf: (index) => shotsFor(pools[0], index)?.rows ?? [],
    fill: (index) =>
      programs.map(({ program }, i) =>
        fillPrompt(program, rowAt(data, index).row, shotsFor(pools[i], index)),
      ),
    trace: (index) =>
      programs.map(({ label, program }, i) => {
        const named = rowAt(data, index);
        const shots = shotsFor(pools[i], index);
        return {
          ...(comparesLabels(task) && { label }),
          list: tracePromptList(program, named, shots),
          prompt: tracePrompt(program, named, shots),
        };
      }),
    checkRow: (index) => (first ? checkValues(first.program, rowAt(data, index).row) : []),
  };
}

function compilePrograms(
  task: PromptTask,
  data: TaskData,
): { label?: unknown; program: PromptProgram }[] {
  const settings: PromptSettings = {
    promptTemplate: task.promptTemplate?.config,
    iceTemplate: task.iceTemplate?.config,
    paths: {
      ...(task.promptTemplate && { promptTemplate: task.promptTemplate.source }),
      ...(task.iceTemplate && { iceTemplate: task.iceTemplate.source }),
    },
    format: task.model.format,
    inputColumns: task.inputColumns,
    outputColumn: task.outputColumn,
    hasShots: givesShots(task.retriever),
    iceSeparator: task.retriever.iceSeparator,
    iceEosToken: task.retriever.iceEosToken,
    maskToken: task.inferencer.genFieldReplaceToken,
  };
  if (!comparesLabels(task)) {
    const mode = task.inferencer.type === 'PPLOnlyInferencer' ? 'ppl' : 'gen';
    return [{ program: compilePrompt(settings, mode) }];
  }
  const found = labelsInData(data, task.outputColumn);
  return compileLabelPrompts(
    settings,
    task.inferencer.labels,
    found.length > 0 ? found : undefined,
  );
}

function columnsOf({ test, train }: TaskData): string[] {
  return [...new Set([test[0], train[0]].flatMap((named) => Object.keys(named?.row ?? {})))];
}

function uniqueDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [
    ...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values(),
  ];
}
