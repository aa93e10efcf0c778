import { nearestName } from '../base/nearest-name.ts';
import type { ConfigPath } from '../errors.ts';
import { answerPrefixOf, lastLines, losesStart, unsentSpaces } from './before-answer.ts';
import { arrangeDialogue, roleOf } from './dialogue.ts';
import { isLinewise, type ModelFormat } from './format.ts';
import { dialogueTurn } from './lay-out.ts';
import { type FieldNode, type Node, nodesOfPart } from './node.ts';
import type { Modality } from './parts/content.ts';
import { type Plan, showsShots } from './plan.ts';
import {
  type Item,
  itemsOf,
  nodesOf,
  type SingleBody,
  type Template,
  type Turn,
} from './template.ts';
import type { Row } from './values.ts';

/** Something that is allowed but likely not meant, or that the reader of a prompt should know. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path: ConfigPath;
  /** Character in the string at `path`. */
  readonly start?: number;
}

/** Whether something is mostly a mistake, or what the reader of a prompt may want to know. */
export type DiagnosticKind = 'warning' | 'note';

const notes: ReadonlySet<string> = new Set([
  'template.answer_start_kept',
  'template.role_fell_back',
  'template.space_after_answer',
  'template.space_before_answer',
  'template.system_folded',
  'template.undeclared_field',
  'template.value_looks_like_placeholder',
  'model.prefix_before_thoughts',
]);

/** The kind of a diagnostic: what is told before a run, and what only a view says. */
export function kindOf({ code }: Pick<Diagnostic, 'code'>): DiagnosticKind {
  return notes.has(code) ? 'note' : 'warning';
}

/** The templates of a compiled prompt. */
interface CompiledTemplates {
  readonly template: Template;
  readonly iceTemplate: Template | undefined;
  /** The template of the prompt with the answer hidden. */
  readonly body: SingleBody;
  readonly outputColumn: string | undefined;
}

interface LintInput extends Omit<CompiledTemplates, 'outputColumn'> {
  readonly format: ModelFormat;
  readonly mode: 'gen' | 'ppl';
  readonly plan: Plan;
  readonly hasShots: boolean;
}

/** Findings of templates without data. */
export function lintTemplates(input: LintInput): Diagnostic[] {
  return [
    ...doubledBraces(input),
    ...plainMarks(input),
    ...hiddenShots(input),
    ...textWithoutRole(input),
    ...formatRemarks(input),
    ...spaceBeforeAnswer(input),
  ];
}

/** What a model's format makes of what is said: roles that it does not have, and the answer's beginning. */
export function formatRemarks(input: Pick<LintInput, 'body' | 'format' | 'mode' | 'plan'>) {
  return [...otherRoles(input), ...afterAnswer(input), ...answerStart(input)];
}

/** What a template says after the place where the model answers. */
function unsentItems({
  body,
  format,
  mode,
}: Pick<LintInput, 'body' | 'format' | 'mode'>): readonly Item[] {
  if (mode !== 'gen' || body.type !== 'dialogue' || body.end.length === 0) return [];
  if (format.type === 'plain' || !format.meta.round) return [];
  const isAnswered = arrangeDialogue(body, format.meta, mode).at(-1)?.type === 'generate';
  return isAnswered ? body.end : [];
}

function* afterAnswer(input: Pick<LintInput, 'body' | 'format' | 'mode'>): Generator<Diagnostic> {
  for (const item of unsentItems(input)) {
    const speaker = item.type === 'turn' ? `what ${item.role} says` : 'a text';
    yield {
      code: 'template.end_not_sent',
      message: `${speaker} in \`end\` is not sent: it comes after the answer of the model`,
      hint: 'Move it into `begin` or `round`, before the answer.',
      path: item.path,
    };
  }
}

function* otherRoles(input: Pick<LintInput, 'body' | 'format' | 'mode'>): Generator<Diagnostic> {
  const { body, format } = input;
  if (body.type === 'string' || format.type === 'plain' || !format.meta.round) return;
  const unsent = new Set(unsentItems(input));
  for (const item of itemsOf(body).filter((one) => !unsent.has(one))) {
    if (item.type !== 'turn') continue;
    const turn = body.type === 'dialogue' ? item : dialogueTurn(item, format);
    const said = turn && roleOf(turn, format.meta);
    if (!said) continue;
    if (said.into !== undefined) {
      yield {
        code: 'template.system_folded',
        message: `the ${turn.role} text is put at the start of the next ${said.into} turn`,
        path: item.path,
      };
    } else if (said.role !== turn.role) {
      yield {
        code: 'template.role_fell_back',
        message: `the model's format has no ${turn.role}: the text becomes a separate ${said.role} turn`,
        hint: `Without \`fallback_role\` a SYSTEM text goes into the next HUMAN turn.`,
        path: item.path,
      };
    }
  }
}

function* answerStart({
  body,
  format,
  mode,
  plan,
}: Pick<LintInput, 'body' | 'format' | 'mode' | 'plan'>): Generator<Diagnostic> {
  if (mode !== 'gen' || body.type === 'string') return;
  const items = body.type === 'dialogue' ? body.round : body.items;
  const last = items.at(-1);
  if (last?.type !== 'turn' || !answers(last, format, body)) return;
  const isRaw = body.type === 'messages';
  const prefix = answerPrefixOf(isRaw ? { ...last, isBegun: true } : last);
  if (!prefix && losesStart(last, isLinewise(format))) {
    yield {
      code: 'template.answer_start_dropped',
      message: `the text of the last ${last.role} turn, where the model answers, is not sent`,
      hint: 'Only fixed text before the hidden answer is sent: columns might give it away.',
      path: last.path,
    };
  }
  if (!prefix || format.type !== 'chat' || (plan.type === 'messages' && plan.isOpen)) return;
  const shown = prefix.text === undefined ? 'the last message' : JSON.stringify(prefix.text);
  yield {
    code: 'template.answer_prefix_not_taken',
    message: isRaw
      ? `${shown} is sent as a complete answer: the server is not told to continue it`
      : `${shown}, the beginning of the answer, is not sent: the server may not be able to continue an answer`,
    hint: 'If it can, set `prefill` on the model: `continue_final_message` or `last_message`.',
    path: last.path,
  };
}

/** Whether the model answers in a turn. */
function answers(
  { role, generate }: Turn,
  format: ModelFormat,
  body: Exclude<SingleBody, { type: 'string' }>,
): boolean {
  if (body.type === 'messages') return role === 'assistant';
  if (isLinewise(format)) return role === 'BOT' && body.end.length === 0;
  return generate ?? format.meta.roles.get(role)?.generate ?? false;
}

/** Marks of the places of examples, in a template that does not say that they are marks. */
function* plainMarks(input: LintInput): Generator<Diagnostic> {
  const templates = templatesOf(input);
  const marks = [...templates.flatMap(({ iceToken }) => iceToken ?? []), usualMark];
  const unmarked = templates.filter(({ iceToken }) => iceToken === undefined);
  for (const { text, at } of unmarked.flatMap((part) => [...literals(part)])) {
    const mark = marks.find((one) => text.includes(one));
    if (mark === undefined) continue;
    yield {
      code: 'template.plain_ice_token',
      message: `\`${mark}\` is sent as written: the template has no \`ice_token\``,
      hint: `Set \`ice_token: "${mark}"\` next to \`template\`, or remove it from the text.`,
      path: at.path,
      start: at.start + text.indexOf(mark),
    };
  }
}

const usualMark = '</E>';

function templatesOf({ template, iceTemplate }: LintInput): readonly Template[] {
  return [...new Set([template, iceTemplate])].filter((part) => part !== undefined);
}

function* hiddenShots({ template, plan, hasShots }: LintInput): Generator<Diagnostic> {
  if (!hasShots || showsShots(plan)) return;
  yield {
    code: 'template.examples_not_shown',
    message: 'the retriever gives examples, but the prompt does not show them',
    hint: 'Write the `ice_token` before the answer, or use ZeroRetriever.',
    path: template.path,
  };
}

/** What is written in a template and not filled in. */
function* literals({ body }: Template) {
  for (const node of [...nodesOf(body)].flatMap(nodesInside)) {
    if (node.type !== 'text' || node.span.origin.type !== 'literal') continue;
    yield { text: node.span.text, at: node.span.origin.at };
  }
}

function nodesInside(node: Node): readonly Node[] {
  return node.type === 'parts' ? node.parts.flatMap(nodesOfPart) : [node];
}

function* doubledBraces(input: LintInput): Generator<Diagnostic> {
  for (const { body } of templatesOf(input)) {
    let before: string | undefined;
    for (const node of nodesOf(body)) {
      if (node.type === 'field' && before?.endsWith('{')) {
        yield {
          code: 'template.doubled_braces',
          message: `\`{{${node.name}}}\` is \`{${node.name}}\` with braces around it, which are sent`,
          hint: 'A column takes one pair of braces; other braces need no escaping.',
          ...node.at,
        };
      }
      before = node.type === 'text' ? node.span.text : undefined;
    }
  }
}

function* textWithoutRole(input: LintInput): Generator<Diagnostic> {
  const { body, format } = input;
  if (format.type !== 'chat' && format.type !== 'chat-template') return;
  if (body.type !== 'dialogue') return;
  const unsent = new Set(unsentItems(input));
  for (const item of [...body.begin, ...body.end].filter((one) => !unsent.has(one))) {
    if (item.type !== 'text' || item.nodes.every((node) => node.type === 'shots')) continue;
    yield {
      code: 'template.text_without_role',
      message: 'text without a role is sent as a user message',
      hint: 'Write {role: SYSTEM, prompt: …} to choose a role.',
      path: item.path,
    };
  }
}

function* spaceBeforeAnswer({ template, plan }: LintInput): Generator<Diagnostic> {
  const nodes = lastLines(plan).flatMap((line) => line.nodes.flatMap(nodesInside));
  const { length } = unsentSpaces(nodes);
  if (length === 0) return;
  const [spaces, are, them] = length === 1 ? ['space', 'is', 'it'] : ['spaces', 'are', 'them'];
  yield {
    code: 'template.space_before_answer',
    message: `${length} ${spaces} before the hidden answer ${are} not sent: the model is expected to write ${them}`,
    hint: 'To send it, set `keep_trailing_spaces: true` in the inferencer.',
    path: [...template.path, 'template'],
  };
}

/**
 * Reports, once per name, placeholders that the data cannot fill.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: '{qestion}' } });
 * checkFields(program, ['question'])[0]?.code; // 'template.unknown_field'
 */
export function checkFields(
  program: CompiledTemplates,
  columns: readonly string[],
  inputColumns?: readonly string[],
): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const templates = new Set([
    program.template,
    ...(program.iceTemplate ? [program.iceTemplate] : []),
  ]);
  for (const template of templates) {
    for (const node of nodesOf(template.body)) {
      for (const field of placedFields(node)) {
        const diagnostic = checkField(field, columns, inputColumns, program.outputColumn);
        const key = `${[...templates].indexOf(template)} ${field.name}`;
        if (diagnostic && !found.has(key)) found.set(key, diagnostic);
      }
    }
    const known = [...columns, ...(inputColumns ?? []), program.outputColumn ?? []].flat();
    for (const diagnostic of tokenRemarks(template, known)) {
      if (!found.has(diagnostic.message)) found.set(diagnostic.message, diagnostic);
    }
  }
  return [...found.values()];
}

interface TokensOfColumns extends Pick<Template, 'path'> {
  readonly columnTokens?: Template['columnTokens'];
}

/** Names in a `column_token_map` that are no columns: mostly the tokens, where both sides are swapped. */
export function* unknownTokenColumns(
  { columnTokens, path }: TokensOfColumns,
  columns: readonly string[],
): Generator<Diagnostic> {
  for (const [column, token] of columnTokens ?? []) {
    if (columns.includes(column)) continue;
    yield {
      code: 'template.unknown_field',
      message: `\`${column}\` in \`column_token_map\` is not a column, so nothing is filled in for its token \`${token}\``,
      hint: columns.includes(token)
        ? `The map goes from columns to tokens: write \`${token}: "${column}"\`.`
        : hintForField(column, columns),
      path: [...path, 'column_token_map', column],
    };
  }
}

function* tokenRemarks(template: Template, columns: readonly string[]): Generator<Diagnostic> {
  if (!template.columnTokens) return;
  yield* unknownTokenColumns(template, columns);
  yield* plainFields(template, columns);
}

/**
 * A prompt that is the same for all rows, because its template takes nothing from them.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'Add the numbers.' } });
 * checkInput(program)[0]?.code; // 'template.no_input'
 */
export function checkInput({
  template: { path },
  body,
}: Pick<CompiledTemplates, 'template' | 'body'>): Diagnostic[] {
  const items = body.type === 'string' ? [] : itemsOf(body);
  if (items.some(({ type }) => type === 'expand')) return [];
  if ([...nodesOf(body)].some((node) => node.type === 'field' || node.type === 'parts')) return [];
  return [noInput(path)];
}

export const noInputCode = 'template.no_input';

export function noInput(path: ConfigPath): Diagnostic {
  return {
    code: noInputCode,
    message: 'the template fills in no column of the row: every row is asked the same',
    hint: 'Write a column in braces, such as `{question}`, where its value belongs.',
    path,
  };
}

/** Columns in braces, where only tokens are filled in. */
function* plainFields(template: Template, columns: readonly string[]): Generator<Diagnostic> {
  for (const { text, at } of literals(template)) {
    for (const name of columns) {
      const start = text.indexOf(`{${name}}`);
      if (start < 0) continue;
      yield {
        code: 'template.plain_field',
        message: `\`{${name}}\` is sent as written: with a \`column_token_map\`, only its tokens are filled in`,
        hint: `Write the token of \`${name}\` instead, or leave out \`column_token_map\`.`,
        path: at.path,
        start: at.start + start,
      };
    }
  }
}

/**
 * The names between braces in a template.
 *
 * @example
 * const { template } = compilePrompt({ promptTemplate: { template: '{question} {answer}' } });
 * fieldNames(template.body); // ['question', 'answer']
 */
export function fieldNames(body: Template['body']): string[] {
  return [...nodesOf(body)].flatMap(placedFields).map(({ name }) => name);
}

/** The names that a row must have columns for: a medium that it does not name is left out. */
export function requiredFieldNames(body: Template['body']): string[] {
  return [...nodesOf(body)]
    .flatMap(placedFields)
    .flatMap(({ name, medium }) => (medium === undefined ? [name] : []));
}

/** The names that a compiled prompt can only have from columns: braces around other text are not meant so. */
export function namedFields({
  template,
  iceTemplate,
}: Pick<CompiledTemplates, 'template' | 'iceTemplate'>): string[] {
  const names = [template, iceTemplate].flatMap((part) => (part ? fieldNames(part.body) : []));
  return [...new Set(names)].filter(looksLikeName);
}

/** A field, and what is left out where the row does not have it. */
interface PlacedField extends FieldNode {
  readonly medium?: Modality;
}

/** The fields that columns fill in: those of parts may stand for segments of tagged content. */
function placedFields(node: Node): PlacedField[] {
  if (node.type === 'field') return [node];
  if (node.type !== 'parts') return [];
  return node.parts.flatMap((part) =>
    nodesOfPart(part)
      .flatMap(placedFields)
      .filter(({ name }) => name !== part.slot)
      .map((field) =>
        part.type !== 'text' && part.nodes.includes(field)
          ? { ...field, medium: part.type }
          : field,
      ),
  );
}

function checkField(
  node: PlacedField,
  columns: readonly string[],
  inputColumns: readonly string[] | undefined,
  outputColumn: string | undefined,
): Diagnostic | undefined {
  if (node.name === outputColumn) return undefined;
  if (columns.includes(node.name)) {
    if (!inputColumns || inputColumns.includes(node.name)) return undefined;
    return {
      code: 'template.undeclared_field',
      message: `\`${node.missing.text}\` is filled in although reader_cfg does not list it`,
      hint: `Add \`${node.name}\` to input_columns.`,
      ...node.at,
    };
  }
  const whole = columnWithin(node.name, columns);
  if (whole === undefined && !looksLikeName(node.name)) return undefined;
  return {
    code: 'template.unknown_field',
    message: `\`${node.missing.text}\` is not a column, so ${node.medium ? `no ${node.medium} is sent for it` : 'it is sent as written'}`,
    hint: whole === undefined ? hintForField(node.name, columns) : hintForPart(node.name, whole),
    ...node.at,
  };
}

function hintForField(name: string, columns: readonly string[]): string {
  const near = nearestName(name, columns);
  return near
    ? `Did you mean \`{${near}}\`?`
    : `Columns: ${columns.slice(0, 12).join(', ')}${columns.length > 12 ? ' …' : ''}.`;
}

function hintForPart(name: string, column: string): string {
  if (name.trim() === column) return `Did you mean \`{${column}}\`, without spaces?`;
  return `Only whole columns can be filled in, as \`{${column}}\`: add a column with the value you need, or build the prompt with a function.`;
}

/** A path into a value, as `items[0].n`, and Python's `!r` and `:>5`. */
const partOfColumn = /^(?:[.[].*|![rsa].*|:[<>=^+#0-9.,-]+[a-z%]?|\s*\|\s*\w+)$/su;

/** The column that a placeholder names a part or a form of. */
function columnWithin(name: string, columns: readonly string[]): string | undefined {
  const trimmed = name.trim();
  return columns.find(
    (column) =>
      trimmed === column ||
      (trimmed.startsWith(column) && partOfColumn.test(trimmed.slice(column.length))),
  );
}

/** Braces around JSON, code or formulas are not meant as placeholders. */
function looksLikeName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(name);
}

/**
 * Values that look like placeholders; they are sent as written.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: '{q}' } });
 * checkValues(program, { q: 'What is {a}?', a: '2' })[0]?.message;
 * // 'the value of `q` contains `{a}`, which is sent as written'
 */
export function checkValues(program: CompiledTemplates, row: Row): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const node of nodesOf(program.body)) {
    if (node.type !== 'field' || seen.has(node.name) || !Object.hasOwn(row, node.name)) continue;
    seen.add(node.name);
    const value = row[node.name];
    if (typeof value !== 'string') continue;
    const lookalike = Object.keys(row).find((name) => value.includes(`{${name}}`));
    if (lookalike === undefined) continue;
    found.push({
      code: 'template.value_looks_like_placeholder',
      message: `the value of \`${node.name}\` contains \`{${lookalike}}\`, which is sent as written`,
      ...node.at,
    });
  }
  return found;
}
