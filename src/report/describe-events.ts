import {
  countOf,
  formatAmount,
  formatCount,
  formatSeconds,
  formatTime,
  oneLine,
} from '../base/format.ts';
import { lastingKinds } from '../model/failure-kind.ts';
import type { ServedModel } from '../run/served-models.ts';
import type { RequestCounts, RunSummary, StopKind, TaskResult, TokenSums } from '../run/summary.ts';
import { atLeast } from './describe-cost.ts';

/**
 * Where the answers of a run came from, and what all its starts took: a sentence each. Nothing of a
 * run of an older version.
 *
 * @example
 * describeAnswers(summary); // ['1,000 answers: 990 asked, 10 shared by identical rows.']
 */
export function describeAnswers({ results, starts }: RunSummary): string[] {
  const sum = (count: Exclude<keyof RequestCounts, 'unversioned'>) =>
    results.reduce((total, { requests }) => total + (requests[count] ?? 0), 0);
  if (results.some(({ requests }) => requests.asked === undefined)) return [];
  const [asked, sent, outdated] = [sum('asked'), sum('sent'), sum('outdated')];
  const parts = [
    sent > asked
      ? `${formatCount(asked)} asked in ${countOf(sent, 'request')}`
      : count(asked, 'asked'),
    count(sum('resumed'), 'reused from this folder'),
    count(sum('cached'), 'reused from the cache'),
    count(sum('shared'), 'shared by identical rows'),
  ].filter((part) => part !== '');
  const answers = asked + sum('resumed') + sum('cached') + sum('shared');
  return [
    `${countOf(answers, 'answer')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`,
    ...(outdated > 0 ? [`${fitting(outdated)}: ${whyOutdated(results)}.`] : []),
    ...(starts && starts.count > 1 ? [describeStarts(starts)] : []),
  ];
}

function whyOutdated(results: readonly TaskResult[]): string {
  const unversioned = results.filter(({ requests }) => requests.unversioned);
  if (unversioned.length === 0) return 'the prompt, the row or settings changed';
  const names = [...new Set(unversioned.map(({ model }) => `\`${oneLine(model)}\``))].join(', ');
  return `functions of ${names} have no \`version\`, so each start asks again`;
}

function count(number: number, what: string): string {
  return number === 0 ? '' : `${formatCount(number)} ${what}`;
}

function fitting(answers: number): string {
  return `${countOf(answers, 'saved answer')} no longer ${answers === 1 ? 'applies' : 'apply'}`;
}

/** `24 s in 2 starts since 2025-03-01 10:00 UTC: 200 requests, 12,000 tokens in, 400 out.` */
export function describeStarts(starts: NonNullable<RunSummary['starts']>): string {
  const { count: number, since, unfinished, seconds, sent, tokens, cost } = starts;
  const { untold } = tokens;
  const amount = (value: number) => (untold === undefined ? formatAmount(value) : atLeast(value));
  const costs = cost === undefined ? '' : `, cost ${amount(cost)}`;
  const killed =
    unfinished === undefined
      ? ''
      : ` ${countOf(unfinished, 'start')} did not finish, so these are minimums.`;
  return `${formatSeconds(seconds)} in ${countOf(number, 'start')} since ${formatTime(since)}: ${countOf(sent, 'request')}, ${describeTokens(tokens)}${costs}.${killed}`;
}

/** `12,000 tokens in, 400 out`; the least, where servers did not tell all of them. */
export function describeTokens({ input, output, untold = 0 }: TokenSums): string {
  if (untold > 0 && input + output === 0) return 'no token counts';
  const least = untold === 0 ? '' : 'at least ';
  const without = untold === 0 ? '' : ` (${countOf(untold, 'answer')} without token counts)`;
  return `${least}${formatCount(input)} tokens in, ${formatCount(output)} out${without}`;
}

/**
 * Notes on a task, besides its score and reasons: failures by kind, answers that
 * were cut off, rows that were not reached.
 *
 * @example
 * summary.results.flatMap((result) => describeEvents(result)); // []
 */
export function describeEvents(result: TaskResult): string[] {
  const { rows, cutOff, serverLimit, stopped = [], partial, score } = result;
  const answers = countOf(result.answers ?? rows.scored + rows.unscored, 'answer');
  const reached = rows.total - rows.missing;
  return [
    ...describeFailures(result),
    ...(cutOff === undefined
      ? []
      : [
          `${formatCount(cutOff)} of ${answers} ${cutOff === 1 ? 'was' : 'were'} cut off at the length limit${
            serverLimit ? "; no `max_out_len` is set, so the server's own limit applies" : ''
          }`,
        ]),
    ...stopped.map(
      ({ kind, rows: count }) =>
        `${formatCount(count)} of ${answers} ${stops[kind].replace('were', count === 1 ? 'was' : 'were')}`,
    ),
    ...(result.unscoredParts ?? []).map((part) => `no row of ${part} has a score`),
    ...describeUnnamed(result),
    ...describeLooser(result),
    ...describeInsideWord(result),
    ...describeSkipped(result),
    ...describeNotALabel(result, rows.total),
    ...(partial && score
      ? [
          `the score covers only the ${countOf(reached, 'row')} reached, which are not a random sample: no interval`,
        ]
      : []),
  ];
}

/** `8 of 8 answers name no choice: the first one is taken`. */
export function describeUnnamed({ unnamed, rows }: TaskResult): string[] {
  if (unnamed === undefined) return [];
  const answers = countOf(rows.scored + rows.unscored, 'answer');
  return [
    `${formatCount(unnamed)} of ${answers} ${unnamed === 1 ? 'names' : 'name'} no choice: the first one is taken`,
  ];
}

/** `2 answers without credit hold the gold answer under a looser reading: rows 4, 17`. */
function describeLooser({ looser, score, metric, rows: counts }: TaskResult): string[] {
  if (!looser) return [];
  const { rows, first } = looser;
  const hold = rows === 1 ? 'holds' : 'hold';
  const more = rows > first.length ? ', …' : '';
  const isZero = score?.value === 0 && metric !== 'grade';
  if (isZero) {
    const { evaluator = 'contains' } = looser;
    return [
      `0 of ${formatCount(counts.scored)} right, but ${countOf(rows, 'answer')} ${rows === 1 ? 'contains' : 'contain'} the gold answer: try \`typecase score FOLDER --evaluator ${evaluator}\`, which asks nothing`,
    ];
  }
  return [
    `${countOf(rows, 'answer')} counted as wrong ${hold} the gold answer under a looser reading: ${rows === 1 ? 'row' : 'rows'} ${first.join(', ')}${more}`,
  ];
}

/** `1 answer has credit for a gold answer inside of a longer word or number alone: row 3`. */
function describeInsideWord({ insideWord }: TaskResult): string[] {
  if (!insideWord) return [];
  const { rows, first } = insideWord;
  const more = rows > first.length ? ', …' : '';
  return [
    `${countOf(rows, 'answer')} ${rows === 1 ? 'has' : 'have'} credit only for a short gold answer inside a longer word or number (\`whole_words: true\` gives none): ${rows === 1 ? 'row' : 'rows'} ${first.join(', ')}${more}`,
  ];
}

/** `2 of 3 rows are skipped by the check \`strict\``. */
function describeSkipped({ skipped = [], rows: { total } }: TaskResult): string[] {
  const named = skipped
    .slice(0, maxSkipped)
    .map(
      ({ check, rows }) =>
        `${formatCount(rows)} of ${countOf(total, 'row')} ${rows === 1 ? 'is' : 'are'} skipped by the check \`${oneLine(check)}\``,
    );
  const others = skipped.length - named.length;
  return others > 0 ? [...named, `${countOf(others, 'other check')} skipped rows, too`] : named;
}

const maxSkipped = 10;

/** `1 of 3 gold answers is none of the labels, so that the row cannot be right: row 2 …`. */
export function describeNotALabel(
  { notALabel }: Pick<TaskResult, 'notALabel'>,
  total: number,
): string[] {
  if (!notALabel) return [];
  const { rows, first, example } = notALabel;
  const [are, they, named] = rows === 1 ? ['is', 'its row', 'row'] : ['are', 'their rows', 'rows'];
  const more = rows > first.length ? ', …' : '';
  const shown = example.labels.slice(0, maxLabels).map((label) => `\`${oneLine(label)}\``);
  const labels = [...shown, ...(example.labels.length > maxLabels ? ['…'] : [])].join(', ');
  return [
    `${formatCount(rows)} of ${countOf(total, 'gold answer')} ${are} none of the labels, so ${they} cannot be right: ${named} ${first.join(', ')}${more}; row ${first[0]} has \`${oneLine(example.gold)}\`${labels === '' ? '' : `, the labels are ${labels}`}`,
  ];
}

const maxLabels = 8;

const stops: Readonly<Record<StopKind, string>> = {
  content_filter: 'were stopped by a content filter',
  error: 'were stopped by a server error',
  tool_calls: 'ended with tool calls',
};

function describeFailures({ failures = [] }: TaskResult): string[] {
  if (failures.length === 0) return [];
  const kinds = failures.map(({ kind, rows }) => `${formatCount(rows)} × ${kind}`).join(', ');
  const left = failures.filter(({ kind, left }) => left !== undefined || lastingKinds.has(kind));
  if (left.length === 0) return [`failed: ${kinds}`];
  const rows = left.reduce((sum, failure) => sum + (failure.left ?? failure.rows), 0);
  const names = left.map(({ kind }) => kind).join(',');
  const are = rows === 1 ? 'is' : 'are';
  return [
    `failed: ${kinds}`,
    `${countOf(rows, 'failed row')} ${are} not retried without \`--retry ${names}\``,
  ];
}

/** `gpt-x: served as gpt-x-2024-08-06 (40 answers)`. */
export function describeServed({ model, asked, names }: ServedModel): string {
  const served = names.map(
    ({ name, answers }) => `\`${oneLine(name)}\` (${countOf(answers, 'answer')})`,
  );
  const wanted = asked === undefined ? '' : `asked as \`${oneLine(asked)}\`, `;
  return `${oneLine(model)}: ${wanted}served as ${served.join(', ')}`;
}
