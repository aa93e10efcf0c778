import { type ConfigPath, TemplateError } from '../../errors.ts';
import type { RowId, Span } from '../../prompt/origin.ts';
import type { TracedPrompt } from '../../prompt/prompt.ts';
import { toPython } from '../../python/convert.ts';
import { pySubscript } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { toTraced } from '../../python/traced-text.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';
import type { Compat } from '../compat.ts';
import {
  type CompatTemplate,
  createTemplate,
  renderItem,
  renderLabelItem,
} from './any-template.ts';
import { contentPartSpans } from './content-parts.ts';
import { fitShots } from './fit-shots.ts';
import { getLabels } from './labels.ts';
import { toWireMessages } from './messages.ts';
import { createParser, type ParseMode, parsePrompt, type TemplateParser } from './parser.ts';
import { type Reader, readReader } from './reader.ts';
import { chooseTemplate, generateIce, readSeparators, type Separators } from './shots.ts';

/** The parts of a config that shape a prompt, as they were loaded. */
export interface CompatConfig {
  readonly compat: Compat;
  readonly promptTemplate?: unknown;
  readonly iceTemplate?: unknown;
  /** `reader_cfg`, of which the columns matter here. */
  readonly reader: unknown;
  readonly retriever?: unknown;
  readonly inferencer?: unknown;
  readonly model: CompatModel;
  /** Where these parts are in the config, for origins and errors. */
  readonly paths?: Partial<Record<'promptTemplate' | 'iceTemplate' | 'metaTemplate', ConfigPath>>;
  /** Marks that stand for columns in the templates, by column. */
  readonly columnTokens?: Partial<
    Record<'promptTemplate' | 'iceTemplate', ReadonlyMap<string, string> | undefined>
  >;
}

export interface CompatModel {
  readonly kind: 'text' | 'chat';
  readonly metaTemplate?: unknown;
}

/** A config, checked and ready for any number of rows. */
export interface CompatSetup extends Separators {
  readonly compat: Compat;
  readonly promptTemplate?: CompatTemplate | undefined;
  readonly iceTemplate?: CompatTemplate | undefined;
  readonly reader: Reader;
  readonly inferencer: PyDict;
  readonly parser: TemplateParser;
}

export interface CompatRow {
  readonly id: RowId;
  readonly row: unknown;
}

export interface PromptListRequest {
  readonly row: CompatRow;
  readonly ice: PyValue;
  readonly mode: ParseMode;
  /** The label of a `ppl` prompt. */
  readonly label?: unknown;
}

export interface CompatRequest extends Omit<PromptListRequest, 'ice'> {
  readonly shots: readonly CompatRow[];
}

export interface CompatPrompt {
  /** The prompt before the model's format: text, a `PromptList` or messages. */
  readonly promptList: PyValue;
  /** The prompt as it is sent. */
  readonly prompt: TracedPrompt;
  /** How many of the examples are in it. */
  readonly shotCount: number;
}

/** Checks a config the way the original does when it builds its objects. */
export function prepareCompat(config: CompatConfig): CompatSetup {
  const { compat, paths = {} } = config;
  const template = (
    name: 'promptTemplate' | 'iceTemplate',
    path: ConfigPath,
  ): CompatTemplate | undefined => {
    const value = config[name];
    if (value === undefined || value === null) return undefined;
    return createTemplate(value, { compat, path, columnTokens: config.columnTokens?.[name] });
  };
  const promptTemplate = template('promptTemplate', paths.promptTemplate ?? ['prompt_template']);
  const iceTemplate = template('iceTemplate', paths.iceTemplate ?? ['ice_template']);
  const inferencer = toDict(config.inferencer);
  return {
    compat,
    promptTemplate,
    iceTemplate: ignoresExamples(inferencer) ? undefined : iceTemplate,
    reader: readReader(config.reader),
    ...readSeparators(toDict(config.retriever)),
    inferencer,
    parser: createParser(config.model.metaTemplate, {
      compat,
      parser: config.model.kind === 'text' ? 'lm' : 'api',
      path: paths.metaTemplate ?? ['meta_template'],
    }),
  };
}

/** The examples of a prompt. */
export function buildIce(setup: CompatSetup, shots: readonly CompatRow[]): PyValue {
  if (ignoresExamples(setup.inferencer)) return '';
  return generateIce({
    ...setup,
    shots: shots.map(({ id, row }) => ({ id, entry: toDict(row) })),
    outputColumn: setup.reader.outputColumn,
  });
}

/** The prompt before the model's format. */
export function buildPromptList(setup: CompatSetup, request: PromptListRequest): PyValue {
  const { row, ice, mode } = request;
  const template = chooseTemplate(setup);
  const entry = toDict(row.row);
  if (mode === 'ppl') {
    const remainSep = (setup.inferencer.get('normalizing_str') ?? null) !== null;
    const label = toPython(request.label);
    return renderLabelItem(template, { entry, row: row.id, ice, label, remainSep });
  }
  const extra = setup.inferencer.get('extra_prompt');
  const token = setup.inferencer.get('gen_field_replace_token');
  return renderItem(template, {
    entry: extra instanceof PyDict ? entry.merge(extra.entries()) : entry,
    row: row.id,
    ice,
    outputField: setup.reader.outputColumn,
    outputFieldReplaceToken: token === undefined ? '' : token,
  });
}

/**
 * Makes the prompt of a row as OpenCompass or AISBench does.
 *
 * With `max_seq_len` in the inferencer, examples are dropped from the end until the prompt fits.
 * The original does not take them back for the labels that follow: give those `shotCount` examples.
 */
export function buildCompatPrompt(setup: CompatSetup, request: CompatRequest): CompatPrompt {
  const build = (shots: readonly CompatRow[]): PyValue =>
    buildPromptList(setup, { ...request, ice: buildIce(setup, shots) });
  const { parser, inferencer } = setup;
  const { mode } = request;
  const { prompt: promptList, shotCount } = fitShots(request.shots, {
    build,
    parser,
    mode,
    maxSeqLen: inferencer.get('max_seq_len') ?? null,
  });
  const parsed = parsePrompt(parser, { prompt: promptList, mode });
  return { promptList, prompt: toTracedPrompt(parser, parsed), shotCount };
}

/** The labels for which a `ppl` prompt is made, in order. */
export function compatLabels(setup: CompatSetup, rows: readonly unknown[]): readonly PyValue[] {
  const labels = setup.inferencer.get('labels') ?? null;
  return getLabels({
    ...setup,
    labels: Array.isArray(labels) ? labels : undefined,
    entries: rows.map(toDict),
    outputColumn: setup.reader.outputColumn,
  });
}

/** What a parser gives, as a prompt. */
export function toTracedPrompt(
  parser: Pick<TemplateParser, 'parser' | 'path'>,
  parsed: PyValue,
): TracedPrompt {
  if (parser.parser === 'lm') return { type: 'text', spans: spansOf(parsed, parser.path) };
  return {
    type: 'messages',
    messages: toWireMessages(parsed).map((message) => ({
      role: pyStr(message.get('role') ?? ''),
      spans: spansOf(pySubscript(message, 'content'), parser.path),
    })),
  };
}

function spansOf(content: PyValue, path: ConfigPath): readonly Span[] {
  if (isText(content)) return toTraced(content).spans;
  const parts = contentPartSpans(content);
  if (parts) return parts;
  throw new TemplateError('compat.content_parts', 'the content of a message is not text', {
    hint: 'prompts with images, audio or video cannot be shown as text: use parsePrompt',
    path,
  });
}

function ignoresExamples(inferencer: PyDict): boolean {
  return /(^|\.)SWCELossInferencer$/.test(pyStr(inferencer.get('type') ?? ''));
}

function toDict(value: unknown): PyDict {
  const converted = toPython(value ?? {});
  if (converted instanceof PyDict) return converted;
  throw new TemplateError('compat.not_a_mapping', `expected a mapping, not ${pyStr(converted)}`, {
    hint: 'write a row as column names and values, and a part of the config as keys and values',
  });
}
