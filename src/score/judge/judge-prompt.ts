import { createHash } from 'node:crypto';
import type { ConfigPath } from '../../errors.ts';
import { fixedText } from '../../prompt/before-answer.ts';
import { checkFields, type Diagnostic, namedFields } from '../../prompt/diagnostics.ts';
import { chatApiFormat, type ModelFormat, plainFormat } from '../../prompt/format.ts';
import { hasMedia } from '../../prompt/lay-out.ts';
import type { Node } from '../../prompt/node.ts';
import type { RowId } from '../../prompt/origin.ts';
import { parseTemplate } from '../../prompt/parse-template.ts';
import type { MediaPart } from '../../prompt/parts/content.ts';
import { showPromptTags, showTracedTags, untag } from '../../prompt/parts/hidden-tags.ts';
import { withLooseMedia } from '../../prompt/parts/loose-media.ts';
import { mediaOfBody, namedMedia } from '../../prompt/parts/named-media.ts';
import { isEmpty } from '../../prompt/parts/part-form.ts';
import type { TurnMedia } from '../../prompt/parts/turn-media.ts';
import { compilePrompt, type PromptSettings, showsMedia } from '../../prompt/program.ts';
import type { Prompt, TracedPrompt } from '../../prompt/prompt.ts';
import { createShotPool, fillPrompt, tracePrompt } from '../../prompt/render.ts';
import {
  nodesOf,
  type SingleBody,
  type Template,
  type TemplateConfig,
} from '../../prompt/template.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { isMade, type JudgeValues, showsQuestion, showsTurn } from './judge-values.ts';

export interface JudgePromptSettings {
  readonly promptTemplate: TemplateConfig;
  readonly iceTemplate?: TemplateConfig | undefined;
  /** What examples show: the columns of the prompt, and the `reply` to it. */
  readonly examples?: readonly Row[] | undefined;
  readonly format: ModelFormat | undefined;
  /** Where the template stands in the config. */
  readonly path?: ConfigPath | undefined;
}

/** A judge's prompt for the row of this id, with the origin of every character. */
export type TraceJudgePrompt = (id: RowId) => TracedPrompt;

/** A judge's prompt for some columns, or what it has no column for. */
export type FilledJudgePrompt =
  | { readonly type: 'prompt'; readonly prompt: Prompt; readonly trace: TraceJudgePrompt }
  | { readonly type: 'missing'; readonly column: string; readonly message: string };

export interface JudgePrompt {
  /** The names that it fills in. */
  readonly fields: readonly string[];
  /** These, and the columns whose messages it shows. */
  readonly shown: readonly string[];
  /** What of it is not sent as it is written, in the format of the judge. */
  readonly diagnostics: readonly Diagnostic[];
  readonly showsMedia: boolean;
  readonly media: TurnMedia;
  /** The media that it names in a row, in whatever turn. */
  readonly mediaOf: (row: Row) => readonly MediaPart[];
  /** The first column that it fills in and is not among these. */
  readonly lacks: (columns: readonly string[]) => string | undefined;
  readonly fill: (values: JudgeValues) => FilledJudgePrompt;
}

/** Compiles what a judge is asked. Columns are filled in as they are, never read as a template. */
export function compileJudgePrompt({
  promptTemplate,
  iceTemplate,
  examples = [],
  format,
  path,
}: JudgePromptSettings): JudgePrompt {
  const hasShots = examples.length > 0;
  const settings: PromptSettings = {
    promptTemplate,
    iceTemplate: hasShots ? iceTemplate : undefined,
    hasShots,
    format: format ?? formatFor(promptTemplate),
    changeBody: begunAtEnd,
    ...(path && { paths: { promptTemplate: path } }),
  };
  const program = compilePrompt(settings);
  const fields = namedFields(program);
  const shown = [...fields, ...expandedColumns(program.template.body)];
  const media = mediaOfBody(program.body);
  // A turn need not show a medium, where others do.
  const ofTurn =
    media.parts.length > 0
      ? compilePrompt({ ...settings, changeBody: (body) => withLooseMedia(begunAtEnd(body)) })
      : program;
  // Tagged content is the whole of a turn in parts, or it stands among other texts.
  const isApart = !showsMedia(program) || shown.some(isMade) || saysMore(program.body);
  const named = new Set([...fields, ...media.texts]);
  const isTwice = [...named].filter((name) => showsQuestion(name)).length > 1;
  const rows = examples.map((values, id) => ({ id, row: withBoundary({ values, said: {} }) }));
  // Examples alone have a reply.
  const unknownIn = (columns: readonly string[]) =>
    checkFields(program, [...columns, 'reply']).find(
      ({ code }) => code === 'template.unknown_field',
    );
  const lacks = (columns: readonly string[]) => {
    const known = new Set([...columns, 'reply']);
    return unknownIn(columns) && (fields.find((name) => !known.has(name)) ?? 'unknown');
  };
  const shots = createShotPool(program, rows)?.take([...examples.keys()]);
  return {
    fields,
    shown,
    diagnostics: program.diagnostics,
    showsMedia: showsMedia(program),
    media,
    mediaOf: (row) => namedMedia(program.body, isApart ? untagged(row, media) : row),
    lacks,
    fill: (values) => {
      const said = isApart ? withoutTags(values, media) : values;
      const row = { ...withBoundary(said), ...mediaOfTurns(said, { media, fields: shown }) };
      const missing = unknownIn(Object.keys(row));
      if (missing) {
        const column = lacks(Object.keys(row)) ?? 'unknown';
        return { type: 'missing', column, message: missing.message };
      }
      // What is shown twice marks places twice.
      const isLoose = values.before || (isTwice && namedMedia(program.body, row).length > 0);
      const filled = isLoose ? ofTurn : program;
      return {
        type: 'prompt',
        prompt: showPromptTags(fillPrompt(filled, row, shots)),
        trace: (id) => showTracedTags(tracePrompt(filled, { id, row }, shots)),
      };
    },
  };
}

/** Whether a text beside media is more than a column, which may bring media itself. */
function saysMore(body: SingleBody): boolean {
  const parts = [...nodesOf(body)].flatMap((node) => (node.type === 'parts' ? node.parts : []));
  const isColumn = ({ nodes }: { readonly nodes: readonly Node[] }) =>
    nodes.length === 1 && nodes[0]?.type === 'field';
  return parts.some((part) => part.type === 'text' && !isColumn(part));
}

/** The columns whose messages a prompt shows. */
function expandedColumns(body: Template['body']): string[] {
  if (body.type !== 'messages') return [];
  return body.items.flatMap((item) => (item.type === 'expand' ? [item.column] : []));
}

interface ShownMedia {
  readonly media: TurnMedia;
  readonly fields: readonly string[];
}

/** The values with tagged content as text and media, which stand in the columns of the template. */
function withoutTags({ values, said, before }: JudgeValues, media: TurnMedia): JudgeValues {
  return {
    values: untagged(values, media),
    said,
    before: before?.map((row) => untagged(row, media)),
  };
}

function untagged(row: Row, { parts }: TurnMedia): Row {
  const columns = Object.keys(row).filter((name) => partsIn(row[name]).length > 0);
  if (columns.length === 0) return row;
  const texts = columns.map((name) => [name, textIn(row[name])]);
  // The question stands there twice: as its column, and as `question`.
  const found = partsIn(row[columns[0] as string]);
  const media = parts.flatMap(({ part, type }) => {
    const sources = found.flatMap((one) => one.media.get(type) ?? []);
    return sources.length > 0 ? [[part.slot, sources]] : [];
  });
  return { ...row, ...Object.fromEntries(texts), ...Object.fromEntries(media) };
}

function partsIn(value: unknown) {
  return [value].flat().flatMap((one) => untag(one) ?? []);
}

function textIn(value: unknown): unknown {
  return Array.isArray(value) ? value.map(textIn) : (untag(value)?.text ?? value);
}

/** The media of a dialogue: those of the turns that the prompt shows, in order. */
function mediaOfTurns({ values, before = [] }: JudgeValues, { media, fields }: ShownMedia): Row {
  const earlier = before.filter((_, turn) => showsTurn(fields, turn));
  if (earlier.length === 0) return {};
  const columns = media.parts.flatMap(({ columns }) => columns);
  return Object.fromEntries(
    columns.map((column) => [
      column,
      [...earlier, values].flatMap((row) => [row[column]].flat()).filter((one) => !isEmpty(one)),
    ]),
  );
}

/** Adds a code that no text contains, so that none can end the section it stands in. */
function withBoundary({ values, said }: JudgeValues): Row {
  const texts = Object.values(values).map(formatValue);
  const all = [...texts, ...Object.values(said).map(formatValue)];
  let boundary = '';
  for (
    let attempt = 0;
    boundary === '' || all.some((text) => text.includes(boundary));
    attempt += 1
  ) {
    const hash = createHash('sha256').update(JSON.stringify([attempt, texts]));
    boundary = hash.digest('hex').slice(0, 12);
  }
  return { ...values, ...said, boundary };
}

/** The form of a prompt for a judge that is not known any more: with media there is none but messages. */
function formatFor(promptTemplate: TemplateConfig): ModelFormat {
  const { body } = parseTemplate(promptTemplate, ['prompt_template']);
  return hasMedia(body) ? chatApiFormat : plainFormat;
}

/** Nothing is hidden from a judge: fixed text at the end can be nothing but the beginning of its verdict. */
function begunAtEnd<Body extends SingleBody>(body: Body): Body {
  if (body.type !== 'dialogue') return body;
  const last = body.round.at(-1);
  if (last?.type !== 'turn' || fixedText(last.prompt ?? []) === undefined) return body;
  return { ...body, round: body.round.with(-1, { ...last, isBegun: true }) };
}
