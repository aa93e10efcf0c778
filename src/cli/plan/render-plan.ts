import { displayPath } from '../../base/display-path.ts';
import { countOf, formatAmount, formatCount, formatSeconds } from '../../base/format.ts';
import { bytesPerToken } from '../../evaluation/fit-context.ts';
import { describeNotALabel } from '../../report/describe-events.ts';
import { describeFit } from '../../report/prompt-notes.ts';
import {
  judgesOf,
  type PlanTotal,
  type PriceEstimate,
  type RunPlan,
  type TimeEstimate,
} from '../../study/plan/estimate.ts';
import { defaultBlock } from '../../study/prefix-cache/prefix-cache.ts';
import { type Counts, sharedPrefix, withMedia } from '../../terminal/plan/json-plan.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { alignColumns } from '../../terminal/text/align-columns.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

const titles = ['rows', 'distinct', 'reused', 'to send', 'shared', 'tokens in', 'tokens out'];

/** The plan for people. */
export function renderPlan(plan: RunPlan, { colors }: Terminal): string[] {
  const { tasks, total } = plan;
  const models = new Set(tasks.map(({ model }) => model)).size;
  const lines = tasks.map(({ model, dataset, ...counts }) => [
    showControls(models > 1 ? `${model} on ${dataset}` : dataset),
    ...cellsOf(counts, plan),
  ]);
  const all = tasks.length > 1 ? [['total', ...cellsOf(withMedia(total, tasks), plan)]] : [];
  const [head = '', ...table] = alignColumns([['', ...titles], ...lines, ...all]);
  return [
    colors.dim(head),
    ...table.map((line, index) => (index === tasks.length ? colors.bold(line) : line)),
    '',
    ...notesOf(plan).map(showControls),
  ];
}

function cellsOf(counts: Counts, { exactTokens }: RunPlan): string[] {
  const { rows, distinct, send, outputTokens } = counts;
  const share = sharedPrefix(counts);
  return [
    formatCount(rows),
    formatCount(distinct),
    formatCount(reusedRows(counts)),
    formatCount(send),
    share === null ? '–' : `${Math.round(share * 100)}%`,
    formatInput(counts, exactTokens),
    outputTokens === undefined ? 'no limit' : `≤${formatCount(outputTokens)}`,
  ];
}

/** Earlier answers of dialogues are counted at their most. */
function formatInput(
  { inputTokens, earlierAnswers = 0, unlimitedAnswers }: PlanTotal,
  exactTokens: boolean,
): string {
  if (unlimitedAnswers) return `≥${formatCount(inputTokens)}`;
  if (earlierAnswers > 0) return `≤${formatCount(inputTokens + earlierAnswers)}`;
  return `${exactTokens ? '' : '≈'}${formatCount(inputTokens)}`;
}

function reusedRows({ reused }: PlanTotal): number {
  return reused.log + reused.row + reused.cache;
}

function notesOf({ folder, tasks, total, exactTokens, time, price }: RunPlan): string[] {
  const reused = reusedRows(total);
  return [
    reused === 0
      ? `Folder: ${displayPath(folder)}; nothing to reuse.`
      : `Folder: ${displayPath(folder)}; ${describeReuse(total)}.`,
    ...(total.left === undefined
      ? []
      : [
          `Failed earlier: ${countOf(total.left, 'row')} that a run does not retry (--retry all does).`,
        ]),
    ...(exactTokens
      ? []
      : [
          `Tokens: estimated at ${bytesPerToken} bytes each; set \`tokenizer\` on the model for exact counts.`,
        ]),
    ...answerNotes(total),
    ...prefixNotes(total, { tasks, exactTokens }),
    ...mediaNotes(total, tasks),
    ...refusedNotes(tasks),
    ...fitNotes(tasks),
    ...labelNotes(tasks),
    ...trialNotes(tasks),
    ...judgeNotes(tasks),
    ...unjudgedNotes(tasks),
    describeTime(time, total),
    ...(price ? [describePrice(price)] : []),
    'Nothing was sent.',
  ];
}

/** What a retriever asks that lets the model choose. */
function trialNotes(tasks: RunPlan['tasks']): string[] {
  return tasks.flatMap(({ model, dataset, exampleTrials }) =>
    exampleTrials === undefined
      ? []
      : [
          `Examples: ${model} on ${dataset}: ${countOf(exampleTrials, 'request')} more to choose them with the model; the choice is not known yet, so tokens are those of other rows of the pool.`,
        ],
  );
}

/** Later turns of dialogues are sent with the answers to earlier ones. */
function answerNotes({ inputTokens, earlierAnswers, unlimitedAnswers }: PlanTotal): string[] {
  if (unlimitedAnswers) {
    return [
      `Dialogues: at least ${formatCount(inputTokens)} input tokens; later turns include earlier answers, which have no length limit (\`max_out_len\`).`,
    ];
  }
  if (earlierAnswers === undefined) return [];
  return [
    `Dialogues: at most ${formatCount(earlierAnswers)} of the input tokens are earlier answers at their maximum length.`,
  ];
}

/** What a server saves that keeps what it computed for prefixes of prompts. */
function prefixNotes(
  total: PlanTotal,
  { tasks, exactTokens }: Pick<RunPlan, 'tasks' | 'exactTokens'>,
): string[] {
  const share = sharedPrefix(withMedia(total, tasks));
  if (share === null) return [];
  const about = exactTokens ? '' : '≈';
  const whole = tasks.some(({ likelihoods }) => likelihoods)
    ? ' vLLM saves nothing when asked for prompt log-probabilities.'
    : '';
  const hasUnknown = total.earlierAnswers !== undefined || total.unlimitedAnswers;
  const without = hasUnknown ? ', earlier answers not counted' : '';
  return [
    `Prefix cache: would save ${about}${formatCount(total.sharedTokens)} of ${about}${formatCount(total.inputTokens)} input tokens (${Math.round(share * 100)}%${without}), in blocks of ${defaultBlock} tokens (\`typecase cache-study CONFIG\`).${whole}`,
  ];
}

function mediaNotes(total: PlanTotal, tasks: RunPlan['tasks']): string[] {
  const { media } = withMedia(total, tasks);
  if (media === undefined) return [];
  return [
    `Media: ${formatCount(media)}; their tokens are not counted. \`typecase cache-study CONFIG\` estimates what a prefix cache saves.`,
  ];
}

function refusedNotes(tasks: RunPlan['tasks']): string[] {
  return tasks.flatMap(({ model, dataset, refused = [] }) => {
    if (refused.length === 0) return [];
    const rows = refused.reduce((sum, one) => sum + one.rows, 0);
    const reasons = refused.map(({ reason, rows: count }) => `${formatCount(count)} × ${reason}`);
    return [
      showControls(
        `Would fail: ${model} on ${dataset}: ${countOf(rows, 'row')}: ${reasons.join(', ')}.`,
      ),
    ];
  });
}

function fitNotes(tasks: RunPlan['tasks']): string[] {
  return tasks.flatMap(({ model, dataset, ...fit }) => {
    const text = describeFit(fit);
    return text === '' ? [] : [`Length: ${showControls(`${model} on ${dataset}`)}: ${text}.`];
  });
}

function labelNotes(tasks: RunPlan['tasks']): string[] {
  return tasks.flatMap(({ model, dataset, rows, ...plan }) =>
    describeNotALabel(plan, rows).map(
      (text) => `Labels: ${showControls(`${model} on ${dataset}: ${text}`)}.`,
    ),
  );
}

/** What judges are asked comes on top, and depends on the answers. */
function judgeNotes(tasks: RunPlan['tasks']): string[] {
  return judgesOf(tasks)
    .filter(({ requests, reused }) => requests + reused > 0)
    .map(({ model, requests, reused, inputTokens, outputTokens }) => {
      const there = reused > 0 ? `; ${countOf(reused, 'verdict')} reused` : '';
      const sizes = [
        inputTokens === undefined ? 'unknown' : `≤${formatCount(inputTokens)}`,
        outputTokens === undefined ? 'no limit' : `≤${formatCount(outputTokens)}`,
      ];
      const tokens = requests === 0 ? '' : `, tokens in ${sizes[0]}, out ${sizes[1]}`;
      return `Judges: at most ${countOf(requests, 'request')} more, to ${model}${tokens}${there}.`;
    });
}

/** Rows that are asked, and then have no score. */
function unjudgedNotes(tasks: RunPlan['tasks']): string[] {
  return tasks.flatMap(({ model, dataset, judge: { refused = [] } = {} }) => {
    if (refused.length === 0) return [];
    const all = refused.reduce((sum, { rows }) => sum + rows, 0);
    const reasons = refused.map(({ reason, rows, first }) => {
      const others = rows > 1 ? ` and ${formatCount(rows - 1)} more` : '';
      return `${first}${others}: ${reason}`;
    });
    return [
      showControls(
        `Would not be judged: ${model} on ${dataset}: ${countOf(all, 'row')}: ${reasons.join('; ')}.`,
      ),
    ];
  });
}

function describeReuse({ reused: { log, row, cache } }: PlanTotal): string {
  return [
    ...(log > 0 ? [`${countOf(log, 'answer')} already there`] : []),
    ...(row > 0 ? [`${countOf(row, 'request')} identical to another`] : []),
    ...(cache > 0 ? [`${countOf(cache, 'answer')} in the cache`] : []),
  ].join(', ');
}

function describeTime({ seconds, latency, isAssumed }: TimeEstimate, { send }: PlanTotal): string {
  if (send === 0) return 'Time: none; all answers are already there.';
  if (seconds === 0) return 'Time: none; the answers are recorded.';
  const each = `${formatSeconds(latency)} per request`;
  const basis = isAssumed ? `, assuming ${each} (--latency)` : ` at ${each}`;
  return `Time: about ${formatSeconds(seconds)}${basis}.`;
}

function describePrice(price: PriceEstimate): string {
  const { input, inputBound, output, unpriced = [], judges = [] } = price;
  const bound = inputBound ? `at ${inputBound} ` : '';
  const parts = [
    ...(input === undefined ? [] : [`input ${bound}${formatAmount(input)}`]),
    ...(output === undefined ? [] : [`output up to ${formatAmount(output)}`]),
    ...judges.flatMap(({ model, cost }) =>
      cost === undefined ? [] : [`${model} up to ${formatAmount(cost)}`],
    ),
  ];
  const left = [
    ...unpriced,
    ...judges
      .filter(({ cost }) => cost === undefined)
      .map(({ model, requests }) => `up to ${countOf(requests, 'request')} to ${model}`),
  ];
  const without = left.length > 0 ? `, without ${left.join(', ')}` : '';
  if (parts.length === 0) return `Cost: unknown, answers have no limit${without}.`;
  if (input === undefined || output === undefined || inputBound === 'least') {
    return `Cost: ${parts.join(', ')}${without}.`;
  }
  const total = judges.reduce((sum, { cost = 0 }) => sum + cost, input + output);
  return `Cost: up to ${formatAmount(total)} (${parts.join(', ')})${without}.`;
}
