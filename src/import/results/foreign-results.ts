/** What another harness recorded of one model on one dataset. */
export interface ForeignEvaluation {
  readonly model: string;
  readonly dataset: string;
  readonly rows: readonly ForeignRow[];
  /** Prompts are what a user says, and not plain text. */
  readonly isSpoken?: boolean | undefined;
  /** The number that stands in its results, in its own scale. */
  readonly recorded?: RecordedNumber | undefined;
  /** Further numbers, by the names that the scoring of the task has for them; the likelier name comes first. */
  readonly others?: readonly OtherNumber[] | undefined;
  /** The number is that of the rows which have a score. */
  readonly isOfScored?: boolean | undefined;
  /** Why none of its rows has a score, in words that follow its name. */
  readonly unscored?: string | undefined;
  /** Tasks of the same results that have numbers and no rows. */
  readonly withoutRows?: readonly string[] | undefined;
  /** How many examples prompts have, where the results say so. */
  readonly shots?: number | undefined;
  /** Of lm-evaluation-harness: the task, by which answers are scored again. */
  readonly task?: Readonly<Record<string, unknown>> | undefined;
  /** Of lm-evaluation-harness: choices are what stands before one continuation. */
  readonly hasSeveralInputs?: boolean | undefined;
}

export interface RecordedNumber {
  readonly metric: string;
  readonly value: number;
  /** What the value would be if every row were right. */
  readonly scale: 1 | 100;
}

export interface OtherNumber extends RecordedNumber {
  readonly names: readonly string[];
  /** What it comes to by what the results say of single rows, in its own scale. */
  readonly here?: number | undefined;
}

export interface ForeignRow {
  readonly id: number;
  /** What was asked, as far as the results say. */
  readonly prompt: string;
  readonly answer: string;
  /** All answers to a row that was asked several times. */
  readonly samples?: readonly string[] | undefined;
  /** The score of each of them, where they are scored one by one. */
  readonly sampleScores?: readonly (number | undefined)[] | undefined;
  /** What the harness read out of the answer, where it says so. */
  readonly extracted?: unknown;
  readonly gold: unknown;
  /** From 0 to 1; left out where the results have none for single rows. */
  readonly score?: number | undefined;
  /** The columns of the data, where the results have them. */
  readonly columns?: Readonly<Record<string, unknown>> | undefined;
  /** Texts whose likelihood was measured, instead of an answer. */
  readonly measured?: readonly MeasuredText[] | undefined;
}

export interface MeasuredText {
  readonly label?: string | undefined;
  readonly text: string;
  /** Where the part begins that was measured, where the results say so. */
  readonly from?: number | undefined;
  /** How many characters at the beginning were not counted, as there is nothing to foretell them by. */
  readonly skipped?: number | undefined;
  /** The loglikelihood, or the negative of a mean loss. */
  readonly value: number;
  readonly greedy?: boolean | undefined;
}

/** A mapping of parsed JSON. */
export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The mappings of a list. */
export function objectsIn(value: unknown): readonly Json[] {
  return asList(value).filter((item): item is Json => asObject(item) !== undefined);
}

const roles = new Map([
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
]);

/** What a message says: of its parts the texts, and of others what they are. */
function saidText(said: unknown): string {
  if (typeof said === 'string') return said;
  const parts = objectsIn(said);
  if (!Array.isArray(said) || parts.length < said.length) return JSON.stringify(said);
  return parts
    .map(({ type, text, ...rest }) =>
      typeof text === 'string' ? text : `[${String(type ?? Object.keys(rest)[0] ?? '')}]`,
    )
    .join('');
}

/** A text as it is, or messages with a line for each; a single one is what it says. */
export function promptText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value))
    return value === undefined || value === null ? '' : JSON.stringify(value);
  const isOne = value.length === 1;
  return value
    .map((item) => {
      const { role, prompt, content } = asObject(item) ?? {};
      const said = prompt ?? content ?? item;
      const text = saidText(said);
      return role === undefined || isOne
        ? text
        : `${roles.get(String(role)) ?? String(role)}: ${text}`;
    })
    .join('\n');
}
