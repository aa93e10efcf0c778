import { displayLocation } from '../../base/display-path.ts';
import { countOf, formatCount, oneLine } from '../../base/format.ts';
import { customText } from '../../compat/data/custom-text/custom-text-task.ts';
import type { Locations } from '../../config/source-location.ts';
import { type LocatedDiagnostic, locateDiagnostic } from '../../config/with-location.ts';
import { ConfigError } from '../../errors.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { describeServed, describeUnnamed } from '../../report/describe-events.ts';
import { isOtherModel } from '../../run/served-models.ts';
import type { RunSummary } from '../../run/summary.ts';
import { fitTerminal } from '../terminal.ts';

interface Telling {
  readonly strict?: boolean | undefined;
}

/** Says what was found while evaluations were opened, before anything is asked. */
export function tellOpened(
  evaluations: readonly Evaluation[],
  options: Telling,
  written?: Locations,
): void {
  warnOfTemplates(evaluations, options, written);
  tellGuessed(evaluations);
  tellScoring(evaluations.flatMap(({ scoringNotes }) => scoringNotes));
}

/** Shows the prompt of rows whose columns say how they are asked: nobody wrote it. */
function tellGuessed(evaluations: readonly Evaluation[]): void {
  for (const { task } of evaluations) {
    if (task.dataset?.type !== customText) continue;
    const template = task.dataset.inferCfg.promptTemplate?.config.template;
    if (typeof template !== 'string') continue;
    const shown = template.replaceAll('\n', '⏎');
    say(`Prompt: ${shown}  (from the columns of the data; --template changes it)\n`);
  }
}

/** Says what keeps the code of answers in. */
export function tellScoring(scoringNotes: readonly string[]): void {
  for (const note of new Set(scoringNotes)) {
    if (note.includes(' NOT ')) {
      warn(
        'run.code_not_contained',
        `code in answers is run by ${note}`,
        'Install bubblewrap, or run Typecase in a container or a virtual machine.',
      );
    } else say(`Code in answers is run by ${note}\n`);
  }
}

/** What `--strict` refuses: a placeholder or a mark that is sent as it stands. */
const slips = ['template.unknown_field', 'template.plain_field', 'template.plain_ice_token'];

/** `CI=false` is how people say that it is none. */
function isCi(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '');
}

/** Says what is mostly a slip but may be meant, such as placeholders that are sent as they are. */
function warnOfTemplates(
  evaluations: readonly Evaluation[],
  { strict }: Telling,
  written: Locations | undefined,
): void {
  const slip = evaluations
    // Another system's prompts are meant to be as they are.
    .filter(({ task }) => strict ?? (isCi() && task.compat === undefined))
    .flatMap(({ diagnostics }) => diagnostics)
    .find(({ code }) => slips.includes(code));
  if (slip) {
    const { code, message, hint = '' } = slip;
    const why = isCi() ? ' Rejected because CI is set' : ' Rejected by --strict';
    throw new ConfigError(code, message, {
      path: slip.path,
      at: locateDiagnostic(written, slip).at,
      hint: `${hint}${why}; use --no-strict to only warn.`.trim(),
    });
  }
  const found = evaluations
    .flatMap(({ diagnostics }) => diagnostics)
    .map((diagnostic) => locateDiagnostic(written, diagnostic));
  tellWarnings(found);
}

/** Says what may be wrong, in sums where much is alike. */
export function tellWarnings(found: readonly LocatedDiagnostic[]): void {
  say(sumsOf(found.filter(({ kind }) => kind === 'warning')).join(''));
}

/** More warnings of one code are counted, and so are more places of one warning. */
const shownOfEach = 3;

function sumsOf(found: readonly LocatedDiagnostic[]): string[] {
  const byMessage = groupBy(found, ({ code, message }) => `${code} ${message}`);
  const byCode = groupBy(byMessage, ([first]) => first?.code ?? '');
  return byCode.flatMap((same) => {
    const shown = same.length > shownOfEach + 1 ? same.slice(0, shownOfEach) : same;
    const rest = same.length - shown.length;
    const code = same[0]?.[0]?.code;
    return [
      ...shown.map(describeWarning),
      ...(rest > 0
        ? [
            `warning[${code}] … and ${countOf(rest, 'more warning')} like this\nhint: \`typecase view -a\` shows all.\n`,
          ]
        : []),
    ];
  });
}

/** A warning at all its places. */
function describeWarning(same: readonly LocatedDiagnostic[]): string {
  const [first] = same;
  if (!first) return '';
  const places = [...new Set(same.flatMap(({ at }) => (at ? displayLocation(at) : [])))];
  const shown = places.length > shownOfEach + 1 ? places.slice(0, shownOfEach) : places;
  const rest = places.length - shown.length;
  const lines = [
    `warning[${first.code}] ${first.message}`,
    ...shown.map((place) => `  at ${place}`),
    ...(rest > 0 ? [`  … and ${countOf(rest, 'more place')}`] : []),
    ...(first.hint === undefined ? [] : [`hint: ${first.hint}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

export function warnOfLeaks({ results }: RunSummary): void {
  const leaking = results.filter(({ leaks }) => leaks);
  if (leaking.length === 0) return;
  const warnings = leaking.map(
    ({ model, dataset, leaks, rows }) =>
      `warning[run.leaked_answers] ${model} on ${dataset}: the examples give away the answers of ${leaks} of ${rows.total} rows\n`,
  );
  say(
    `${warnings.join('')}hint: See them with \`typecase view\`; exclude such rows with \`where\`, \`train_range\` or a train split.\n`,
  );
}

/** Says that answers which the folder seems to hold were asked for again. */
export function warnOfOldLoglikelihoods(rows: number): void {
  if (rows === 0) return;
  const code = 'run.old_loglikelihoods';
  say(
    `warning[${code}] ${countOf(rows, 'row')} had loglikelihoods of an earlier version without the model's output; they were asked again\n`,
  );
}

/** Says that rows seem to belong together where nobody told which: intervals are too narrow then. */
export function warnOfClusters({ results }: RunSummary): void {
  const code = 'run.possible_clusters';
  const warnings = new Map<string, string>();
  for (const { dataset, possibleClusters, rows } of results) {
    if (!possibleClusters) continue;
    const { by, count } = possibleClusters;
    // Of very many values only a part is followed.
    const about = count > 2000 ? 'about ' : '';
    const values = by === undefined ? 'prompts' : `values of \`${by}\``;
    const finding = `${formatCount(rows.total)} rows have ${about}${formatCount(count)} ${values}`;
    const hint =
      by === undefined
        ? 'Remove duplicate rows, or set `cluster_by` in `reader_cfg` to a column that rows of one cluster share.'
        : `Set \`cluster_by: ${by}\` in \`reader_cfg\`, or use \`--cluster-by ${by}\`; nothing is asked again.`;
    // The cells of a sweep have the same rows.
    if (warnings.has(finding)) continue;
    warnings.set(
      finding,
      `warning[${code}] ${dataset}: ${finding}; rows that share one are not independent, so intervals are too narrow and tests too optimistic\nhint: ${hint}\n`,
    );
  }
  say([...warnings.values()].join(''));
}

/** Says that answers name no choice, where the first one is taken then: such a score says little. */
export function warnOfUnnamed({ results }: RunSummary): void {
  for (const result of results) {
    for (const text of describeUnnamed(result))
      warn(
        'run.no_choice_named',
        `${result.model} on ${result.dataset}: ${text}`,
        'Look at the answers. With a completions endpoint or a local model, choices can be compared by loglikelihood.',
      );
  }
}

/** Says under which names models were served, if they are not those that were asked for. */
export function warnOfServed({ served = [] }: RunSummary): void {
  for (const model of served) {
    const text = describeServed(model);
    if (isOtherModel(model)) {
      warn('run.other_model', text, 'Check that this is the model you mean.');
    } else if (model.names.length > 1) {
      warn('run.model_changed', text, 'Use `--fresh` to ask everything of one model.');
    } else say(`${text}\n`);
  }
}

function say(text: string): void {
  if (text === '') return;
  const shown = text.split('\n').map(oneLine).join('\n');
  process.stderr.write(fitTerminal(shown, process.stderr));
}

export function warn(code: string, message: string, hint: string): void {
  say(`warning[${code}] ${message}\nhint: ${hint}\n`);
}
