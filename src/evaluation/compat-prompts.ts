import { type BaseColumnsOf, withBaseColumns } from '../compat/data/base-columns.ts';
import {
  buildCompatPrompt,
  buildIce,
  buildPromptList,
  type CompatRow,
  type CompatSetup,
  compatLabels,
  prepareCompat,
} from '../compat/prompt/build.ts';
import { contentPartSpans } from '../compat/prompt/content-parts.ts';
import { normalizePrompt } from '../compat/prompt/labels.ts';
import { promptListText } from '../compat/prompt/prompt-list.ts';
import { TemplateError } from '../errors.ts';
import { namedFormats } from '../prompt/catalogue.ts';
import type { ModelFormat } from '../prompt/format.ts';
import type { Span } from '../prompt/origin.ts';
import { parseColumnTokens } from '../prompt/parse-template.ts';
import { type TracedMessage, type TracedPrompt, untrace } from '../prompt/prompt.ts';
import type { PromptList, PromptListItem } from '../prompt/prompt-list.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { CompatError } from '../python/compat-error.ts';
import { pyStr } from '../python/repr.ts';
import { plainText, TracedText, toTraced } from '../python/traced-text.ts';
import { PyDict, PromptList as PyPromptList, type PyValue } from '../python/values.ts';
import { leakDiagnostics } from '../retrieve/leak.ts';
import type { Retriever } from '../retrieve/retriever.ts';
import { compatDiagnostics } from './compat-diagnostics.ts';
import { fitPrompt, isTooLong } from './fit-context.ts';
import type { LabelTexts } from './mdl-label-losses.ts';
import {
  comparesLabels,
  type EvaluationPrompts,
  type LocatedTemplate,
  type PromptData,
  type PromptSetup,
  placeAnswers,
} from './prompt-setup.ts';

interface Built {
  readonly promptList: PyValue;
  readonly prompt: TracedPrompt;
  /** Where the original says that the answer begins. */
  readonly answerStart?: number | undefined;
}

/** The prompts of a task as OpenCompass or AISBench makes them. */
export function compatPrompts(
  task: PromptSetup,
  data: PromptData,
  retriever: Retriever,
): EvaluationPrompts {
  const setup = prepareSetup(task);
  const mode = comparesLabels(task) ? 'ppl' : 'gen';
  const { normalizingStr } = task.inferencer;
  const labels =
    mode === 'ppl'
      ? compatLabels(
          setup,
          data.test.map(({ row }) => row),
        )
      : undefined;
  const askedOf = askedRow(task, data);
  const takeShots = (ids: readonly number[]) => ids.map((id) => shotAt(data, id, task));
  const build = (row: PositionedRow, shots: readonly number[], label?: PyValue): Built => {
    const request = { row: askedOf(row), shots: takeShots(shots), mode, label } as const;
    const { promptList, prompt } = buildCompatPrompt(setup, request);
    if (mode === 'ppl' && normalizingStr !== undefined) {
      const cut = normalizePrompt(promptList, { ...setup, normalizingStr });
      const spans = toTraced(cut.prompt).spans;
      const answerStart = plainText(cut.context).length;
      return { promptList: cut.prompt, prompt: { type: 'text', spans }, answerStart };
    }
    return { promptList, prompt: applyChatTemplate(prompt, task.model.format, mode) };
  };
  return {
    prepare: retriever.prepare,
    seed: retriever.seed,
    mode,
    labels,
    diagnostics: compatDiagnostics(task, data),
    promptOf: (row) =>
      fitPrompt(retriever(row), (shots) => untrace(build(row, shots).prompt), {
        row: row.row,
        context: task.context,
      }),
    traceOf: (row, shots) => {
      const { promptList, prompt } = build(row, shots);
      return { list: listOf(promptList), prompt };
    },
    labelPromptsOf: (row) => {
      const asked = { row: row.row, context: task.context };
      let shots = retriever(row);
      const wanted = shots.length;
      let tooLong = false;
      const traced = (labels ?? []).map((label) => {
        let { prompt, answerStart } = build(row, shots, label);
        // As there: a label that is too long shortens the examples of the labels after it.
        while (shots.length > 0 && isTooLong(untrace(prompt), asked)) {
          shots = shots.slice(0, -1);
          ({ prompt, answerStart } = build(row, shots, label));
        }
        tooLong ||= shots.length === 0 && isTooLong(untrace(prompt), asked);
        return { label, shots, traced: prompt, answerStart };
      });
      return { labels: placeAnswers(traced), shots, dropped: wanted - shots.length, tooLong };
    },
    labelListOf: (row, { index, shots }) => listOf(build(row, shots, labels?.[index]).promptList),
    examplesAt: takeShots,
    checkRow: () => [],
    leaksOf: (row, shots) =>
      leakDiagnostics(row, takeShots(shots), {
        columns: task.inputColumns,
        path: task.retriever.source,
      }),
    showsMedia: task.promptTemplate?.config.type === 'MMPromptTemplate',
  };
}

/** A row as it is asked about: with the columns that the originals add to it. */
export function askedRow(
  task: Pick<PromptSetup, 'compat' | 'dataset'>,
  data: Pick<PromptData, 'isOneList'>,
): (row: PositionedRow) => PositionedRow {
  const given = columnsGiven(task, data, 'testSplit');
  return (row) => (given ? withBaseColumns(row, row.position, given) : row);
}

function columnsGiven(
  { compat, dataset }: Pick<PromptSetup, 'compat' | 'dataset'>,
  { isOneList }: Pick<PromptData, 'isOneList'>,
  which: 'testSplit' | 'trainSplit',
): BaseColumnsOf | undefined {
  if (!compat || !dataset) return undefined;
  // AISBench looks at its reader's data, which are in splits in any case.
  const isUnnamed = compat === 'opencompass' && (isOneList ?? dataset.isOneList);
  const split = isUnnamed ? undefined : dataset[which];
  return { compat, abbr: dataset.abbr, split };
}

/** The training row at a place, which may be beyond them: some retrievers do not look. */
export function shotAt(
  data: Pick<PromptData, 'train' | 'isOneList'>,
  place: number,
  task: Pick<PromptSetup, 'compat' | 'dataset' | 'retriever'>,
): NamedRow {
  const { train } = data;
  const named = train.at(place);
  const given = columnsGiven(task, data, 'trainSplit');
  if (named) {
    return given ? withBaseColumns(named, (place + train.length) % train.length, given) : named;
  }
  throw new CompatError({
    type: 'IndexError',
    message: `Invalid key: ${place} is out of bounds for size ${train.length}`,
    what: `example ${place} does not exist: the train split has ${train.length} rows`,
    hint: 'use fewer examples, or leave out compat',
    path: task.retriever.source,
  });
}

/** The texts of a row's labels as OpenCompass compares them: without the model's format. */
export function compatLabelTexts(task: PromptSetup, data: PromptData): LabelTexts {
  const setup = prepareSetup(task);
  const labels = compatLabels(
    setup,
    data.train.map(({ row }) => row),
  );
  const asText = (value: PyValue): string =>
    pyStr(value instanceof PyPromptList ? promptListText(value, setup.compat) : value);
  return (query, ids) => {
    const ice = asText(
      buildIce(
        setup,
        ids.map((id) => shotAt(data, id, task)),
      ),
    );
    const from = ice.length + pyStr(setup.iceEosToken).length;
    return labels.map((label) => {
      const request = { row: query as CompatRow, ice, mode: 'ppl', label } as const;
      const text = asText(buildPromptList(setup, request));
      return { text, from: Math.min(from, text.length) };
    });
  };
}

/** The templates and the format of a task, checked by the rules of its system. */
export function prepareSetup(task: PromptSetup): CompatSetup {
  const { compat, retriever, inferencer, model } = task;
  const promptTemplate = task.promptTemplate && splitTokens(task.promptTemplate);
  const iceTemplate = task.iceTemplate && splitTokens(task.iceTemplate);
  if (compat === undefined) throw new RangeError('not a compat task');
  return prepareCompat({
    compat,
    promptTemplate: promptTemplate?.config,
    iceTemplate: iceTemplate?.config,
    reader: { input_columns: task.inputColumns, output_column: task.outputColumn ?? null },
    retriever: dropUndefined({
      type: retriever.type,
      ice_separator: retriever.iceSeparator,
      ice_eos_token: retriever.iceEosToken,
    }),
    inferencer: dropUndefined({
      type: inferencer.type,
      labels: inferencer.labels,
      gen_field_replace_token: inferencer.genFieldReplaceToken,
      normalizing_str: inferencer.normalizingStr,
    }),
    model: {
      kind: model.takes === 'text' && model.format.type !== 'chat-template' ? 'text' : 'chat',
      metaTemplate: metaTemplateOf(task),
    },
    paths: {
      ...(promptTemplate && { promptTemplate: promptTemplate.source }),
      ...(iceTemplate && { iceTemplate: iceTemplate.source }),
      ...(model.source && { metaTemplate: [...model.source, 'meta_template'] }),
    },
    columnTokens: {
      promptTemplate: promptTemplate?.columnTokens,
      iceTemplate: iceTemplate?.columnTokens,
    },
  });
}

/** Neither system takes marks of columns any more; messages never had them. */
function splitTokens({ config, source }: LocatedTemplate) {
  const { column_token_map: tokens, ...rest } = config;
  if (config.messages !== undefined) return { config, source };
  const path = [...source, 'column_token_map'];
  const iceToken = typeof config.ice_token === 'string' ? config.ice_token : undefined;
  return { config: rest, source, columnTokens: parseColumnTokens(tokens, iceToken, path) };
}

const human = { role: 'HUMAN', api_role: 'HUMAN' };
const bot = { role: 'BOT', api_role: 'BOT', generate: true };

/** The meta template, or the one that the original's model classes bring where none is given. */
export function metaTemplateOf({ compat, model }: PromptSetup): unknown {
  const { metaTemplate, format, takes } = model;
  if (typeof metaTemplate === 'string') return metaNamed(metaTemplate);
  if (metaTemplate !== undefined && metaTemplate !== null) return metaTemplate;
  if (compat === 'aisbench' && (takes === 'messages' || format.type === 'chat-template')) {
    return { round: [human, bot], reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }] };
  }
  if (format.type === 'chat-template') {
    return { round: [human, { role: 'SYSTEM', api_role: 'HUMAN' }, bot] };
  }
  return undefined;
}

/** A format of the catalogue with what the originals know: their roles have turns of their own. */
function metaNamed(name: string): unknown {
  const meta = namedFormats.find((format) => format.name === name)?.meta;
  const reserved = meta?.reserved_roles;
  if (!Array.isArray(reserved)) return meta;
  return { ...meta, reserved_roles: reserved.filter(({ into }) => into === undefined) };
}

/** Messages as the model's own chat template writes them, where it has one. */
export function applyChatTemplate(
  prompt: TracedPrompt,
  format: ModelFormat,
  mode: 'gen' | 'ppl',
): TracedPrompt {
  if (format.type !== 'chat-template' || prompt.type !== 'messages') return prompt;
  const { template, variables, tools, now } = format;
  const messages: TracedMessage[] = prompt.messages.filter(({ spans }) =>
    spans.some(({ text }) => text !== ''),
  );
  const addGenerationPrompt = mode === 'gen';
  return {
    type: 'text',
    spans: template.trace({ messages, addGenerationPrompt, variables, tools, now }),
  };
}

/** The original's prompt list as ours: its section marks carry no text and are left out. */
function listOf(value: PyValue): PromptList {
  const list = value instanceof PyPromptList ? value.items : value;
  if (!Array.isArray(list)) return { type: 'text', spans: spansOf(value) };
  const items = list.flatMap((item: PyValue): PromptListItem[] => {
    if (!(item instanceof PyDict)) return [{ type: 'text', spans: spansOf(item) }];
    if (item.has('section')) return [];
    const fallbackRole = item.get('fallback_role');
    return [
      {
        type: 'turn',
        role: pyStr(item.get('role') ?? ''),
        ...(fallbackRole !== undefined && { fallbackRole: pyStr(fallbackRole) }),
        spans: spansOf(item.get('prompt') ?? item.get('prompt_mm') ?? item.get('content') ?? ''),
      },
    ];
  });
  return { type: 'list', items };
}

function spansOf(value: PyValue): readonly Span[] {
  if (typeof value === 'string' || value instanceof TracedText) return toTraced(value).spans;
  const parts = contentPartSpans(value);
  if (parts) return parts;
  throw new TemplateError('compat.content_parts', `${pyStr(value)} is not text`, {});
}

function dropUndefined(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
