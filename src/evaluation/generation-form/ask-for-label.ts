import { entriesOf, getKey, isMapping, type Mapping } from '../../prompt/mapping.ts';
import { formatValue } from '../../prompt/values.ts';

export interface AskedLabels {
  readonly labels: readonly unknown[];
  /** The placeholder that the answer is hidden at. */
  readonly answer: string;
  /** Whether the labels are listed; examples show theirs without. */
  readonly lists: boolean;
}

/**
 * A template that asks for one of the labels, made of one that shows each of them: its text up to
 * where labels differ, the labels to choose from, and the answer. Nothing where that cannot be told.
 */
export function askForLabel(template: unknown, asked: AskedLabels): unknown {
  if (typeof template === 'string') return askInText(splitAt(template, asked.answer), asked);
  if (!isMapping(template)) return undefined;
  if (isDialogue(template)) return askInDialogue([template], asked);
  const shown = entriesOf(template).map(([, text]) => text);
  if (shown.every((text) => typeof text === 'string')) return askInText(differing(shown), asked);
  if (!shown.every((text) => isMapping(text) && isDialogue(text))) return undefined;
  return askInDialogue(shown as Mapping[], asked);
}

/** The same for messages in wire roles. */
export function askInMessages(messages: unknown, asked: AskedLabels): unknown {
  if (!Array.isArray(messages)) return undefined;
  return withChoices(messages, { key: 'content', parts: undefined, asked });
}

/** What stands before and after the place where labels are shown, and what is shown there. */
interface ShownLabels {
  readonly before: string;
  readonly after: string;
  /** Left out where the labels themselves are. */
  readonly said?: readonly string[];
}

function isDialogue(template: Mapping): boolean {
  return ['begin', 'round', 'end'].some((key) => getKey(template, key) !== undefined);
}

function splitAt(text: string, answer: string): ShownLabels {
  const [before = '', ...after] = text.split(answer);
  return { before, after: after.join(answer) };
}

/** Texts are cut where words are: a label is not asked for by a part of it. */
function differing(texts: readonly string[]): ShownLabels {
  const [first = '', ...others] = texts;
  let start = 0;
  while (start < first.length && others.every((text) => text[start] === first[start])) start++;
  while (start > 0 && !/\s/.test(first.charAt(start - 1))) start--;
  const rests = texts.map((text) => text.slice(start));
  const [rest = ''] = rests;
  let length = 0;
  while (
    rests.every((text) => length < text.length && text.at(-1 - length) === rest.at(-1 - length))
  )
    length++;
  const ending = /\s[\s\S]*$/.exec(rest.slice(rest.length - length))?.[0] ?? '';
  const said = rests.map((text) => text.slice(0, text.length - ending.length).trim());
  return { before: first.slice(0, start), after: ending, said };
}

function askInText(parts: ShownLabels, asked: AskedLabels): string {
  const { before, after } = parts;
  const choices = asked.lists ? [listChoices(parts, asked)] : [];
  if (after.trim() === '' && !isWorded(parts, asked)) {
    const lines = before.split('\n');
    return [...lines.slice(0, -1), ...choices, `${lines.at(-1)}${asked.answer}`].join('\n');
  }
  const gap = `${before}___${after}`.trimEnd();
  return [gap, ...choices, `Label: ${asked.answer}`].join('\n');
}

/** Whether labels are shown in other words than their own. */
function isWorded({ said }: ShownLabels, { labels }: AskedLabels): boolean {
  return said?.some((text, index) => text !== formatValue(labels[index])) ?? false;
}

function listChoices(parts: ShownLabels, asked: AskedLabels): string {
  const names = asked.labels.map(formatValue);
  if (!isWorded(parts, asked)) return `Answer with one of: ${names.join(', ')}.`;
  const listed = names.map((name, index) => `${name}: ${parts.said?.[index] ?? ''}`);
  return ['Answer with the label of what fits:', ...listed].join('\n');
}

/** Dialogues that differ in what one of their turns says. */
function askInDialogue(dialogues: readonly Mapping[], asked: AskedLabels): unknown {
  const [first] = dialogues;
  const rounds = dialogues.map((dialogue) => getKey(dialogue, 'round'));
  const [round] = rounds;
  if (!first || !Array.isArray(round)) return undefined;
  const isSame = (key: string) =>
    new Set(dialogues.map((dialogue) => JSON.stringify(getKey(dialogue, key) ?? null))).size === 1;
  if (!isSame('begin') || !isSame('end')) return undefined;
  const parts = dialogues.length === 1 ? undefined : differingTurn(rounds);
  if (dialogues.length > 1 && !parts) return undefined;
  const turns = withChoices(round, { key: 'prompt', parts, asked });
  return turns && { ...Object.fromEntries(entriesOf(first)), round: turns };
}

/** The last turn is the one that labels differ in. */
function differingTurn(rounds: readonly unknown[]): ShownLabels | undefined {
  const lasts = rounds.map((round) => (Array.isArray(round) ? round.at(-1) : undefined));
  const others = rounds.map((round) => (Array.isArray(round) ? round.slice(0, -1) : round));
  const prompts = lasts.map((turn) => (isMapping(turn) ? getKey(turn, 'prompt') : undefined));
  const roles = lasts.map((turn) => (isMapping(turn) ? getKey(turn, 'role') : undefined));
  const areLike = new Set(others.map((turns) => JSON.stringify(turns))).size === 1;
  if (!areLike || new Set(roles).size > 1) return undefined;
  return prompts.every((prompt) => typeof prompt === 'string') ? differing(prompts) : undefined;
}

interface Turns {
  /** What turns have their text in. */
  readonly key: 'prompt' | 'content';
  /** What labels differ in, in the last turn; left out where there is one dialogue for all. */
  readonly parts: ShownLabels | undefined;
  readonly asked: AskedLabels;
}

/** Turns that list the labels before the one that is left to the model. */
function withChoices(
  turns: readonly unknown[],
  { key, parts, asked }: Turns,
): readonly unknown[] | undefined {
  const last = turns.at(-1);
  const text = isMapping(last) ? getKey(last, key) : undefined;
  if (!isMapping(last) || (text !== undefined && typeof text !== 'string')) return undefined;
  const isAnswer = /^(?:BOT|assistant)$/.test(String(getKey(last, 'role')));
  const shown = parts ?? splitAt(text ?? '', asked.answer);
  const saying = (turn: Mapping, said: string) => ({
    ...Object.fromEntries(entriesOf(turn)),
    [key]: said,
  });
  if (!isAnswer) {
    const said = asked.lists ? `\n${listChoices(shown, asked)}` : '';
    const own = parts ? `${shown.before}___${shown.after}` : (text ?? '');
    const answer = { role: key === 'prompt' ? 'BOT' : 'assistant', [key]: asked.answer };
    return [...turns.slice(0, -1), saying(last, own + said), answer];
  }
  const before = turns.at(-2);
  const question = isMapping(before) ? getKey(before, key) : undefined;
  if (!isMapping(before) || typeof question !== 'string' || shown.after.trim() !== '')
    return undefined;
  const lead = isWorded(shown, asked) ? '' : shown.before;
  const choices = asked.lists ? `\n${listChoices(shown, asked)}` : '';
  return [
    ...turns.slice(0, -2),
    saying(before, question + choices),
    saying(last, `${lead}${asked.answer}`),
  ];
}
