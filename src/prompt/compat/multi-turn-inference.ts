import { CompatError } from './error.ts';
import { failAsAisbench } from './flavour.ts';
import { splitDialogue } from './multi-turn-template.ts';
import { parsePrompt, type TemplateParser } from './parser.ts';
import { addPromptListTo } from './prompt-list.ts';
import { pyEquals, pySubscript } from './python/operators.ts';
import { isTruthy, PromptList, PyDict, type PyValue } from './python/values.ts';

export interface TurnRequest {
  readonly input: PyValue;
  readonly maxOutLen: PyValue;
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
export async function runMultiTurn(options: MultiTurnOptions): Promise<void> {
  const { inferMode } = options;
  if (inferMode === 'last') return runLastTurn(options);
  if (inferMode === 'every' || inferMode === 'every_with_gt') return runEveryTurn(options);
  throw failAsAisbench({
    what: `there is no infer_mode "${inferMode}"`,
    hint: 'use every, every_with_gt or last',
    aisbench: [
      'ParameterValueError',
      'ICLI-PARAM-002',
      'Multiturn dialogue infer model only supports every、last or every_with_gt, ' +
        `but got ${inferMode}`,
    ],
  });
}

async function runEveryTurn(options: MultiTurnOptions): Promise<void> {
  const { left, turns, right } = splitDialogue(options.prompt);
  const chat = [...turns];
  const maxOutLen = limitOfTurn(options, 0);
  for (const index of answerIndexes(chat)) {
    const prompt = new PromptList([...left, ...chat.slice(0, index), ...right]);
    const input = parsePrompt(options.parser, { prompt, mode: 'gen' });
    const answer = await options.model({ input, maxOutLen });
    if (answer === undefined) return;
    const turn = chat[index];
    if (options.inferMode === 'every' && turn instanceof PyDict) {
      chat[index] = turn.with('prompt', answer);
    }
  }
}

/** Adds a list and a `PromptList` here, which it can do only if the list is empty. */
async function runLastTurn(options: MultiTurnOptions): Promise<void> {
  const { left, turns, right } = splitDialogue(options.prompt);
  const last = answerIndexes(turns).at(-1);
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
  await options.model({ input, maxOutLen: limitOfTurn(options, -1) });
}

/** A list of limits is looked into once, so that the limit of the first turn holds for all. */
function limitOfTurn({ maxOutLen, rowMaxOutLen }: MultiTurnOptions, turn: 0 | -1): PyValue {
  const limit = rowMaxOutLen !== undefined && isTruthy(rowMaxOutLen) ? rowMaxOutLen : maxOutLen;
  return Array.isArray(limit) ? (limit.at(turn) ?? null) : limit;
}

function answerIndexes(items: readonly PyValue[]): number[] {
  return items.flatMap((item, index) =>
    pyEquals(pySubscript(item, 'role'), 'BOT') ? [index] : [],
  );
}
