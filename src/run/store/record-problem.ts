import { displayPath } from '../../base/display-path.ts';
import { formatCount, oneLine } from '../../base/format.ts';

/** A line of a log that is no record, and is left out. */
export interface RecordProblem {
  readonly code: 'run.bad_record';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Where the line starts, in bytes. */
  readonly offset: number;
  readonly reason: string;
}

/** Problems, of which only the first may be listed. */
export type Problems = Pick<ProblemList, 'items' | 'total'>;

const maxListed = 100;

/** What is wrong with logs: all of it counted, the first lines listed. */
export class ProblemList {
  readonly #items: RecordProblem[] = [];
  #total = 0;

  get items(): readonly RecordProblem[] {
    return this.#items;
  }

  get total(): number {
    return this.#total;
  }

  add(problem: RecordProblem): void {
    this.#total++;
    if (this.#items.length < maxListed) this.#items.push(problem);
  }

  addAll(others: Problems): void {
    for (const problem of others.items) this.add(problem);
    this.#total += others.total - others.items.length;
  }
}

const maxDescribed = 10;

/** One sentence for each of the first problems, and one for the rest. */
export function describeProblems({ items, total }: Problems): string[] {
  const described = items.slice(0, maxDescribed);
  const rest = total - described.length;
  return [
    ...described.map(({ file, line, reason }) =>
      oneLine(`${displayPath(file)}:${line} skipped: ${reason}`),
    ),
    ...(rest > 0 ? [`${formatCount(rest)} more damaged lines skipped`] : []),
  ];
}

/** What the command line says of damaged records on its error channel. */
export function problemWarnings(problems: Problems, hint: string): string {
  if (problems.total === 0) return '';
  const lines = describeProblems(problems).map((text) => `warning[run.bad_record] ${text}\n`);
  return `${lines.join('')}hint: ${hint}\n`;
}
