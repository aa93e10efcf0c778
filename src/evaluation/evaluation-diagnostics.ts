import { countOf } from '../base/format.ts';
import { isHeavyWork } from '../base/heavy-work.ts';
import type { DatasetConfig, InferConfig, ModelConfig } from '../config/config.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { type ConfigPath, formatPath, TypecaseError } from '../errors.ts';
import type { Encode } from '../model/request-body.ts';
import { type Diagnostic, noInputCode } from '../prompt/diagnostics.ts';
import { getKey, isMapping } from '../prompt/mapping.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { isNoLabel } from '../score/create-scorer.ts';
import type { GoldFault, Scorer } from '../score/scorer.ts';
import { hasNoSpaces } from '../score/text-matching.ts';
import { stopOf } from './answer-limits.ts';
import type { PlannedRequest } from './evaluation.ts';
import { abilityFor } from './inference.ts';
import { judgeRemarks, unseenMedia } from './judges.ts';
import { type FirstRows, keptBy } from './look-at-rows.ts';
import type { EvaluationPrompts, PromptSetup } from './prompt-setup.ts';

/** What is known of an evaluation once its prompts and its first rows are. */
interface Inspected {
  readonly modelConfig: ModelConfig | undefined;
  readonly dataset: DatasetConfig;
  readonly encode: Encode | undefined;
  readonly setup: PromptSetup;
  readonly prompts: EvaluationPrompts;
  readonly rows: FirstRows;
  readonly selection: RowSelection;
  readonly scorer: Scorer;
  /** A stop that ends answers before they begin. */
  readonly stop: Diagnostic | undefined;
}

/** What may be wrong with an evaluation, without being an error. */
export async function diagnosticsOf(inspected: Inspected): Promise<readonly Diagnostic[]> {
  const { dataset, prompts, rows, selection, scorer, stop } = inspected;
  const { inferencer } = dataset.inferCfg;
  const [sample] = rows.samples;
  const { labels } = prompts;
  return [
    ...prompts.diagnostics.filter(({ code }) => code !== noInputCode || hasSeveral(rows)),
    ...(stop ? [stop] : []),
    ...unseenMedia(prompts, { scorer, dataset }),
    ...judgeRemarks(scorer),
    ...measuredDiagnostics(dataset, { labels, samples: rows.samples, selection, scorer }),
    ...answersAsLabels(dataset, { labels, head: rows.head }),
    ...(abilityFor(inferencer.type) === 'generate'
      ? goldDiagnostics(dataset, { head: rows.head, scorer })
      : []),
    ...(inferencer.type === 'CLPInferencer' && sample
      ? gluedChoices(dataset, askedChoices(prompts, { inferencer, sample }))
      : []),
    ...(await ofFormat(inspected, sample)),
  ];
}

/** One row may well be a prompt of its own. */
function hasSeveral({ head, samples }: FirstRows): boolean {
  return (head ?? samples).length > 1;
}

async function ofFormat(
  { modelConfig: model, dataset, encode, setup, prompts }: Inspected,
  sample: PositionedRow | undefined,
): Promise<readonly Diagnostic[]> {
  const { format } = setup.model;
  const { mode, answerPrefix: prefix } = prompts;
  const isFormatted = model?.metaTemplate !== undefined || format.type === 'chat-template';
  const isChecked = isFormatted || encode !== undefined || prefix !== undefined;
  if (!model || !(isChecked || mayBeMarked(model, dataset))) return [];
  const { formatDiagnostics } = await import('./format-diagnostics.ts');
  return formatDiagnostics({
    ...{ model, dataset, format, mode, encode },
    prefix: setup.compat ? undefined : prefix,
    prompt: sample && promptOfRow(prompts, sample),
  });
}

/** The first prompt of a row; nothing where none can be made of it yet. */
function promptOfRow(prompts: EvaluationPrompts, row: PositionedRow): Prompt | undefined {
  try {
    if (prompts.turnsOf) return prompts.turnsOf(row)[0];
    return prompts.labels
      ? prompts.labelPromptsOf(row).labels[0]?.prompt
      : prompts.promptOf(row).prompt;
  } catch {
    return undefined;
  }
}

/** The choices of a row, and what stands before those without a space of their own. */
function askedChoices(
  prompts: EvaluationPrompts,
  { inferencer, sample }: Pick<InferConfig, 'inferencer'> & { readonly sample: PositionedRow },
): { readonly context: string; readonly choices: readonly unknown[] } {
  const prompt = promptOfRow(prompts, sample);
  const choices = inferencer.labels ?? sample.row.choices;
  if (prompt?.type !== 'text' || !Array.isArray(choices)) return { context: '', choices: [] };
  const spaces = prompts.droppedSpaces?.(sample, prompts.promptOf(sample).shots) ?? '';
  return { context: prompt.text + spaces, choices };
}

/** Whether prompts of plain text may begin with a mark that a server adds. */
function mayBeMarked({ type }: ModelConfig, { inferCfg }: DatasetConfig): boolean {
  const { template } = (inferCfg.promptTemplate ?? inferCfg.iceTemplate)?.config ?? {};
  return type === 'OpenAICompletions' && typeof template === 'string' && template.startsWith('<');
}

/** What may be wrong with how measured labels are scored. */
function* measuredDiagnostics(
  { abbr, source, evalCfg, readerCfg: { outputColumn }, inferCfg: { inferencer } }: DatasetConfig,
  { labels = inferencer.labels, samples, selection, scorer }: MeasuredTask,
): Generator<Diagnostic> {
  if (!evalCfg) return;
  if (!labels || outputColumn === undefined) return;
  const kept = samples.filter(keptBy(selection));
  const isWrong = ({ row }: NamedRow) =>
    isNoLabel(scorer, { gold: row[outputColumn], row, labels });
  const wrong = kept.filter(isWrong).map(({ row }) => row[outputColumn]);
  if (wrong.length === 0) return;
  const [how, rows] =
    wrong.length === kept.length
      ? ['No gold answer of', 'No row']
      : [`${wrong.length} of ${kept.length} different gold answers of`, 'None of their rows'];
  const none =
    wrong.length === kept.length ? 'is one' : wrong.length === 1 ? 'is none' : 'are none';
  yield {
    code: goldNotALabel,
    message: `${how} \`${abbr}\` ${none} of the labels: the labels are ${shownValues(labels)}, the column \`${outputColumn}\` has ${shownValues(wrong)}`,
    hint: `${rows} can be right. Write the labels as in the column, or change the gold answers with \`dataset_postprocessor\`.`,
    path: [...source, 'infer_cfg'],
  };
}

/** Few datasets have more labels than this; gold answers that are no labels are mostly more. */
const usualLabels = 8;

/** Labels that are taken from the gold answers, where these seem to be texts of their own. */
export function* answersAsLabels(
  { abbr, source, inferCfg, readerCfg: { outputColumn } }: DatasetConfig,
  {
    labels,
    head = [],
  }: Pick<FirstRows, 'head'> & { readonly labels: readonly unknown[] | undefined },
): Generator<Diagnostic> {
  const template = (inferCfg.promptTemplate ?? inferCfg.iceTemplate)?.config.template;
  const isOneTemplate =
    typeof template === 'string' ||
    (isMapping(template) && getKey(template, 'round') !== undefined);
  if (!labels || inferCfg.inferencer.labels || !isOneTemplate || outputColumn === undefined) return;
  if (labels.length <= usualLabels || labels.length * 2 < head.length) return;
  yield {
    code: 'data.answers_as_labels',
    message: `Every row of \`${abbr}\` is compared with ${countOf(labels.length, 'label')}, one for each different gold answer of \`${outputColumn}\`: every row takes that many requests`,
    hint: 'For free-text answers, use GenInferencer; if they are labels, set `labels` on the inferencer.',
    path: [...source, 'infer_cfg', 'inferencer'],
  };
}

/** Evaluators that can use every text. */
const anyGold: ReadonlySet<string> = new Set([
  ...['exact', 'contains', 'regex', 'AccEvaluator', 'AccwithDetailsEvaluator', 'EMEvaluator'],
]);

/** Gold answers of the first rows that no answer can be compared with, or that hold several. */
function* goldDiagnostics(
  { abbr, source, evalCfg, readerCfg: { outputColumn } }: DatasetConfig,
  { head = [], scorer }: Pick<FirstRows, 'head'> & { readonly scorer: Scorer },
): Generator<Diagnostic> {
  const { goldFault } = scorer;
  if (!evalCfg || outputColumn === undefined || !goldFault) return;
  if (anyGold.has(evalCfg.evaluator.type)) return;
  yield* unspacedWords(
    { abbr, source, evalCfg },
    head.map(({ row }) => row[outputColumn]),
  );
  const faults = new Map(head.map(({ row }) => [row, faultOf(goldFault, row[outputColumn], row)]));
  const path = [...source, 'eval_cfg'];
  const { type } = evalCfg.evaluator;
  const goldsWith = (fault: GoldFault) =>
    head.filter(({ row }) => faults.get(row) === fault).map(({ row }) => row[outputColumn]);
  const share = (golds: readonly unknown[]) =>
    `${golds.length} of the first ${countOf(head.length, 'gold answer')} of \`${abbr}\``;
  const unusable = goldsWith('unusable');
  if (unusable.length > 0) {
    yield {
      code: 'data.unusable_gold',
      message: `${share(unusable)} cannot be used by \`${type}\`: the column \`${outputColumn}\` has ${shownValues(unusable)}`,
      hint:
        type === 'choice'
          ? 'These rows get no score. Set `options` of the evaluator to the labels in the column, or use letters there.'
          : 'These rows get no score. Choose another evaluator, or change the gold answers with `dataset_postprocessor`.',
      path,
    };
  }
  const several = goldsWith('several');
  if (several.length === 0) return;
  yield {
    code: 'data.several_golds',
    message: `${share(several)} ${several.length === 1 ? 'holds' : 'hold'} several numbers, of which \`${type}\` takes the last: ${shownValues(several)}`,
    hint: 'Write one number, a list of all that are right, such as `[3, 4]`, or put `####` before the one that counts.',
    path,
  };
}

const wordSettings: Readonly<Record<string, readonly [key: string, hint: string]>> = {
  bleu: ['tokenize', 'Set `tokenize` of the evaluator to `ja`, `zh` or `char`.'],
  BleuEvaluator: ['tokenize', 'Set `tokenize` of the evaluator to `ja`, `zh` or `char`.'],
  ter: ['normalized', 'Set `normalized: true` and `asian_support: true` of the evaluator.'],
  token_f1: ['language', 'Set `language` of the evaluator, such as `ja`.'],
  SquadEvaluator: ['language', 'Set `language` of the evaluator, such as `ja`.'],
};

/** Metrics of words between spaces, where the gold answers are of scripts that have none. */
function* unspacedWords(
  { abbr, source, evalCfg }: Pick<DatasetConfig, 'abbr' | 'source' | 'evalCfg'>,
  golds: readonly unknown[],
): Generator<Diagnostic> {
  if (!evalCfg) return;
  const { type, ...options } = evalCfg.evaluator;
  const [key = '', hint = ''] = wordSettings[type] ?? [];
  if (hint === '' || options[key] !== undefined) return;
  const unspaced = golds.filter((gold) => hasNoSpaces(formatValue(gold ?? '')));
  if (unspaced.length * 2 <= golds.length) return;
  yield {
    code: 'data.unspaced_words',
    message: `\`${type}\` counts words between spaces, and ${unspaced.length} of the first ${countOf(golds.length, 'gold answer')} of \`${abbr}\` use a script without spaces: a whole sentence counts as one word`,
    hint,
    path: [...source, 'eval_cfg', 'evaluator'],
  };
}

function faultOf(find: NonNullable<Scorer['goldFault']>, gold: unknown, row: Row) {
  try {
    return find(gold, row);
  } catch (error) {
    if (isHeavyWork(error) || TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}

/** Whether a request compares labels of which none is the gold answer. */
export function asksNoLabel(
  scorer: Scorer,
  { asked, gold, row }: Pick<PlannedRequest, 'asked' | 'gold' | 'row'>,
): boolean {
  const labels = asked.type === 'loglikelihood' ? asked.labels : undefined;
  return labels !== undefined && isNoLabel(scorer, { gold, row, labels });
}

/** Labels that are compared, and rows whose gold answers may be none of them. */
interface MeasuredTask {
  readonly labels: readonly unknown[] | undefined;
  readonly samples: readonly PositionedRow[];
  readonly selection: RowSelection;
  readonly scorer: Scorer;
}

export const goldNotALabel = 'data.gold_not_a_label';

function shownValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 4).map((value) => `\`${formatValue(value)}\``);
  return shown.join(', ') + (values.length > shown.length ? ', …' : '');
}

/** Choices that stand right after the last letter or mark of a prompt: models know them after a space. */
function* gluedChoices(
  { abbr, source }: DatasetConfig,
  { context, choices }: { readonly context: string; readonly choices: readonly unknown[] },
): Generator<Diagnostic> {
  if (!/[\w:,.;?!)\]]$/.test(context)) return;
  const glued = choices.map((choice) => formatValue(choice)).find((text) => /^\w/.test(text));
  if (glued === undefined) return;
  const end = context.slice(context.lastIndexOf('\n') + 1).slice(-24);
  yield {
    code: 'template.glued_choices',
    message: `The choices of \`${abbr}\` follow the prompt directly, without a space: \`${end}${glued}\``,
    hint: `Write the space in the choices (\`' ${glued}'\`), or end the template with the hidden answer after a space, as in \`Answer: {label}\`.`,
    path: [...source, 'infer_cfg'],
  };
}

interface Stops {
  readonly model: ModelConfig | undefined;
  readonly inferencer: Parameters<typeof stopOf>[1];
  /** Those of the model's format. */
  readonly ofFormat: readonly string[];
  readonly row: PositionedRow | undefined;
}

/** A stop that ends each answer before it begins, because the model has to write it first. */
export function stopBeforeAnswer(
  { leadOf }: Pick<EvaluationPrompts, 'leadOf'>,
  { row, ...given }: Stops,
): Diagnostic | undefined {
  const stops = placedStops(given);
  if (!leadOf || !row || stops.length === 0) return undefined;
  const lead = leadOf(row);
  const found = stops.find(({ stop }) => stop !== '' && lead.includes(stop));
  if (!found) return undefined;
  return {
    code: 'template.stop_before_answer',
    message: `${formatPath(found.path)}: the stop ${JSON.stringify(found.stop)} would end every answer before it begins, because the model has to write ${JSON.stringify(lead)} first`,
    hint: /^[\t\p{Zs}]+$/u.test(lead)
      ? 'Set `keep_trailing_spaces: true` in the inferencer, or choose another stop.'
      : `End the prompt template with ${JSON.stringify(lead)}, as the examples do before their answers, or choose another stop.`,
    path: found.path,
  };
}

/** The stops that are sent. Settings of generation win over all others, those of the dataset first. */
function placedStops({
  model,
  inferencer,
  ofFormat,
}: Omit<Stops, 'row'>): { readonly stop: string; readonly path: ConfigPath }[] {
  const winner = [inferencer, model].find((from) => 'stop' in (from?.generationKwargs ?? {}));
  if (winner) {
    const given = winner.generationKwargs?.stop;
    const path = [...winner.source, 'generation_kwargs', 'stop'];
    return [given].flat().flatMap((stop) => (typeof stop === 'string' ? [{ stop, path }] : []));
  }
  const own = inferencer.stoppingCriteria ?? [];
  const format = model?.chatTemplate === undefined ? 'meta_template' : 'chat_template';
  const placeInModel = (stop: string) =>
    model?.stop === undefined && ofFormat.includes(stop) ? format : 'stop';
  const place = (stop: string): ConfigPath =>
    own.includes(stop)
      ? [...inferencer.source, 'stopping_criteria']
      : [...(model?.source ?? []), placeInModel(stop)];
  const stops = stopOf(model, inferencer, ofFormat) ?? model?.stop ?? [];
  return stops.map((stop) => ({ stop, path: place(stop) }));
}
