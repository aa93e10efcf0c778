import { ConfigError, DataError, formatPath } from '../../errors.ts';
import type { Diagnostic } from '../../prompt/diagnostics.ts';
import { programFor } from '../../prompt/plan.ts';
import { showsMedia } from '../../prompt/program.ts';
import { type Prompt, untrace } from '../../prompt/prompt.ts';
import { tracePromptList } from '../../prompt/prompt-list.ts';
import { fillPrompt, tracePrompt } from '../../prompt/render.ts';
import {
  afterSpaces,
  compileTurns,
  elementAt,
  rowOfTurns,
  type TurnsProgram,
  turnField,
} from '../../prompt/turns.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { givesShots, type Query } from '../../retrieve/retriever.ts';
import { splitAnswer } from '../../score/split-thought.ts';
import { answerPlaceRemarks } from '../answer-place.ts';
import { goldOf } from '../evaluation.ts';
import {
  abilityFor,
  type CompositeInference,
  type PartRequest,
  type Traced,
} from '../inference.ts';
import type { EvaluationPrompts, ModelSide, PromptData, PromptSetup } from '../prompt-setup.ts';
import { inferModeOf, turnCombiner } from './combine-turns.ts';
import { turnColumns } from './turn-columns.ts';
import { turnRequest } from './turn-request.ts';
import { countTurns, dialogueSoFar, messagesOf, questionsIn, rowOfTurn } from './turns-of-row.ts';
import { unsentMessages } from './unsent-messages.ts';

/** A dialogue: what each of its turns is asked. */
export interface DialogueTurns {
  readonly inference: CompositeInference;
  /** The prompts of a row's turns, before any of them is answered. */
  readonly promptsOf: (query: Query) => Prompt[];
  readonly showsMedia: boolean;
  readonly leadOf?: EvaluationPrompts['leadOf'];
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  readonly checkRow?: ((query: Query) => Diagnostic[]) | undefined;
}

/** Asks a row turn by turn. */
export function multiTurnDialogue(task: PromptSetup, data: PromptData): DialogueTurns {
  const { maxOutLens } = task.inferencer;
  const inferMode = inferModeOf(task.inferencer);
  const template = task.promptTemplate ?? task.iceTemplate;
  refuseLabels(task);
  refuseExamples(task);
  const settings = {
    promptTemplate: template?.config,
    ...(template && { paths: { promptTemplate: template.source } }),
    format: task.model.format,
    outputColumn: task.outputColumn,
    maskToken: task.inferencer.genFieldReplaceToken,
    keepTrailingSpaces: task.inferencer.keepTrailingSpaces,
  };
  const program = compileTurns(settings, inferMode === 'every' ? 'model' : 'data');
  requireAnswers(task, program);
  const columns = turnColumns(task, program, data);
  const refuseUnsent = unsentMessages(task.rowType, program);
  // Any other row of a chat has one turn.
  const turnsIn = (query: Query) => {
    const hasLists = program.columns.some((column) => Array.isArray(query.row[column]));
    return isChat && !hasLists ? 1 : countTurns(program, query);
  };
  const isChat = task.inferencer.type === 'ChatInferencer';
  const said = (answer: string) => spokenAnswer(answer, task.model);
  const turnsAsked = (query: Query) => {
    columns.require(query.row);
    refuseUnsent(query.row);
    const turns = turnsIn(query);
    if (inferMode !== 'every') requireEarlierAnswers(query, { turns, inferMode, ...task });
    return inferMode === 'last' ? [turns - 1] : Array.from({ length: turns }, (_, turn) => turn);
  };
  const rowFor = (query: Query, answers: readonly string[]): Row => {
    const row = rowOfTurns(query.row, {
      columns: program.columns,
      media: program.media,
      turns: turnsIn(query),
    });
    if (inferMode !== 'every') return row;
    const said = answers.map((answer, turn) =>
      afterSpaces(answer, programFor(program.programOf(turn), row)),
    );
    return withAnswers(row, task.outputColumn, said);
  };
  const partOf = (query: Query, turn: number, answers: readonly string[]): PartRequest => {
    const turns = turnsIn(query);
    const prompt = fillPrompt(program.programOf(turn, query.row), rowFor(query, answers));
    const row = rowOfTurn(query.row, turn, turns);
    const questions = questionsIn(messagesOf(prompt), turn + 1);
    return {
      ...turnRequest(task, { turn, prompt, row: query.row, followsModel: inferMode === 'every' }),
      row,
      gold: goldOf(task, row),
      dialogue: dialogueSoFar(query.row, {
        turn,
        turns,
        outputColumn: task.outputColumn,
        answerOf: (index) =>
          inferMode === 'every'
            ? (answers[index] ?? '')
            : formatValue(goldOf(task, rowOfTurn(query.row, index, turns)) ?? ''),
        questionOf: (index) => questions[index],
      }),
    };
  };
  const tracePart = (
    query: Query,
    turn: number,
    answers: readonly string[],
  ): Traced<PartRequest> => {
    const part = partOf(query, turn, answers);
    const named = { id: query.id, row: rowFor(query, answers) };
    const prompt = tracePrompt(program.programOf(turn, query.row), named);
    const list = tracePromptList(program.programOf(turn, query.row), named);
    const request = { ...part.request, prompt: untrace(prompt) };
    return { ...part, request, examples: [], texts: [{ list, prompt }] };
  };
  const unanswered = (query: Query) => {
    const answers = turnsAsked(query).map((turn) => `⟨answer ${turn + 1}⟩`);
    return turnsAsked(query).map((turn) => ({ turn, row: rowFor(query, answers) }));
  };
  return {
    showsMedia: showsMedia(program.programOf(0)),
    leadOf: () => program.programOf(0).droppedSpaces,
    diagnostics: [
      ...columns.diagnostics,
      ...program.programOf(0).diagnostics,
      ...answerPlaceRemarks(program.programOf(0), task.inferencer.keepTrailingSpaces ?? false),
    ],
    checkRow: ({ row }) => columns.remarks(row),
    promptsOf: (query) =>
      unanswered(query).map(({ turn, row }) => fillPrompt(program.programOf(turn, query.row), row)),
    inference: {
      type: 'composite',
      identityOf: (query) => {
        const last = unanswered(query).at(-1);
        const prompt = last && fillPrompt(program.programOf(last.turn, query.row), last.row);
        return JSON.stringify({ inferMode, maxOutLens, prompt });
      },
      next: (query, answers) => {
        const turn = turnsAsked(query)[answers.length];
        return turn === undefined ? [] : [partOf(query, turn, answers.map(said))];
      },
      traceNext: (query, answers) => {
        const turn = turnsAsked(query)[answers.length];
        return turn === undefined ? [] : [tracePart(query, turn, answers.map(said))];
      },
      combine: turnCombiner(task.inferencer),
    },
  };
}

/** Fails a row whose data has no answer to a turn that later ones go on from. */
function requireEarlierAnswers(
  { id, row }: Query,
  { turns, inferMode, outputColumn }: Pick<PromptSetup, 'outputColumn'> & AskedTurns,
): void {
  const given = outputColumn === undefined ? undefined : row[outputColumn];
  const turn = Array.from({ length: turns - 1 }, (_, index) => elementAt(given, index)).indexOf('');
  if (turn < 0) return;
  throw new DataError(
    'data.missing_column',
    `row ${id} has no answer to turn ${turn + 1} in \`${outputColumn}\`, and \`infer_mode: ${inferMode}\` shows it in later turns`,
    {
      hint: 'Use `infer_mode: every`, which goes on from the answers of the model, or give the answers to all earlier turns.',
    },
  );
}

interface AskedTurns {
  readonly turns: number;
  readonly inferMode: string;
}

/** What the dialogue goes on from: thoughts are not said, unless the config of the model keeps them. */
export function spokenAnswer(text: string, { thinking }: Pick<ModelSide, 'thinking'>): string {
  return thinking?.keep ? text : splitAnswer(text, '', { thinking }).answer;
}

function withAnswers(row: Row, column: string | undefined, answers: readonly string[]): Row {
  if (column === undefined) return row;
  const said = answers.map((answer, turn) => [turnField(column, turn), answer]);
  return { ...row, ...Object.fromEntries(said) };
}

function refuseLabels({ inferencer, promptTemplate, iceTemplate }: PromptSetup) {
  if (abilityFor(inferencer.type) === 'generate') return;
  const { source = [] } = promptTemplate ?? iceTemplate ?? {};
  throw new ConfigError(
    'template.not_in_turns',
    `${formatPath(source)} is a multi-turn template, but ${inferencer.type} asks for no answers`,
    {
      path: inferencer.source ?? source,
      hint: 'Use MultiTurnGenInferencer, or a PromptTemplate.',
    },
  );
}

/** Examples are no turns of the row's own dialogue; AISBench refuses them too. */
function refuseExamples({ retriever, inferencer, promptTemplate, iceTemplate }: PromptSetup) {
  if (!givesShots(retriever)) return;
  const { source = [] } = promptTemplate ?? iceTemplate ?? {};
  throw new ConfigError(
    'template.turns_have_no_examples',
    `${formatPath(source)}: ${inferencer.type} asks turn by turn and shows no examples from ${retriever.type}`,
    {
      path: retriever.source,
      hint: 'Use ZeroRetriever, and write turns that all rows should see in `begin`, as { role: HUMAN, prompt: … } and { role: BOT, prompt: … }.',
    },
  );
}

function requireAnswers(
  { inferencer, promptTemplate, iceTemplate, outputColumn }: PromptSetup,
  program: TurnsProgram,
) {
  if (program.saysAnswers) return;
  const path = (promptTemplate ?? iceTemplate)?.source ?? [];
  const column = formatValue(outputColumn ?? 'the output column');
  throw new ConfigError(
    'template.turns_need_answers',
    `${formatPath(path)}: the round does not contain \`${column}\`, so later turns would not see the answers`,
    {
      path,
      hint: `Set output_column in reader_cfg, and add to the round a turn such as { role: BOT, prompt: "{${outputColumn ?? 'answer'}}" }; ${inferencer.type} fills it in.`,
    },
  );
}
