import type { MetricKind } from '../run/summary.ts';

/** A row as a report shows it. */
export interface ReportRow {
  readonly id: string | number;
  readonly outcome: 'scored' | 'unscored' | 'failed';
  readonly score?: number;
  readonly prompt: string;
  readonly answer: string;
  readonly extracted?: string;
  readonly gold?: string;
  readonly reason?: string;
}

/** Rows of one task, or the first of them. No more are taken than the report has room for. */
export interface TaskRows {
  readonly model: string;
  readonly dataset: string;
  readonly rows: Iterable<ReportRow>;
}

/** A row as it is embedded: long texts are cut. */
export interface EmbeddedRow extends ReportRow {
  readonly verdict: Verdict;
}

export type Verdict = 'right' | 'partly' | 'wrong' | 'scored' | 'unscored' | 'failed';

const longestText = 12_000;

export interface EmbedOptions {
  readonly limit: number;
  readonly kind: MetricKind;
}

/** Takes the first rows, with long texts cut. */
export function embedRows(rows: Iterable<ReportRow>, { limit, kind }: EmbedOptions): EmbeddedRow[] {
  const taken: EmbeddedRow[] = [];
  if (limit <= 0) return taken;
  for (const row of rows) {
    const prompt = shorten(row.prompt);
    taken.push({ ...row, prompt, answer: shorten(row.answer), verdict: verdictOf(row, kind) });
    if (taken.length === limit) break;
  }
  return taken;
}

function verdictOf({ outcome, score = 0 }: ReportRow, { plain, direction }: MetricKind): Verdict {
  if (outcome !== 'scored' || plain || direction) return outcome;
  if (score >= 1) return 'right';
  return score <= 0 ? 'wrong' : 'partly';
}

// The middle goes: a prompt's question is at its end, an answer's conclusion too.
function shorten(text: string): string {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  const left = text.length - longestText;
  return `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`;
}
