import { CompatError } from '../../python/compat-error.ts';
import { pyEquals, pyIterate, pySubscript } from '../../python/operators.ts';
import { isTruthy, PyDict, type PyValue } from '../../python/values.ts';
import type { Chat } from './chat.ts';
import { type ChatParser, parseChat } from './chat-parser.ts';

/** Sends a history to the model; `input` is the history in the model's format. */
export type ChatModel = (request: {
  readonly history: readonly PyValue[];
  readonly input: PyValue;
}) => string | Promise<string>;

export interface ChatRunOptions {
  readonly chat: Chat;
  /** `last`, `every` or `every_with_gt`. */
  readonly inferMode: string;
  readonly parser: ChatParser;
  readonly model: ChatModel;
  /** Number of the row; results are filed under it. */
  readonly index: number;
}

/** OpenCompass `ChatInferencer` on one chat: index of a row to its record. */
export async function runChat(options: ChatRunOptions): Promise<PyDict> {
  switch (options.inferMode) {
    case 'last':
      return runLast(options);
    case 'every':
      return runEvery(options);
    case 'every_with_gt':
      return runEveryWithTruth(options);
    default:
      throw new CompatError({
        type: 'AssertionError',
        message: '',
        what: `unknown infer_mode "${options.inferMode}"`,
        hint: 'use last, every or every_with_gt',
      });
  }
}

/** The requests of a chat, one after the other; each waits for the answer to the one before. */
export function* chatRequests({
  chat,
  inferMode,
  parser,
}: Pick<ChatRunOptions, 'chat' | 'inferMode' | 'parser'>): Generator<ChatTurn, void, string> {
  const messages = [...pyIterate(chat.messages)];
  const answers = answerIndexes(messages);
  for (const [turn, index] of answers.entries()) {
    if (inferMode === 'last' && turn < answers.length - 1) continue;
    const answer = yield { input: parseChat(parser, messages.slice(0, index)), turn };
    const spoken = messages[index];
    if (inferMode === 'every' && spoken instanceof PyDict) {
      messages[index] = spoken.with('content', answer);
    }
  }
}

interface ChatTurn {
  readonly input: PyValue;
  /** Number of the turn, from 0. */
  readonly turn: number;
}

async function runLast(options: ChatRunOptions): Promise<PyDict> {
  const messages = pyIterate(options.chat.messages);
  const answer = answerIndexes(messages).at(-1);
  if (answer === undefined) throw indexError('the chat has no assistant message to answer');
  const history = messages.slice(0, answer);
  const prediction = await ask(options, history);
  const gold = pySubscript(messages[answer] ?? null, 'content');
  const record = new PyDict([
    ...(isTruthy(gold) ? [['gold', gold] as const] : []),
    ['prediction', prediction],
    ['origin_prompt', history],
  ]);
  return new PyDict([[String(options.index), record]]);
}

async function runEvery(options: ChatRunOptions): Promise<PyDict> {
  const { chat, index } = options;
  const messages = [...pyIterate(chat.messages)];
  let results = new PyDict([]);
  for (const answer of answerIndexes(messages)) {
    const history = messages.slice(0, answer);
    const prediction = await ask(options, history);
    const spoken = messages[answer];
    if (spoken instanceof PyDict) messages[answer] = spoken.with('content', prediction);
    if (chat.isDialogue) continue;
    // the answer has taken the place of the truth by the time the original looks for it
    results = addTurn(results, { index, history, prediction, gold: prediction });
  }
  return chat.isDialogue ? dialogueResult(messages, index) : results;
}

async function runEveryWithTruth(options: ChatRunOptions): Promise<PyDict> {
  const messages = pyIterate(options.chat.messages);
  let { index } = options;
  let results = new PyDict([]);
  for (const answer of answerIndexes(messages)) {
    const history = messages.slice(0, answer);
    const prediction = await ask(options, history);
    const gold = pySubscript(messages[answer] ?? null, 'content');
    results = addTurn(results, { index, history, prediction, gold });
    index += 1;
  }
  return results;
}

async function ask(options: ChatRunOptions, history: readonly PyValue[]): Promise<string> {
  return options.model({ history, input: parseChat(options.parser, history) });
}

interface Turn {
  readonly index: number;
  readonly history: readonly PyValue[];
  readonly prediction: PyValue;
  readonly gold: PyValue;
}

function addTurn(results: PyDict, turn: Turn): PyDict {
  const last = turn.history.at(-1);
  if (last === undefined) throw indexError('the chat starts with an assistant message');
  const additions: Readonly<Record<string, PyValue>> = {
    gold: turn.gold,
    prediction: turn.prediction,
    origin_prompt: pySubscript(last, 'content'),
  };
  const known = results.get(String(turn.index));
  const record = Object.entries(additions).map(([key, value]): [PyValue, PyValue] => {
    const earlier = known instanceof PyDict ? known.get(key) : undefined;
    return [key, [...(Array.isArray(earlier) ? earlier : []), value]];
  });
  return results.with(String(turn.index), new PyDict(record));
}

function dialogueResult(messages: readonly PyValue[], index: number): PyDict {
  if (messages.length % 2 !== 0) {
    throw new CompatError({
      type: 'AssertionError',
      message: '',
      what: `a dialogue must have a question for each answer, but has ${messages.length} messages`,
      hint: 'leave out system messages and unanswered questions',
    });
  }
  const rounds = Array.from({ length: messages.length / 2 }, (_, round) => {
    const [user, assistant] = messages.slice(round * 2);
    return new PyDict([
      ['round', round + 1],
      ['user', pySubscript(user ?? null, 'content')],
      ['assistant', pySubscript(assistant ?? null, 'content')],
    ]);
  });
  const record = new PyDict([
    ['prediction', rounds],
    ['origin_prompt', null],
  ]);
  return new PyDict([[String(index), record]]);
}

function answerIndexes(messages: readonly PyValue[]): number[] {
  return messages.flatMap((message, index) =>
    pyEquals(pySubscript(message, 'role'), 'assistant') ? [index] : [],
  );
}

function indexError(what: string): CompatError {
  return new CompatError({
    type: 'IndexError',
    message: 'list index out of range',
    what,
    hint: 'start with a user message, and put an assistant message where the model should answer',
  });
}
