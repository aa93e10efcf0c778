import { CompatError } from '../../python/compat-error.ts';
import { pyEquals, pySubscript } from '../../python/operators.ts';
import { isTruthy, PromptList, PyDict, type PyValue } from '../../python/values.ts';
import { failAsAisbench } from '../compat.ts';
import { splitDialogue } from './multi-turn-template.ts';
import { parsePrompt, type TemplateParser } from './parser.ts';
import { addPromptListTo } from './prompt-list.ts';

export interface TurnRequest {
  readonly input: PyValue;
  readonly maxOutLen: PyValue;
  /** Number of the turn, from 0. */
  readonly turn: number;
}

/** The model's answer; nothing when the request failed, which ends the dialogue. */
export type TurnModel = (request: TurnRequest) => string | undefined | Promise<string | undefined>;

export interface MultiTurnOptions {
  readonly prompt: PyValue;
  /** `every`, `every_with_gt` or `last`. */
  readonly inferMode: string;
  readonly parser: TemplateParser;
  /** The model's limit. */
  readonly maxOutLen: PyValue;
  /** The row's own limit, or one for each turn. */
  readonly rowMaxOutLen?: PyValue | undefined;
  readonly model: TurnModel;
  /** Lets `last` do what it was meant to do, where the original always stops with an error. */
  readonly repairLast?: boolean;
}

/** AISBench `MultiTurnGenInferencer` on one row. */
export async function runMultiTurn({ model, ...options }: MultiTurnOptions): Promise<void> {
  const requests = turnRequests(options);
  let step = requests.next();
  while (!step.done) {
    const answer = await model(step.value);
    if (answer === undefined) return;
    step = requests.next(answer);
  }
}

/** The requests of a row, one after the other; each waits for the answer to the one before. */
export function* turnRequests(
  options: Omit<MultiTurnOptions, 'model'>,
): Generator<TurnRequest, void, string> {
  const { inferMode } = options;
  if (inferMode === 'last') yield lastTurn(options);
  else if (inferMode === 'every' || inferMode === 'every_with_gt') yield* everyTurn(options);
  else {
    throw failAsAisbench({
      what: `unknown infer_mode "${inferMode}"`,
      hint: 'use every, every_with_gt or last',
      aisbench: [
        'ParameterValueError',
        'ICLI-PARAM-002',
        'Multiturn dialogue infer model only supports every、last or every_with_gt, ' +
          `but got ${inferMode}`,
      ],
    });
  }
}

function* everyTurn(
  options: Omit<MultiTurnOptions, 'model'>,
): Generator<TurnRequest, void, string> {
  const { left, turns, right } = splitDialogue(options.prompt);
  const chat = [...turns];
  const maxOutLen = limitOfTurn(options, 0);
  for (const [number, index] of answerIndexes(chat).entries()) {
    const prompt = new PromptList([...left, ...chat.slice(0, index), ...right]);
    const input = parsePrompt(options.parser, { prompt, mode: 'gen' });
    const answer = yield { input, maxOutLen, turn: number };
    const turn = chat[index];
    if (options.inferMode === 'every' && turn instanceof PyDict) {
      chat[index] = turn.with('prompt', answer);
    }
  }
}

/** Adds a list and a `PromptList` here, which it can do only if the list is empty. */
function lastTurn(options: Omit<MultiTurnOptions, 'model'>): TurnRequest {
  const { left, turns, right } = splitDialogue(options.prompt);
  const answers = answerIndexes(turns);
  const last = answers.at(-1);
  if (last === undefined) {
    throw new CompatError({
      type: 'IndexError',
      message: 'list index out of range',
      what: 'the dialogue has no BOT item to answer',
      hint: 'add a BOT item to the round',
    });
  }
  const before = options.repairLast === true ? new PromptList(left) : left;
  const history = addPromptListTo(before, new PromptList(turns.slice(0, last)));
  const prompt = new PromptList([...history.items, ...right]);
  const input = parsePrompt(options.parser, { prompt, mode: 'gen' });
  return { input, maxOutLen: limitOfTurn(options, -1), turn: answers.length - 1 };
}

/** A list of limits is looked into once, so that the limit of the first turn holds for all. */
function limitOfTurn(
  { maxOutLen, rowMaxOutLen }: Omit<MultiTurnOptions, 'model'>,
  turn: 0 | -1,
): PyValue {
  const limit = rowMaxOutLen !== undefined && isTruthy(rowMaxOutLen) ? rowMaxOutLen : maxOutLen;
  return Array.isArray(limit) ? (limit.at(turn) ?? null) : limit;
}

function answerIndexes(items: readonly PyValue[]): number[] {
  return items.flatMap((item, index) =>
    pyEquals(pySubscript(item, 'role'), 'BOT') ? [index] : [],
  );
}
