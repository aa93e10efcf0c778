import { turnRequests } from '../../compat/prompt/aisbench-turns.ts';
import { buildPromptList, toTracedPrompt } from '../../compat/prompt/build.ts';
import { buildChat } from '../../compat/prompt/chat.ts';
import { chatRequests } from '../../compat/prompt/chat-inference.ts';
import { createChatParser } from '../../compat/prompt/chat-parser.ts';
import { contentText } from '../../prompt/parts/content.ts';
import { type Prompt, type TracedPrompt, untrace } from '../../prompt/prompt.ts';
import { elementAt } from '../../prompt/turns.ts';
import { formatValue } from '../../prompt/values.ts';
import { toPython } from '../../python/convert.ts';
import { PyDict, type PyValue } from '../../python/values.ts';
import type { Query } from '../../retrieve/retriever.ts';
import { metaTemplateOf, prepareSetup } from '../compat-prompts.ts';
import { isTooLong } from '../fit-context.ts';
import type { PartRequest } from '../inference.ts';
import type { PromptSetup } from '../prompt-setup.ts';
import { combineTurns } from './combine-turns.ts';
import { type DialogueTurns, spokenAnswer } from './multi-turn-inference.ts';
import { dialogueSoFar, rowOfTurn } from './turns-of-row.ts';

interface CompatTurn {
  readonly turn: number;
  readonly prompt: TracedPrompt;
}

/** The turns of a row; each waits for the answer to the one before. */
type TurnsOf = (query: Query) => Generator<CompatTurn, void, string>;

/** Asks a row turn by turn as AISBench's or OpenCompass' inferencers for dialogues do. */
export function compatDialogue(task: PromptSetup): DialogueTurns {
  const { inferencer, outputColumn } = task;
  const { inferMode = 'every' } = inferencer;
  const turnsOf = inferencer.type === 'ChatInferencer' ? chatTurns(task) : aisbenchTurns(task);
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
    for (const answer of answers) step = step.done ? step : steps.next(spokenAnswer(answer));
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
    return {
      kind: 'turn',
      name: turn + 1,
      followsAnswers: inferMode === 'every' && turn > 0,
      shots: [],
      request: {
        type: 'generate',
        prompt,
        // As there: the limit of the first turn holds for all.
        maxOutLen: inferencer.maxOutLens?.[0],
      },
      dropped: 0,
      tooLong: isTooLong(prompt, { row: query.row, context: task.context }),
      row: rowOfTurn(query.row, turn, turns),
      gold: elementAt(gold, turn),
      dialogue: {
        ...dialogueSoFar(query.row, {
          turn,
          turns,
          outputColumn,
          answerOf: (index) =>
            inferMode === 'every'
              ? spokenAnswer(answers[index] ?? '')
              : (saidBy('assistant', prompt, turn)[index] ??
                formatValue(elementAt(gold, index) ?? '')),
          questionOf: (index) => saidBy('user', prompt, turn + 1)[index],
        }),
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
      combine: (parts) => combineTurns(parts),
    },
  };
}

/** What one side said in so many turns, if each is a message of its own. */
function saidBy(side: 'user' | 'assistant', prompt: Prompt, turns: number): readonly string[] {
  const messages = prompt.type === 'messages' ? prompt.messages : [];
  const said = messages.filter(({ role }) => role === side);
  return said.length === turns ? said.map(({ content }) => contentText(content)) : [];
}

function aisbenchTurns(task: PromptSetup): TurnsOf {
  const setup = prepareSetup(task);
  const { inferMode = 'every' } = task.inferencer;
  return function* (query) {
    const prompt = buildPromptList(setup, { row: query, ice: '', mode: 'gen' });
    const { parser } = setup;
    const requests = turnRequests({ prompt, inferMode, parser, maxOutLen: null });
    yield* tracedTurns(requests, parser);
  };
}

function chatTurns(task: PromptSetup): TurnsOf {
  const { reader, promptTemplate } = prepareSetup(task);
  const { inferMode = 'every' } = task.inferencer;
  const kind = task.model.takes === 'text' ? 'lm' : 'api';
  const path = [...(task.model.source ?? []), 'meta_template'];
  const parser = createChatParser(metaTemplateOf(task), { kind, path });
  return function* ({ id, row }) {
    const entry = toPython(row);
    if (!(entry instanceof PyDict)) throw new TypeError('a row is a mapping');
    const chat = buildChat({ entry, row: id, reader, template: promptTemplate });
    yield* tracedTurns(chatRequests({ chat, inferMode, parser }), { parser: kind, path });
  };
}

function* tracedTurns(
  requests: Generator<{ readonly input: PyValue; readonly turn: number }, void, string>,
  parser: Parameters<typeof toTracedPrompt>[0],
): Generator<CompatTurn, void, string> {
  let step = requests.next();
  while (!step.done) {
    const { input, turn } = step.value;
    const answer = yield { turn, prompt: toTracedPrompt(parser, input) };
    step = requests.next(answer);
  }
}
