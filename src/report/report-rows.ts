import { type RowEnd, type Verdict, verdictOf, verdicts } from '../run/row-sample.ts';
import type { MetricKind } from '../run/summary.ts';
import type { CheckResult } from '../score/scorer.ts';

/** A row as a report shows it. */
export interface ReportRow {
  readonly id: string | number;
  readonly outcome: 'scored' | 'unscored' | 'failed';
  readonly score?: number;
  readonly prompt: string;
  readonly answer: string;
  /** Of a dialogue, or of repeats: what each turn adds to what was asked, and its answer. */
  readonly turns?: readonly { readonly asked: string; readonly answer: string }[] | undefined;
  /** What judges were asked about it, and what they said. */
  readonly judge?: readonly { readonly asked: string; readonly answer: string }[] | undefined;
  readonly reasoning?: string;
  readonly extracted?: string;
  /** What was compared, where that is not the extracted and the gold answer as they stand. */
  readonly compared?: readonly [got: string, want: string];
  readonly gold?: string;
  readonly reason?: string;
  /** Of a row that failed, in one word. */
  readonly kind?: string;
  /** More about the score, such as what a judge said. */
  readonly detail?: string;
  /** Why the model stopped, unless it was done. */
  readonly finish?: string;
  /** What came of each check. */
  readonly checks?: readonly CheckResult[];
  /** The tools that were called, one in a line, with what they gave. */
  readonly calls?: string;
}

/** Rows of one task to choose from, and how all of its rows ended. */
export interface TaskRows {
  readonly model: string;
  readonly dataset: string;
  readonly rows: readonly ReportRow[];
  readonly totals?: Readonly<Partial<Record<Verdict, number>>> | undefined;
  /** How each row ended, in short. */
  readonly ends?: readonly RowEnd[] | undefined;
}

/** A row as it is embedded: long texts are cut. */
export interface EmbeddedRow extends ReportRow {
  readonly verdict: Verdict;
}

/** The rows of a task that the page holds, and how many there are of each verdict. */
export interface EmbeddedTask {
  readonly rows: readonly EmbeddedRow[];
  readonly totals: Readonly<Partial<Record<Verdict, number>>>;
}

export interface Candidates extends Partial<Pick<TaskRows, 'rows' | 'totals'>> {
  readonly kind: MetricKind;
}

const encoder = new TextEncoder();
const longestText = 12_000;
/** Right rows have this share of the page, however many others there are. */
const shareOfRight = 0.15;

/**
 * Chooses the rows that a page of limited size holds: those first that ask for a look, of all tasks
 * in turn.
 */
export function embedRows(tasks: readonly Candidates[], maxBytes: number): EmbeddedTask[] {
  const found = tasks.map(({ rows = [], kind }) => rows.map((row) => embed(row, kind)));
  const chosen = tasks.map((): EmbeddedRow[] => []);
  let room = maxBytes * (1 - shareOfRight);
  for (const verdict of verdicts) {
    if (verdict === 'right') room += maxBytes * shareOfRight;
    const queues = found.map((rows) => rows.filter((row) => row.verdict === verdict));
    const rounds = Math.max(0, ...queues.map(({ length }) => length));
    for (let round = 0; round < rounds; round += 1) {
      for (const [task, queue] of queues.entries()) {
        const row = queue[round];
        const bytes = row && encoder.encode(JSON.stringify(row)).length;
        if (!row || !bytes || bytes > room) continue;
        room -= bytes;
        chosen[task]?.push(row);
      }
    }
  }
  return tasks.map(({ totals }, task) => {
    const rows = (chosen[task] ?? []).sort(byVerdict);
    return { rows, totals: totals ?? countVerdicts(found[task] ?? []) };
  });
}

function byVerdict(left: EmbeddedRow, right: EmbeddedRow): number {
  const order = verdicts.indexOf(left.verdict) - verdicts.indexOf(right.verdict);
  return order || Number(left.id) - Number(right.id);
}

function countVerdicts(rows: readonly EmbeddedRow[]): EmbeddedTask['totals'] {
  const totals: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of rows) totals[verdict] = (totals[verdict] ?? 0) + 1;
  return totals;
}

function embed(row: ReportRow, kind: MetricKind): EmbeddedRow {
  const { prompt, answer, turns, judge, reasoning, extracted, compared, gold } = row;
  return {
    ...row,
    prompt: shorten(prompt),
    answer: shorten(answer),
    ...(turns && { turns: turns.map(shortenTurn) }),
    ...(judge && { judge: judge.map(shortenTurn) }),
    ...(reasoning !== undefined && { reasoning: shorten(reasoning) }),
    ...(extracted !== undefined && { extracted: shorten(extracted) }),
    ...(compared && { compared: [shorten(compared[0]), shorten(compared[1])] as const }),
    ...(gold !== undefined && { gold: shorten(gold) }),
    verdict: verdictOf(row, kind),
  };
}

function shortenTurn({ asked, answer }: { readonly asked: string; readonly answer: string }) {
  return { asked: shorten(asked), answer: shorten(answer) };
}

// The middle goes: a prompt's question is at its end, an answer's conclusion too.
function shorten(text: string): string {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  const left = text.length - longestText;
  return `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`;
}
