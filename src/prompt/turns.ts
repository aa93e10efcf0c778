import { formatPath, TemplateError } from '../errors.ts';
import { bindAnswer } from './answer.ts';
import { answerPrefixOf } from './before-answer.ts';
import { formatRemarks } from './diagnostics.ts';
import { type ModelFormat, plainFormat } from './format.ts';
import { dialogueTurn, layOutOpen, sendsAnswerPrefix } from './lay-out.ts';
import { type FieldNode, fieldNode, mapParts, type Node, nodesOfPart } from './node.ts';
import { parseTemplate } from './parse-template.ts';
import { spreadMedia, type TurnMedia, turnMedia } from './parts/turn-media.ts';
import { type Compiled, type Silent, withVariants } from './plan.ts';
import type { PromptProgram, PromptSettings } from './program.ts';
import type { DialogueBody, Item, SingleBody, Template, Turn } from './template.ts';
import { nodesOf } from './template.ts';
import type { Row } from './values.ts';

/** A dialogue whose round is said once for each turn, compiled turn by turn. */
export interface TurnsProgram {
  readonly template: Template;
  readonly body: DialogueBody;
  /** The columns that the round takes one element of at a time. */
  readonly columns: readonly string[];
  /** What of it are media, which need not be shown in every turn. */
  readonly media: TurnMedia;
  /** Whether the round says the answers, so that later turns can see them. */
  readonly saysAnswers: boolean;
  /**
   * The prompt of a turn, counted from 0: everything before its answer. What a row has nothing to
   * say in, of what stands around the turns, is left out of its prompts.
   */
  readonly programOf: (turn: number, row?: Row) => PromptProgram;
}

/**
 * The name under which a turn's element of a column is filled in.
 *
 * @example
 * turnField('question', 1); // 'question[1]'
 */
export function turnField(column: string, turn: number): string {
  return `${column}[${turn}]`;
}

/**
 * Compiles a template whose `round` is repeated for the elements of lists.
 *
 * @example
 * const round = [{ role: 'HUMAN', prompt: '{q}' }, { role: 'BOT', prompt: '{a}' }];
 * const promptTemplate = { template: { round } };
 * const turns = compileTurns({ promptTemplate, outputColumn: 'a', format: chatApiFormat });
 * const row = rowOfTurns({ q: ['Hi', 'Bye'], a: ['Hello'] }, { columns: turns.columns, turns: 2 });
 * const prompt = fillPrompt(turns.programOf(1), row);
 * prompt.type === 'messages' && prompt.messages.map(({ content }) => content);
 * // ['Hi', 'Hello', 'Bye']
 */
export function compileTurns(
  settings: PromptSettings,
  earlier: 'model' | 'data' = 'data',
): TurnsProgram {
  const path = settings.paths?.promptTemplate ?? ['prompt_template'];
  if (!settings.promptTemplate) {
    throw new TemplateError('template.missing', `${formatPath(path)} is missing`, { path });
  }
  const template = parseTemplate(settings.promptTemplate, path);
  const { body } = template;
  if (body.type !== 'dialogue') throw notADialogue(template);
  const columns = roundColumns(body);
  const { outputColumn } = settings;
  const programs = new Map<string, PromptProgram>();
  const { format = plainFormat } = settings;
  const isAnswer = (item: Item) => item.type === 'turn' && isSpokenByModel(item, format);
  /** Earlier answers as the model gave them. */
  const answered = (dialogue: DialogueBody, turn: number): DialogueBody => {
    if (earlier === 'data' || outputColumn === undefined) return dialogue;
    const fields = Array.from({ length: turn }, (_, index) => turnField(outputColumn, index));
    const round = dialogue.round.map((item) => {
      const field = fields.find((name) => mentions(item, name));
      if (field === undefined || !isAnswer(item)) return item;
      return saidByModel(item, { field, gold: field, hasPrefix: sendsAnswerPrefix(format) });
    });
    return { ...dialogue, round };
  };
  return {
    template,
    body,
    columns,
    media: turnMedia(body.round),
    saysAnswers: outputColumn !== undefined && columns.includes(outputColumn),
    programOf(turn, row = {}) {
      const around = spokenAround(body, row);
      const key = `${turn} ${around.silent}`;
      const known = programs.get(key);
      if (known) return known;
      const program = compileTurn(
        settings,
        template,
        { ...answered(repeatRound(body, turn), turn), ...around.said },
        turn,
      );
      programs.set(key, program);
      return program;
    },
  };
}

/**
 * The row as seen by a dialogue with this many turns: elements of lists under names of their own.
 *
 * @example
 * rowOfTurns({ q: ['Hi', 'Bye'] }, { columns: ['q'], turns: 2 });
 * // { q: ['Hi', 'Bye'], 'q[0]': 'Hi', 'q[1]': 'Bye' }
 */
export function rowOfTurns(row: Row, { columns, turns, media }: TurnColumns): Row {
  const fields: Record<string, unknown> = { ...row };
  const spread = media ? spreadMedia(row, media, turns) : row;
  for (const column of columns) {
    for (let turn = 0; turn < turns; turn++) {
      const value = elementAt(spread[column], turn);
      if (value !== undefined) fields[turnField(column, turn)] = value;
    }
  }
  return fields;
}

export interface TurnColumns {
  readonly columns: readonly string[];
  readonly turns: number;
  readonly media?: TurnMedia | undefined;
}

/**
 * The value of a column for a turn: an element of a list, or the same for every turn.
 *
 * @example
 * elementAt(['Hi', 'Bye'], 1); // 'Bye'
 */
export function elementAt(value: unknown, turn: number): unknown {
  return Array.isArray(value) ? value[turn] : value;
}

function compileTurn(
  settings: PromptSettings,
  template: Template,
  body: DialogueBody,
  turn: number,
): PromptProgram {
  const format = settings.format ?? plainFormat;
  const column = settings.outputColumn && turnField(settings.outputColumn, turn);
  const bound = bindAnswer(body, column, { type: 'masked', token: settings.maskToken ?? '' });
  const keepSpaces = settings.keepTrailingSpaces ?? false;
  const compile = ({ columns: empty }: Silent): Compiled<PromptProgram> => {
    const options = { format, extent: 'gen' as const, shotsAreTurns: false, keepSpaces, empty };
    const { plan, whole, dropped, tail } = layOutOpen(bound, options);
    const diagnostics = formatRemarks({ body: bound, format, mode: 'gen', plan });
    return { program: { ...common, plan, whole, droppedSpaces: dropped, diagnostics }, tail };
  };
  const common = {
    mode: 'gen',
    format,
    body: bound,
    shotStyle: undefined,
    iceTemplate: undefined,
    template,
    outputColumn: column,
  } as const;
  return withVariants(compile, { body: bound });
}

/** What is said before and after the turns: not what is a column alone that is empty. */
function spokenAround({ begin, end }: DialogueBody, row: Row) {
  const silent = [...begin, ...end].filter((item) => isSilent(item, row));
  const isSaid = (item: Item) => !silent.includes(item);
  return {
    silent: silent.map(({ path }) => formatPath(path)).join(),
    said: { begin: begin.filter(isSaid), end: end.filter(isSaid) },
  };
}

function isSilent(item: Item, row: Row): boolean {
  const column = columnAlone(item);
  if (column === undefined) return false;
  return row[column] === '' || (column === systemColumn && row[column] === undefined);
}

/** The column that an item is, if it is one and nothing else. */
function columnAlone(item: Item): string | undefined {
  const [only, ...others] = (item.type === 'turn' && item.prompt) || [];
  return only?.type === 'field' && others.length === 0 ? only.name : undefined;
}

/** Dialogues may have it, row by row: what their system message says. */
const systemColumn = 'system';

/** The template without what rows need not have. */
export function withoutSystem(body: DialogueBody): DialogueBody {
  const isNeeded = (item: Item) => columnAlone(item) !== systemColumn;
  return { ...body, begin: body.begin.filter(isNeeded), end: body.end.filter(isNeeded) };
}

/** Without roles all that a template says is sent, also around an answer. */
function isSpokenByModel({ role }: Turn, format: ModelFormat): boolean {
  return format.type !== 'plain' && format.meta.roles.get(role)?.generate === true;
}

/** How an answer of the model is told in later turns. */
interface EarlierAnswer {
  /** The field of what the model said, */
  readonly field: string;
  /** and that of the right answer, which stands in the template. */
  readonly gold: string | undefined;
  /** Whether the model was given what the template has answers begin with. */
  readonly hasPrefix: boolean;
}

/** An answer that the model gave, after what it was given to begin with. */
export function saidByModel(item: Item, { field, gold, hasPrefix }: EarlierAnswer): Item {
  if (item.type !== 'turn') return item;
  const nodes = item.prompt ?? [];
  const place = nodes.findIndex((node) => node.type === 'field' && node.name === gold);
  const before = hasPrefix ? nodes.slice(0, Math.max(place, 0)) : [];
  const isFixed = before.every(({ type }) => type === 'text');
  const said = fieldNode(field, '', { path: item.path, start: 0 });
  return { ...item, prompt: [...(isFixed ? before : []), said] };
}

/** Whether a turn fills in a field. */
export function mentions(item: Item, name: string | undefined): boolean {
  if (item.type !== 'turn' || name === undefined) return false;
  return (item.prompt ?? []).some((node) => node.type === 'field' && node.name === name);
}

/**
 * An answer without the spaces before it that were left to the model: the template writes them
 * again.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'A: {a}' }, outputColumn: 'a' });
 * afterSpaces(' 2', program); // '2'
 */
export function afterSpaces(answer: string, program: PromptProgram): string {
  const spaces = program.droppedSpaces || openingSpaces(program);
  return answer.startsWith(spaces) ? answer.slice(spaces.length) : answer;
}

/** What a format writes before an answer that is there, and leaves to the model where it answers. */
function openingSpaces({ format, body }: Pick<PromptProgram, 'format' | 'body'>): string {
  if (format.type !== 'text') return '';
  const asked = answerTurns(body, format).at(-1);
  if (!asked || asked.begin || answerPrefixOf(asked)) return '';
  const { begin, opening } = format.meta.roles.get(asked.role) ?? {};
  const [whole, sent] = [literalText(begin), literalText(opening)];
  if (whole === undefined || sent === undefined || !whole.startsWith(sent)) return '';
  const rest = whole.slice(sent.length);
  return rest.trim() === '' ? rest : '';
}

function answerTurns(body: SingleBody, format: ModelFormat): Turn[] {
  if (body.type === 'string') return [];
  const items = body.type === 'messages' ? body.items : [...body.begin, ...body.round, ...body.end];
  return items.flatMap((item) => {
    const turn = item.type === 'turn' && (dialogueTurn(item, format) ?? item);
    return turn && isSpokenByModel(turn, format) ? [turn] : [];
  });
}

function literalText(nodes: readonly Node[] | undefined): string | undefined {
  const texts = nodes?.map((node) => (node.type === 'text' ? node.span.text : undefined));
  return texts?.includes(undefined) ? undefined : texts?.join('');
}

function repeatRound(body: DialogueBody, turn: number): DialogueBody {
  const rounds = Array.from({ length: turn + 1 }, (_, index) =>
    body.round.map((item) => itemOfTurn(item, index)),
  );
  return { ...body, round: rounds.flat() };
}

/** An item of a round as one turn says it: fields are elements of columns. */
export function itemOfTurn(item: Item, turn: number): Item {
  const rename = (nodes: readonly Node[]) => nodes.map((node) => nodeOfTurn(node, turn));
  if (item.type === 'text') return { ...item, nodes: rename(item.nodes) };
  return item.type === 'turn' && item.prompt ? { ...item, prompt: rename(item.prompt) } : item;
}

function nodeOfTurn(node: Node, turn: number): Node {
  if (node.type === 'field') return fieldOfTurn(node, turn);
  if (node.type !== 'parts') return node;
  const { parts, contentColumn } = mapParts(node, (inner) => nodeOfTurn(inner, turn));
  return {
    type: 'parts',
    isTurn: true,
    parts: parts.map((part) => ({ ...part, slot: turnField(part.slot, turn) })),
    contentColumn: turnField(contentColumn, turn),
  };
}

function fieldOfTurn({ name, missing, at }: FieldNode, turn: number): FieldNode {
  return fieldNode(turnField(name, turn), missing.text, at);
}

/** The columns that a round fills in. */
export function roundColumns({ round }: Pick<DialogueBody, 'round'>): string[] {
  const names = [...nodesOf({ type: 'dialogue', begin: [], round, end: [] })].flatMap((node) =>
    columnsOf(node),
  );
  return [...new Set(names)];
}

function columnsOf(node: Node): string[] {
  if (node.type === 'field') return [node.name];
  if (node.type !== 'parts') return [];
  return [
    ...node.parts.flatMap((part) => nodesOfPart(part).flatMap(columnsOf)),
    node.contentColumn,
  ];
}

function notADialogue({ path, body }: Template): TemplateError {
  const kind = body.type === 'string' ? 'a string' : body.type;
  return new TemplateError(
    'template.turns_need_a_round',
    `${formatPath(path)} is ${kind}, but a multi-turn template needs a \`round\``,
    {
      path: [...path, 'template'],
      hint: 'Write `template: { round: [{ role: HUMAN, prompt: "{question}" }, { role: BOT, prompt: "{answer}" }] }`.',
    },
  );
}
