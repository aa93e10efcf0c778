import { ConfigError, formatPath } from '../errors.ts';
import { answerLead } from '../prompt/answer-lead.ts';
import { checkFields, checkInput, checkValues, type Diagnostic } from '../prompt/diagnostics.ts';
import { programFor } from '../prompt/plan.ts';
import {
  compileLabelPrompts,
  compilePrompt,
  type PromptProgram,
  type PromptSettings,
  showsMedia,
} from '../prompt/program.ts';
import { tracePromptList } from '../prompt/prompt-list.ts';
import { createShotPool, fillPrompt, tracePrompt } from '../prompt/render.ts';
import { leakDiagnostics } from '../retrieve/leak.ts';
import { givesShots, type Query, type Retriever } from '../retrieve/retriever.ts';
import { fitPrompt, fitPrompts } from './fit-context.ts';
import {
  columnsOf,
  comparesLabels,
  type EvaluationPrompts,
  labelsInData,
  type PromptData,
  type PromptSetup,
  placeAnswers,
} from './prompt-setup.ts';
import { requireColumns } from './require-columns.ts';

/** Opens what chooses the examples of a task. */
export type OpenRetriever = (task: PromptSetup, data: PromptData) => Promise<Retriever>;

/** The prompts of a task, but for media. Runs in browsers, if what chooses the examples does. */
export async function promptsOf(
  task: PromptSetup,
  data: PromptData,
  openRetriever: OpenRetriever,
): Promise<EvaluationPrompts> {
  if (task.shotsAs !== undefined && !task.arrangement) {
    return promptsOf(await arrange(task), data, openRetriever);
  }
  refuseUnknown(task);
  if (isDialogue(task) && (task.compat === undefined || !givesShots(task.retriever))) {
    const { turnPrompts } = await import('./multi-turn/turn-prompts.ts');
    return turnPrompts(task, data);
  }
  refuseTurns(task);
  const retriever = rememberLast(await openRetriever(task, data));
  if (isDialogue(task)) {
    const { turnPrompts } = await import('./multi-turn/turn-prompts.ts');
    return turnPrompts(task, data, retriever);
  }
  if (task.compat === undefined) {
    const looks = endsWithAnswer(task) ? undefined : await import('./answer-place.ts');
    return cleanPrompts(task, data, { retriever, remarks: looks?.answerPlaceRemarks });
  }
  const { compatPrompts } = await import('./compat-prompts.ts');
  return compatPrompts(task, data, retriever);
}

/** A task whose examples have another form than its templates give them. */
export async function arrange(task: PromptSetup): Promise<PromptSetup> {
  if (task.compat || isDialogue(task)) throw noOtherForm(task);
  const { shotsAs } = await import('../prompt/shots-as.ts');
  return { ...task, arrangement: task.shotsAs && shotsAs(task.shotsAs) };
}

function noOtherForm({ compat, retriever, inferencer }: PromptSetup): ConfigError {
  const path = [...retriever.source.slice(0, -1), 'shots_as'];
  const why = compat ? `compat: ${compat}` : `a ${inferencer.type} with several turns`;
  return new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} changes how examples are shown, which ${why} does not support`,
    { path, hint: 'Leave it out: the templates say where the examples go.' },
  );
}

const multiTurn = 'MultiTurnPromptTemplate';
const turnInferencers = new Set(['MultiTurnGenInferencer', 'ChatInferencer']);

/** Whether the rows of a task are dialogues that are asked turn by turn. */
export function isDialogue(signs: DialogueSigns): boolean {
  const { compat, inferencer, promptTemplate, iceTemplate } = signs;
  if (!compat && (promptTemplate ?? iceTemplate)?.config?.type === multiTurn) return true;
  if (!compat) return inferencer?.type === 'ChatInferencer';
  return turnInferencers.has(inferencer?.type ?? '');
}

interface DialogueSigns extends Pick<PromptSetup, 'compat'> {
  readonly inferencer?: { readonly type?: string | undefined } | undefined;
  readonly promptTemplate?: TypedTemplate | undefined;
  readonly iceTemplate?: TypedTemplate | undefined;
}

interface TypedTemplate {
  readonly config?: { readonly type?: string | undefined } | undefined;
}

/** The record of a run holds no functions; a config always has a template. */
function refuseUnknown({ promptTemplate }: PromptSetup): void {
  const { config, source = [] } = promptTemplate ?? {};
  if (!config || config.template !== undefined || config.messages !== undefined) return;
  throw new ConfigError(
    'config.missing_key',
    `${formatPath(source)} was a function, which runs do not record`,
    { path: source, hint: 'Use the config that contains it.' },
  );
}

/** A template of one prompt would print the lists of a dialogue, not say them turn by turn. */
function refuseTurns({ compat, inferencer, promptTemplate, iceTemplate }: PromptSetup): void {
  if (compat || inferencer.type !== 'MultiTurnGenInferencer') return;
  const { source = [], config } = promptTemplate ?? iceTemplate ?? {};
  throw new ConfigError(
    'template.not_in_turns',
    `${formatPath(source)} is a ${config?.type ?? 'PromptTemplate'}, but MultiTurnGenInferencer asks turn by turn`,
    {
      path: source,
      hint: 'Write `type: MultiTurnPromptTemplate`, or use GenInferencer to send a single prompt.',
    },
  );
}

/** Whether a template is one text that has its answer at its end, and nowhere else. */
function endsWithAnswer({ promptTemplate, iceTemplate, outputColumn }: PromptSetup): boolean {
  const text = (promptTemplate ?? iceTemplate)?.config.template;
  const place = `{${outputColumn}}`;
  if (typeof text !== 'string') return false;
  const at = text.indexOf(place);
  return at < 0 || at === text.length - place.length;
}

interface CleanParts {
  readonly retriever: Retriever;
  /** What is said of the place of the hidden answer. */
  readonly remarks:
    | ((program: PromptProgram, keepSpaces: boolean) => readonly Diagnostic[])
    | undefined;
}

function cleanPrompts(
  task: PromptSetup,
  data: PromptData,
  { retriever, remarks }: CleanParts,
): EvaluationPrompts {
  const programs = compilePrograms(task, data);
  const pools = programs.map(({ program }) => createShotPool(program, data.train));
  const columns = columnsOf(data);
  const declared = task.inputColumns.length > 0 ? task.inputColumns : undefined;
  const [first] = programs;
  const inputs = programs.map(({ program }) => checkInput(program));
  const noInputs = inputs.every((remarks) => remarks.length > 0) ? inputs.flat() : [];
  const firstProgram = () => {
    if (first) return first;
    throw new RangeError('a task without prompts');
  };
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
  const examplesAt = (shots: readonly number[]) => pools[0]?.take(shots).rows ?? [];
  const leaksOf: EvaluationPrompts['leaksOf'] = (row, shots) =>
    leakDiagnostics(row, examplesAt(shots), {
      columns: task.inputColumns,
      path: task.retriever.source,
    });
  return {
    prepare: retriever.prepare,
    seed: retriever.seed,
    mode: comparesLabels(task) || task.inferencer.type === 'PPLOnlyInferencer' ? 'ppl' : 'gen',
    labels: comparesLabels(task) ? programs.map(({ label }) => label) : undefined,
    diagnostics: uniqueDiagnostics(
      programs.flatMap(({ program }) => [
        ...program.diagnostics.filter(
          ({ code }) => code !== leftToModel || !keepsSpaces(task, program),
        ),
        ...(remarks?.(program, task.inferencer.keepTrailingSpaces ?? false) ?? []),
        ...(data.test.length > 0 ? checkFields(program, columns, declared) : []),
        ...noInputs,
      ]),
    ),
    promptOf: (query) => {
      const { program } = firstProgram();
      const fill = (ids: readonly number[]) => fillPrompt(program, query.row, pools[0]?.take(ids));
      return fitPrompt(completeShots(query), fill, { row: query.row, context: task.context });
    },
    labelPromptsOf: (query) => {
      const ids = completeShots(query);
      const fitted = fitPrompts(
        ids,
        (shots) =>
          programs.map(({ program }, i) => fillPrompt(program, query.row, pools[i]?.take(shots))),
        { row: query.row, context: task.context },
      );
      const traced = programs.map(({ label, program }, i) => ({
        label,
        shots: fitted.shots,
        traced: tracePrompt(program, query, pools[i]?.take(fitted.shots)),
      }));
      return { labels: placeAnswers(traced), ...fitted };
    },
    labelListOf: (row, { index, shots }) => {
      const { program } = programs[index] ?? firstProgram();
      return tracePromptList(program, row, pools[index]?.take(shots));
    },
    traceOf: (row, shots) => {
      const { program } = firstProgram();
      const taken = pools[0]?.take(shots);
      return {
        list: tracePromptList(program, row, taken),
        prompt: tracePrompt(program, row, taken),
      };
    },
    examplesAt,
    checkRow: ({ row }) => [
      ...require.remarks(row),
      ...(first ? checkValues(first.program, row) : []),
    ],
    leaksOf,
    leadOf: (row) => {
      const { program } = firstProgram();
      return answerLead(program, row, pools[0]?.take(data.train.length > 0 ? [0] : []));
    },
    answerPrefix: first && sentPrefix(first.program),
    droppedSpaces:
      first && putsSpaces(first.program)
        ? ({ row }, shots) => programFor(first.program, row, pools[0]?.take(shots)).droppedSpaces
        : undefined,
    showsMedia: programs.some(({ program }) => showsMedia(program)),
  };
}

const leftToModel = 'template.space_before_answer';

/** Whether the spaces before the hidden answer are sent with the labels. */
function keepsSpaces({ inferencer }: PromptSetup, program: PromptProgram): boolean {
  return inferencer.type === 'CLPInferencer' && putsSpaces(program) && program.droppedSpaces !== '';
}

/** Not where the model's own template writes something between spaces and the answer. */
function putsSpaces({ plan }: PromptProgram): boolean {
  return plan.type === 'text' || plan.isOpen === true;
}

function sentPrefix({ plan, format }: PromptProgram): string | undefined {
  const isSent = plan.type === 'text' || plan.isOpen || format.type === 'chat-template';
  return isSent ? plan.answerPrefix : undefined;
}

export function compilePrograms(
  task: PromptSetup,
  data: PromptData,
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
    shotsAs: task.arrangement,
    iceSeparator: task.retriever.iceSeparator,
    iceEosToken: task.retriever.iceEosToken,
    maskToken: task.inferencer.genFieldReplaceToken,
    keepTrailingSpaces: task.inferencer.keepTrailingSpaces,
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

function uniqueDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [
    ...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values(),
  ];
}

/** A retriever that is asked several times about one row, and chooses once. */
export function rememberLast(retriever: Retriever): Retriever {
  let last: { readonly query: Query; readonly ids: readonly number[] } | undefined;
  const retrieve = (query: Query) => {
    if (last?.query.row !== query.row || last.query.position !== query.position) {
      last = { query, ids: retriever(query) };
    }
    return last.ids;
  };
  return Object.assign(retrieve, { prepare: retriever.prepare, seed: retriever.seed });
}
