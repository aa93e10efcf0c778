import { turnRequests } from '../../compat/prompt/aisbench-turns.ts';
import { buildIce, buildPromptList, toTracedPrompt } from '../../compat/prompt/build.ts';
import { buildChat } from '../../compat/prompt/chat.ts';
import { chatRequests } from '../../compat/prompt/chat-inference.ts';
import { createChatParser } from '../../compat/prompt/chat-parser.ts';
import type { ModelFormat } from '../../prompt/format.ts';
import { type TracedPrompt, untrace } from '../../prompt/prompt.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import { elementAt } from '../../prompt/turns.ts';
import { formatValue } from '../../prompt/values.ts';
import { toPython } from '../../python/convert.ts';
import { PyDict, type PyValue } from '../../python/values.ts';
import type { Query } from '../../retrieve/retriever.ts';
import { applyChatTemplate, metaTemplateOf, prepareSetup } from '../compat-prompts.ts';
import type { PartRequest } from '../inference.ts';
import type { PromptSetup } from '../prompt-setup.ts';
import { inferModeOf, turnCombiner } from './combine-turns.ts';
import { type DialogueTurns, spokenAnswer } from './multi-turn-inference.ts';
import { turnRequest } from './turn-request.ts';
import { answersIn, dialogueSoFar, messagesOf, questionsIn, rowOfTurn } from './turns-of-row.ts';

interface CompatTurn {
  readonly turn: number;
  readonly prompt: TracedPrompt;
}

/** The turns of a row; each waits for the answer to the one before. */
type TurnsOf = (query: Query) => Generator<CompatTurn, void, string>;

interface DialogueRows {
  readonly askedOf: (query: Query) => NamedRow;
  readonly shotsOf: (query: Query) => readonly NamedRow[];
}

/** Asks a row turn by turn as AISBench's or OpenCompass' inferencers for dialogues do. */
export function compatDialogue(task: PromptSetup, rows: DialogueRows): DialogueTurns {
  const { inferencer, outputColumn } = task;
  const inferMode = inferModeOf(task.inferencer);
  // As there: the limit of the first turn holds for all.
  const maxOutLens = inferencer.maxOutLens?.slice(0, 1);
  const ofFirst = { ...task, inferencer: { ...inferencer, maxOutLens } };
  const turnsOf =
    inferencer.type === 'ChatInferencer' ? chatTurns(task, rows) : aisbenchTurns(task, rows);
  const allTurns = (query: Query): CompatTurn[] => {
    const turns: CompatTurn[] = [];
    const steps = turnsOf(query);
    for (let step = steps.next(); !step.done; ) {
      turns.push(step.value);
      step = steps.next(`⟨answer ${step.value.turn + 1}⟩`);
    }
    return turns;
  };
  const nextTurns = (query: Query, answers: readonly string[]): CompatTurn[] => {
    const steps = turnsOf(query);
    let step = steps.next();
    for (const answer of answers)
      step = step.done ? step : steps.next(spokenAnswer(answer, task.model));
    return step.done ? [] : [step.value];
  };
  const partOf = (
    query: Query,
    { turn, prompt: traced }: CompatTurn,
    answers: readonly string[],
  ): PartRequest => {
    const prompt = untrace(traced);
    const gold = outputColumn === undefined ? undefined : query.row[outputColumn];
    const turns = Array.isArray(gold) ? gold.length : 0;
    const messages = messagesOf(prompt);
    const questions = questionsIn(messages, turn + 1);
    const isChat = inferencer.type === 'ChatInferencer' && turns === 0 && questions.length > 0;
    return {
      ...turnRequest(ofFirst, {
        turn,
        prompt,
        row: query.row,
        followsModel: inferMode === 'every',
      }),
      row: rowOfTurn(query.row, turn, turns),
      gold: elementAt(gold, turn),
      dialogue: {
        ...dialogueSoFar(query.row, {
          turn,
          turns,
          outputColumn,
          answerOf: (index) =>
            inferMode === 'every'
              ? spokenAnswer(answers[index] ?? '', task.model)
              : (answersIn(messages, turn)[index] ?? formatValue(elementAt(gold, index) ?? '')),
          questionOf: (index) => questions[index],
        }),
        ...(isChat && { messages }),
        isLast: allTurns(query).at(-1)?.turn === turn,
      },
    };
  };
  return {
    showsMedia: false,
    promptsOf: (query) => allTurns(query).map(({ prompt }) => untrace(prompt)),
    inference: {
      type: 'composite',
      identityOf: (query) =>
        JSON.stringify([inferencer, allTurns(query).map(({ prompt }) => untrace(prompt))]),
      next: (query, answers) =>
        nextTurns(query, answers).map((turn) => partOf(query, turn, answers)),
      traceNext: (query, answers) =>
        nextTurns(query, answers).map((turn) => ({
          ...partOf(query, turn, answers),
          examples: [],
          texts: [{ list: { type: 'text', spans: [] }, prompt: turn.prompt }],
        })),
      combine: turnCombiner(task.inferencer),
    },
  };
}

function aisbenchTurns(task: PromptSetup, { askedOf, shotsOf }: DialogueRows): TurnsOf {
  const setup = prepareSetup(task);
  const inferMode = inferModeOf(task.inferencer);
  return function* (query) {
    // As there: examples are made, and refused where they cannot be, before the turns are.
    const ice = buildIce(setup, shotsOf(query));
    const prompt = buildPromptList(setup, { row: askedOf(query), ice, mode: 'gen' });
    const { parser } = setup;
    const requests = turnRequests({ prompt, inferMode, parser, maxOutLen: null });
    yield* tracedTurns(requests, { ...parser, format: task.model.format });
  };
}

function chatTurns(task: PromptSetup, { askedOf }: DialogueRows): TurnsOf {
  const { reader, promptTemplate } = prepareSetup(task);
  const inferMode = inferModeOf(task.inferencer);
  const { takes, format } = task.model;
  const kind = takes === 'text' && format.type !== 'chat-template' ? 'lm' : 'api';
  const path = [...(task.model.source ?? []), 'meta_template'];
  const parser = createChatParser(metaTemplateOf(task), { kind, path });
  return function* (query) {
    const { id, row } = askedOf(query);
    const entry = toPython(row);
    if (!(entry instanceof PyDict)) throw new TypeError('a row is a mapping');
    const chat = buildChat({ entry, row: id, reader, template: promptTemplate });
    yield* tracedTurns(chatRequests({ chat, inferMode, parser }), { parser: kind, path, format });
  };
}

function* tracedTurns(
  requests: Generator<{ readonly input: PyValue; readonly turn: number }, void, string>,
  { format, ...parser }: Parameters<typeof toTracedPrompt>[0] & { readonly format: ModelFormat },
): Generator<CompatTurn, void, string> {
  let step = requests.next();
  while (!step.done) {
    const { input, turn } = step.value;
    const prompt = applyChatTemplate(toTracedPrompt(parser, input), format, 'gen');
    const answer = yield { turn, prompt };
    step = requests.next(answer);
  }
}
