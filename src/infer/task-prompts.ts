import type { MediaSettings } from '../data/media/look-at-media.ts';
import {
  checkFields,
  checkValues,
  compileLabelPrompts,
  compilePrompt,
  createShotPool,
  type Diagnostic,
  fillPrompt,
  type PromptProgram,
  type PromptSettings,
  type ShotPool,
  showsMedia,
  tracePrompt,
  tracePromptList,
} from '../prompt/index.ts';
import {
  createRetriever,
  givesShots,
  type LabelLosses,
  leakDiagnostics,
  type Query,
  type Retriever,
} from '../retrieve/index.ts';
import { compatLabelTexts, compatPrompts } from './compat-prompts.ts';
import { labelLosses, labelTexts } from './label-losses.ts';
import { withMedia } from './media/with-media.ts';
import { turnPrompts } from './multi-turn/turn-prompts.ts';
import {
  comparesLabels,
  fitPrompt,
  fitPrompts,
  labelsInData,
  type PromptTask,
  placeAnswers,
  rowAt,
  type TaskData,
  type TaskPrompts,
} from './prompt-task.ts';
import { rememberLast } from './remember-last.ts';
import { requireColumns } from './require-columns.ts';

/** Compiles the templates of a task once and hands out its prompts. */
export function prepareTaskPrompts(task: PromptTask, data: TaskData): TaskPrompts {
  const prompts = promptsOf(task, data);
  return prompts.showsMedia && task.compat === undefined
    ? withMedia(prompts, task.media ?? usualMedia)
    : prompts;
}

const usualMedia: MediaSettings = {
  folder: '.',
  inline: true,
  maxBytes: 20_000_000,
  allowOutside: false,
};

function promptsOf(task: PromptTask, data: TaskData): TaskPrompts {
  const isDialogue = task.promptTemplate?.config.type === multiTurn;
  if (task.compat ? turnInferencers.has(task.inferencer.type) : isDialogue) {
    return turnPrompts(task, data);
  }
  const retriever = rememberLast(
    createRetriever(task.retriever, {
      ...task,
      pool: data.train,
      path: task.retriever.source,
      labelLosses: lossesFor(task, data),
    }),
  );
  if (task.compat !== undefined) return compatPrompts(task, data, retriever);
  return cleanPrompts(task, data, retriever);
}

/** MDL weighs the labels of a row before its prompts are made. */
function lossesFor(task: PromptTask, data: TaskData): LabelLosses | undefined {
  const { weigher, retriever, inferencer } = task;
  if (!weigher || retriever.type !== 'MDLRetriever') return undefined;
  const labels = retriever.labels ?? inferencer.labels;
  const weighing = { ...task, inferencer: { ...inferencer, labels, type: 'PPLInferencer' } };
  const pool = { test: data.train, train: data.train };
  if (task.compat) return labelLosses(weigher, compatLabelTexts(weighing, pool));
  const programs = compilePrograms(weighing, pool).map(({ program }) => ({
    program,
    pool: createShotPool(program, data.train),
  }));
  return labelLosses(weigher, labelTexts(weighing, programs));
}

const multiTurn = 'MultiTurnPromptTemplate';
const turnInferencers = new Set(['MultiTurnGenInferencer', 'ChatInferencer']);

function cleanPrompts(task: PromptTask, data: TaskData, retriever: Retriever): TaskPrompts {
  const indexesOf = (index: number) => retriever({ ...rowAt(data, index), index });
  const programs = compilePrograms(task, data);
  const pools = programs.map(({ program }) => createShotPool(program, data.train));
  const shotsFor = (pool: ShotPool | undefined, index: number) => pool?.take(indexesOf(index));
  const columns = columnsOf(data);
  const declared = task.inputColumns.length > 0 ? task.inputColumns : undefined;
  const [first] = programs;
  const require = requireColumns(
    programs.map(({ program }) => program),
    task,
    data,
  );
  const completeShots = (query: Query) => {
    require.row(query.row);
    const ids = retriever(query);
    require.shots(ids);
    return ids;
  };
  const leaksOf = (query: Query) =>
    leakDiagnostics(query, pools[0]?.take(retriever(query)).rows ?? [], {
      columns: task.inputColumns,
      path: task.retriever.source,
    });
  return {
    prepare: retriever.prepare,
    mode: comparesLabels(task) || task.inferencer.type === 'PPLOnlyInferencer' ? 'ppl' : 'gen',
    labels: comparesLabels(task) ? programs.map(({ label }) => label) : undefined,
    diagnostics: uniqueDiagnostics(
      programs.flatMap(({ program }) => [
        ...program.diagnostics,
        ...(data.test.length > 0 ? checkFields(program, columns, declared) : []),
      ]),
    ),
    promptOf: (query) => {
      if (!first) throw new RangeError('a task without prompts');
      const fill = (ids: readonly number[]) =>
        fillPrompt(first.program, query.row, pools[0]?.take(ids));
      return fitPrompt(completeShots(query), fill, task.context);
    },
    labelPromptsOf: (query) => {
      const ids = completeShots(query);
      const kept = fitPrompts(
        ids,
        (shots) =>
          programs.map(({ program }, i) => fillPrompt(program, query.row, pools[i]?.take(shots))),
        task.context,
      );
      const traced = programs.map(({ label, program }, i) => ({
        label,
        prompt: tracePrompt(program, query, pools[i]?.take(kept)),
      }));
      return { labels: placeAnswers(traced), dropped: ids.length - kept.length };
    },
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
    checkRow: (index) => [
      ...require.remarks(rowAt(data, index).row),
      ...leaksOf({ ...rowAt(data, index), index }),
      ...(first ? checkValues(first.program, rowAt(data, index).row) : []),
    ],
    leaksOf,
    showsMedia: programs.some(({ program }) => showsMedia(program)),
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

export type {
  ContextLimit,
  ModelSide,
  PlacedTemplate,
  PromptTask,
  TaskData,
  TaskPrompt,
  TaskPrompts,
} from './prompt-task.ts';
