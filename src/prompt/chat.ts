import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { bindAnswer } from './answer.ts';
import { formatRemarks } from './diagnostics.ts';
import { type ModelFormat, plainFormat } from './format.ts';
import { layOutOpen, sendsAnswerPrefix } from './lay-out.ts';
import { fieldNode, type Node, textNode } from './node.ts';
import { type Compiled, type Silent, withVariants } from './plan.ts';
import type { PromptProgram } from './program.ts';
import type { DialogueBody, Item, MessagesBody, SingleBody, Template, Turn } from './template.ts';
import { itemOfTurn, mentions, saidByModel, turnField } from './turns.ts';

/** A conversation in which the model may answer at several places. */
export interface ChatProgram {
  /** Where it may answer, in order. */
  readonly answers: readonly ChatAnswer[];
  /** The prompt of an answer: all that is said before it, with earlier answers of the model or of the data. */
  readonly programOf: (answer: number, earlier: 'model' | 'data') => PromptProgram;
}

export interface ChatAnswer {
  /** The name under which an answer of the model is filled in. */
  readonly field: string;
  /** The turn of the row that it belongs to, from 0. */
  readonly turn: number;
  /** Prints what the data says in its place. */
  readonly said: PromptProgram;
  /** Whether that is the row's own answer, and not the text of the template. */
  readonly isGold: boolean;
}

export interface ChatSettings {
  readonly template: Template;
  readonly format: ModelFormat;
  readonly outputColumn?: string | undefined;
  readonly maskToken?: string | undefined;
  readonly keepTrailingSpaces?: boolean | undefined;
}

/** Says the template once for each of so many turns; the model answers wherever it is to speak. */
export function chatOfTemplate(settings: ChatSettings, turns: number): ChatProgram {
  const { template, outputColumn } = settings;
  const { body } = template;
  if (body.type === 'labels') throw notAChat(template);
  const role = body.type === 'messages' ? 'assistant' : 'BOT';
  const said = saidOnce(body, template);
  const answer: Turn = {
    type: 'turn',
    role,
    prompt: outputColumn === undefined ? [] : [field(outputColumn, template.path)],
    path: template.path,
  };
  const last = said.at(-1);
  const round = last?.type === 'turn' && last.role === role ? said : [...said, answer];
  const items = Array.from({ length: turns }, (_, turn) =>
    round.map((item) => ({ item: itemOfTurn(item, turn), turn })),
  ).flat();
  const wrap = (wrapped: readonly Item[], isLast: boolean): SingleBody =>
    body.type === 'messages'
      ? { type: 'messages', items: wrapped }
      : {
          type: 'dialogue',
          begin: body.type === 'dialogue' ? body.begin : [],
          round: wrapped,
          end: body.type === 'dialogue' && isLast ? body.end : [],
        };
  return chatProgram(settings, { items, role, wrap });
}

/** Messages that a column of the row holds, told by their roles; their texts have names of their own. */
export function chatOfMessages(
  settings: ChatSettings,
  { column, roles }: { readonly column: string; readonly roles: readonly string[] },
): ChatProgram {
  let turn = 0;
  const items = roles.map((role, index) => {
    const prompt = [field(turnField(column, index), settings.template.path)];
    const item: Turn = { type: 'turn', role, prompt, path: settings.template.path };
    return { item, turn: role === 'assistant' ? turn++ : turn };
  });
  const wrap = (wrapped: readonly Item[]): MessagesBody => ({ type: 'messages', items: wrapped });
  return chatProgram(settings, { items, role: 'assistant', wrap });
}

interface ChatParts {
  readonly items: readonly { readonly item: Item; readonly turn: number }[];
  /** The role that the model has. */
  readonly role: string;
  readonly wrap: (items: readonly Item[], isLast: boolean) => SingleBody;
}

function chatProgram(settings: ChatSettings, { items, role, wrap }: ChatParts): ChatProgram {
  const { outputColumn } = settings;
  const places = items.flatMap(({ item }, index) =>
    item.type === 'turn' && item.role === role ? [index] : [],
  );
  const goldField = (turn: number) => outputColumn && turnField(outputColumn, turn);
  const answers = places.map((place): ChatAnswer => {
    const { item, turn } = items[place] as ChatParts['items'][number];
    return {
      field: turnField(role, place),
      turn,
      said: programOf(settings, saysOnly(item), plainFormat, 'ppl'),
      isGold: mentions(item, goldField(turn)),
    };
  });
  const programs = new Map<string, PromptProgram>();
  // Messages are sent as they are written, also those that an answer begins with.
  const hasPrefix = role === 'assistant' || sendsAnswerPrefix(settings.format);
  const compile = (answer: number, earlier: 'model' | 'data'): PromptProgram => {
    const place = places[answer] ?? 0;
    const asked = items.slice(0, place + 1).map(({ item, turn }, index) => {
      const number = places.indexOf(index);
      if (number < 0) return item;
      if (number === answer) return openItem(item, goldField(turn));
      const name = answers[number]?.field ?? '';
      const said = { field: name, gold: goldField(turn), hasPrefix };
      return earlier === 'model' ? saidByModel(item, said) : item;
    });
    const slot = { type: 'masked', token: settings.maskToken ?? '' } as const;
    const body = wrap(asked, answer === places.length - 1);
    const hidden = bindAnswer(body, goldField(answers[answer]?.turn ?? 0), slot);
    return programOf(settings, bindAnswer(hidden, outputColumn, slot), settings.format, 'gen');
  };
  return {
    answers,
    programOf(answer, earlier) {
      const key = `${answer} ${earlier}`;
      const program = programs.get(key) ?? compile(answer, earlier);
      programs.set(key, program);
      return program;
    },
  };
}

function programOf(
  { template, outputColumn, keepTrailingSpaces = false }: ChatSettings,
  body: SingleBody,
  format: ModelFormat,
  mode: PromptProgram['mode'],
): PromptProgram {
  const shotsAreTurns = false;
  const compile = ({ columns: empty }: Silent): Compiled<PromptProgram> => {
    const options = { format, extent: mode, shotsAreTurns, keepSpaces: keepTrailingSpaces, empty };
    const { plan, dropped, tail } = layOutOpen(body, options);
    const diagnostics = mode === 'ppl' ? [] : formatRemarks({ body, format, mode, plan });
    return { program: { ...common, plan, droppedSpaces: dropped, diagnostics }, tail };
  };
  const common = {
    mode,
    format,
    body,
    shotStyle: undefined,
    iceTemplate: undefined,
    template,
    outputColumn,
  } as const;
  return withVariants(compile, { body });
}

/** The items that a template says for a turn. */
function saidOnce(
  body: Exclude<Template['body'], { type: 'labels' }>,
  { path }: Template,
): readonly Item[] {
  if (body.type === 'string') return [{ type: 'turn', role: 'HUMAN', prompt: body.nodes, path }];
  const items = body.type === 'messages' ? body.items : body.round;
  const expanded = items.find((item) => item.type === 'expand');
  if (!expanded) return items;
  throw new TemplateError(
    'template.chat_expands',
    `${formatPath(expanded.path)} expands a column, which ChatInferencer does not support: it asks at every assistant message`,
    { path: expanded.path, hint: 'Name the column of messages as the only input column.' },
  );
}

/** An answer that is still to be given: what stands before the row's own is its beginning. */
function openItem(item: Item, goldField: string | undefined): Item {
  if (item.type !== 'turn' || mentions(item, goldField)) return item;
  const at = { path: item.path, start: 0 };
  return { ...item, prompt: [textNode('', { type: 'mask', field: 'answer', at })] };
}

function saysOnly(item: Item): DialogueBody {
  return { type: 'dialogue', begin: [], round: [item], end: [] };
}

function field(name: string, path: ConfigPath): Node {
  return fieldNode(name, '', { path, start: 0 });
}

function notAChat({ path }: Template): TemplateError {
  return new TemplateError(
    'template.labels_need_ppl',
    `${formatPath(path)} has one template per label, but ChatInferencer asks for answers`,
    { path: [...path, 'template'], hint: 'Use PPLInferencer, or write a single template.' },
  );
}
