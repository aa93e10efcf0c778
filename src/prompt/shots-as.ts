import { formatPath, TemplateError } from '../errors.ts';
import { mapNodes } from './answer.ts';
import { hasMedia } from './lay-out.ts';
import { type Node, shotsNode, textNode } from './node.ts';
import {
  changeItems,
  type DialogueBody,
  type Item,
  itemsOf,
  type MessagesBody,
  type ShotsAs,
  type SingleBody,
  type StringBody,
  type Template,
  type TextItem,
  type Turn,
} from './template.ts';
import type { ArrangeOptions, ShotArrangement, Templates } from './template-choice.ts';

/**
 * Shows examples in one of three forms, whatever the templates say.
 *
 * @example
 * const iceTemplate = { template: '</E>{q} {a}', ice_token: '</E>' };
 * const settings = { iceTemplate, hasShots: true, outputColumn: 'a', format: chatApiFormat };
 * const program = compilePrompt({ ...settings, shotsAs: shotsAs('turns') });
 * const shots = createShotPool(program, [{ id: 0, row: { q: '1+1?', a: '2' } }])?.take([0]);
 * const prompt = fillPrompt(program, { q: '2+2?', a: '4' }, shots);
 * prompt.type === 'messages' && prompt.messages.map(({ content }) => content);
 * // ['1+1?', '2', '2+2?']
 */
export function shotsAs(form: ShotsAs): ShotArrangement {
  return { form, arrange: (templates, options) => arrangeShots(templates, { form, ...options }) };
}

interface ShotsAsOptions extends ArrangeOptions {
  readonly form: ShotsAs;
}

/**
 * The same templates with their examples in one of three forms. Templates that have it already stay
 * as they are, and so does where they show the examples.
 */
function arrangeShots(
  { promptTemplate, iceTemplate }: Templates,
  { form, hasShots, outputColumn, lineEnds }: ShotsAsOptions,
): Templates {
  const asked = promptTemplate ?? iceTemplate;
  const example = iceTemplate ?? promptTemplate;
  if (!asked || !example || formOf(asked, example) === form) {
    return { promptTemplate, iceTemplate };
  }
  if (form !== 'turns' && hasMedia(example.body)) throw mediaAsText(example);
  const change = (template: Template, write: WriteBody) =>
    writeTemplate(template, write, { hasShots, outputColumn, lineEnds });
  return {
    iceTemplate: change(example, { turns: asDialogue, text: asText, system: asSystemText }[form]),
    promptTemplate: {
      ...change(asked, { turns: askTurns, text: askText, system: askSystem }[form]),
      iceToken: asked.iceToken ?? '</E>',
    },
  };
}

function formOf(asked: Template, example: Template): ShotsAs | undefined {
  const shown = firstBody(example);
  const prompt = firstBody(asked);
  if (shown?.type !== 'string') return prompt?.type === 'string' ? undefined : 'turns';
  if (prompt?.type === 'string') return 'text';
  const turn = prompt && itemsOf(prompt).find((item) => nodesIn(item).some(isShots));
  if (turn?.type !== 'turn') return undefined;
  return isSystem(turn) ? 'system' : 'text';
}

function firstBody({ body }: Template): SingleBody | undefined {
  return body.type === 'labels' ? body.labels[0]?.body : body;
}

interface Place extends ArrangeOptions {
  readonly template: Template;
  /** Whether it is the text of one label, which stands in it. */
  readonly isLabel: boolean;
}

type WriteBody = (body: SingleBody, place: Place) => SingleBody;

function writeTemplate(template: Template, write: WriteBody, options: ArrangeOptions): Template {
  const { body } = template;
  if (body.type !== 'labels') {
    return { ...template, body: write(body, { template, ...options, isLabel: false }) };
  }
  const labels = body.labels.map(({ label, body: own }) => ({
    label,
    body: write(own, { template, ...options, isLabel: true }) as StringBody | DialogueBody,
  }));
  return { ...template, body: { ...body, labels } };
}

/** An example as turns: a text is a question up to the answer that it ends with. */
function asDialogue(body: SingleBody, place: Place): SingleBody {
  if (body.type !== 'string') return body;
  const round = questionAndAnswer(body.nodes.filter(isNotShots), place);
  if (!round) throw oneForm(place, 'It must end with the output column.');
  return { type: 'dialogue', begin: [], round, end: [] };
}

/** An example as text: what its turns say, one line each. */
function asText(body: SingleBody, place: Place): SingleBody {
  return asLines(body, place, '\n');
}

/** The same, in lines as the format has them. */
function asSystemText(body: SingleBody, place: Place): SingleBody {
  return asLines(body, place, place.lineEnds.line);
}

function asLines(body: SingleBody, place: Place, lineEnd: string): SingleBody {
  if (body.type === 'string') return body;
  const items = body.type === 'dialogue' ? body.round : body.items;
  if (items.some(({ type }) => type === 'expand')) {
    throw oneForm(place, 'Messages from a column can be shown only as turns.');
  }
  const lines = items
    .map((item) => nodesIn(item).filter(isNotShots))
    .filter(({ length }) => length);
  const lineBreak = textNode(lineEnd, { type: 'separator', name: 'line' });
  const nodes = lines.flatMap((line, index) => (index === 0 ? line : [lineBreak, ...line]));
  return { type: 'string', nodes };
}

/** The examples between what stands before all questions and the question. */
function askTurns(body: SingleBody, place: Place): SingleBody {
  const shots: TextItem = { type: 'text', nodes: [shotsNode], path: place.template.path };
  const bare = withoutShots(spoken(body, place));
  if (bare.type === 'dialogue') return { ...bare, begin: [...bare.begin, shots] };
  const question = bare.items.findLastIndex(isUser);
  const start = question < 0 ? bare.items.length : question;
  return { ...bare, items: bare.items.toSpliced(start, 0, shots) };
}

/** The examples at the start of the question. */
function askText(body: SingleBody, place: Place): SingleBody {
  if (body.type === 'string') {
    return body.nodes.some(isShots) ? body : { ...body, nodes: [shotsNode, ...body.nodes] };
  }
  const bare = withoutShots(body);
  const items = bare.type === 'dialogue' ? bare.round : bare.items;
  const question = items.findLastIndex(isUser);
  if (question < 0) throw oneForm(place, 'It has no user message that examples could come before.');
  const asked = items[question] as Turn;
  const changed = { ...asked, prompt: [shotsNode, ...(asked.prompt ?? [])] };
  return withItems(bare, items.with(question, changed));
}

/** The examples at the end of the system text, or as one. */
function askSystem(body: SingleBody, place: Place): SingleBody {
  const bare = withoutShots(spoken(body, place));
  const add = (turn: Turn): Turn => ({
    ...turn,
    prompt: [...(turn.prompt ?? []), { ...shotsNode, before: place.lineEnds.paragraph }],
  });
  if (bare.type === 'dialogue') {
    const all = [...bare.begin, ...bare.round];
    const system = all.find((item) => item.type === 'turn' && isSystem(item));
    if (!system) {
      const begin = place.hasShots ? [systemTurn([shotsNode], place)] : [];
      return { ...bare, begin: [...begin, ...bare.begin] };
    }
    const change = (item: Item) => (item === system ? add(system as Turn) : item);
    return { ...bare, begin: bare.begin.map(change), round: bare.round.map(change) };
  }
  const system = bare.items.findIndex((item) => item.type === 'turn' && isSystem(item));
  if (system < 0 && !place.hasShots) return bare;
  if (system < 0) {
    const turn: Turn = { ...systemTurn([shotsNode], place), role: 'system' };
    return { ...bare, items: [turn, ...bare.items] };
  }
  return { ...bare, items: bare.items.with(system, add(bare.items[system] as Turn)) };
}

/** A template that says who speaks: a text is a question, with what stands before its examples as system text. */
function spoken(body: SingleBody, place: Place): DialogueBody | MessagesBody {
  if (body.type !== 'string') return body;
  const mark = body.nodes.findIndex(isShots);
  const rules = trimEnd(body.nodes.slice(0, Math.max(mark, 0)));
  const asked = body.nodes.slice(mark + 1).filter(isNotShots);
  const round = questionAndAnswer(asked, place);
  if (!round && place.isLabel) throw oneForm(place, 'It must end with the output column.');
  return {
    type: 'dialogue',
    begin: rules.length > 0 ? [systemTurn(rules, place)] : [],
    round: round ?? [{ type: 'turn', role: 'HUMAN', prompt: asked, path: place.template.path }],
    end: [],
  };
}

function questionAndAnswer(
  nodes: readonly Node[],
  { template: { path }, outputColumn }: Place,
): Turn[] | undefined {
  const answer = nodes.at(-1);
  if (answer?.type !== 'field' || answer.name !== outputColumn) return undefined;
  return [
    { type: 'turn', role: 'HUMAN', prompt: trimEnd(nodes.slice(0, -1)), path },
    { type: 'turn', role: 'BOT', prompt: [answer], path },
  ];
}

function systemTurn(prompt: readonly Node[], { template: { path } }: Place): Turn {
  return { type: 'turn', role: 'SYSTEM', prompt, path };
}

/** Without white space at the end. */
function trimEnd(nodes: readonly Node[]): Node[] {
  const last = nodes.at(-1);
  if (last?.type !== 'text' || last.span.tokenIds) return [...nodes];
  const text = last.span.text.trimEnd();
  const rest = nodes.slice(0, -1);
  return text === '' ? trimEnd(rest) : [...rest, textNode(text, last.span.origin)];
}

function withoutShots(body: DialogueBody | MessagesBody): DialogueBody | MessagesBody {
  const said = changeItems(body, (items) =>
    items.filter((item) => item.type !== 'text' || !item.nodes.every(isShots)),
  );
  return mapNodes(said, (nodes) => nodes.filter(isNotShots));
}

function withItems(
  body: DialogueBody | MessagesBody,
  items: readonly Item[],
): DialogueBody | MessagesBody {
  return body.type === 'dialogue' ? { ...body, round: items } : { ...body, items };
}

function nodesIn(item: Item): readonly Node[] {
  if (item.type === 'text') return item.nodes;
  return item.type === 'turn' ? (item.prompt ?? []) : [];
}

function isUser(item: Item): boolean {
  return item.type === 'turn' && (item.role === 'HUMAN' || item.role === 'user');
}

function isSystem({ role }: Turn): boolean {
  return role === 'SYSTEM' || role === 'system' || role === 'developer';
}

function isShots({ type }: Node): boolean {
  return type === 'shots';
}

function isNotShots(node: Node): boolean {
  return !isShots(node);
}

function oneForm({ template: { path } }: Place, hint: string): TemplateError {
  return new TemplateError(
    'template.shots_as',
    `${formatPath(path)} cannot show its examples in the form set by \`shots_as\``,
    { path, hint },
  );
}

function mediaAsText({ path }: Template): TemplateError {
  return new TemplateError(
    'template.shots_as',
    `${formatPath(path)} shows media, which only examples shown as turns can have`,
    { path, hint: 'Set `shots_as: turns`.' },
  );
}
