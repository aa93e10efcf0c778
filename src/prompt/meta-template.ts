import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { describeType, getKey, isMapping, type Mapping } from './mapping.ts';
import { type Node, textNode } from './node.ts';
import { parseAffix, parseItems } from './parse-dialogue.ts';
import {
  checkKeys,
  optionalBoolean,
  optionalString,
  requireMapping,
  wrongType,
} from './parse-keys.ts';
import { scan } from './scan.ts';
import type { Item } from './template.ts';

/** How a model writes a dialogue: as one text, or as chat messages. */
export interface MetaTemplate {
  readonly kind: 'text' | 'chat';
  /** Text before and after the whole dialogue; for chat models items of a dialogue. */
  readonly begin: readonly Item[];
  readonly end: readonly Item[];
  /** The roles of one round in order, with text between them; undefined: turns stand as given. */
  readonly round: readonly RoundEntry[] | undefined;
  readonly roles: ReadonlyMap<string, RoleFormat>;
  /** The tokens that end an answer, by their ids. */
  readonly eosTokenIds: readonly number[];
  /** Texts that end an answer; by default the mark that the role of the model ends with. */
  readonly stop: readonly string[];
  /** Where it stands in the config. */
  readonly path: ConfigPath;
}

export type RoundEntry = RoleFormat | { readonly type: 'text'; readonly nodes: readonly Node[] };

export interface RoleFormat {
  readonly type: 'role';
  readonly role: string;
  readonly begin: readonly Node[];
  readonly end: readonly Node[];
  /** What the role says when the dataset does not mention it. */
  readonly prompt: readonly Node[] | undefined;
  readonly generate: boolean;
  /** What stands before an answer that the model is to write, if that is not `begin`. */
  readonly opening: readonly Node[] | undefined;
  /** What stands before an answer that is begun, if that is not `begin`. */
  readonly begun?: readonly Node[] | undefined;
  /** The role in whose next turn it speaks, before what that role says. */
  readonly into: string | undefined;
  /** The role's name in chat messages. */
  readonly wireRole: string;
  /** Position in the round; -1 for reserved roles. */
  readonly index: number;
}

/** What stands between a system text and what the user says after it, in one turn. */
const afterSystem = '\n\n';

/**
 * How a model that has no system role is told the system text: in the user's next turn, before what
 * the user says, with an empty line between them.
 */
export function foldedSystem(roles: MetaTemplate['roles']): RoleFormat | undefined {
  const human = roles.get('HUMAN');
  if (!human || human.generate || human.into !== undefined) return undefined;
  return {
    ...{ type: 'role', role: 'SYSTEM', begin: [], prompt: undefined, generate: false },
    ...{ opening: undefined, into: 'HUMAN', wireRole: human.wireRole, index: -1 },
    end: [textNode(afterSystem, { type: 'separator', name: 'line' })],
  };
}

/** The same format for a model that has no system role. */
export function withoutSystemRole(meta: MetaTemplate): MetaTemplate {
  const folded = foldedSystem(meta.roles);
  return folded ? { ...meta, roles: new Map([...meta.roles, ['SYSTEM', folded]]) } : meta;
}

const metaKeys = ['begin', 'round', 'end', 'reserved_roles', 'eos_token_id', 'stop'];
const roleKeys = ['role', 'begin', 'end', 'prompt', 'generate', 'opening', 'into', 'api_role'];
const wireRoleOf: Readonly<Record<string, string>> = {
  HUMAN: 'user',
  BOT: 'assistant',
  SYSTEM: 'system',
  TOOL: 'tool',
};

/**
 * Checks a model-side format.
 *
 * @example
 * const answer = { role: 'BOT', begin: 'A:', generate: true };
 * const meta = { round: [{ role: 'HUMAN', begin: 'Q: ' }, answer] };
 * [...parseMetaTemplate(meta, 'text', ['meta_template']).roles.keys()]; // ['HUMAN', 'BOT']
 */
export function parseMetaTemplate(
  value: unknown,
  kind: MetaTemplate['kind'],
  path: ConfigPath,
): MetaTemplate {
  const mapping = requireMapping(value, path, 'a mapping {begin, round, end, reserved_roles}');
  checkKeys(mapping, metaKeys, path);
  const roles = new Map<string, RoleFormat>();
  const round = parseRound(mapping, kind, path, roles);
  parseReserved(mapping, kind, path, roles);
  checkInto(roles, path);
  const edge = (name: 'begin' | 'end') =>
    parseEdge(getKey(mapping, name), { kind, part: name, path: [...path, name] });
  return {
    kind,
    begin: edge('begin'),
    end: edge('end'),
    round,
    roles,
    eosTokenIds: readEosTokenIds(mapping, path),
    // Chat servers write the ends of answers themselves, and know them.
    stop: readStop(mapping, path) ?? (kind === 'text' ? endOfAnswers(roles) : []),
    path,
  };
}

/** The format of chat models that bring none of their own. */
export const chatFormat: MetaTemplate = /* @__PURE__ */ parseMetaTemplate(
  {
    round: [{ role: 'HUMAN' }, { role: 'BOT', generate: true }],
    reserved_roles: [{ role: 'SYSTEM' }, { role: 'TOOL' }],
  },
  'chat',
  ['meta_template'],
);

function parseRound(
  mapping: Mapping,
  kind: MetaTemplate['kind'],
  path: ConfigPath,
  roles: Map<string, RoleFormat>,
): RoundEntry[] | undefined {
  const round = getKey(mapping, 'round');
  const roundPath = [...path, 'round'];
  if (round === undefined || round === null) return undefined;
  if (!Array.isArray(round)) {
    throw new TemplateError(
      'meta_template.round_not_a_list',
      `${formatPath(roundPath)} must be a list of roles, not ${describeType(round)}`,
      {
        path: roundPath,
        hint: 'Write `round: [{role: HUMAN, …}, {role: BOT, …, generate: true}]`.',
      },
    );
  }
  return round.map((item, index) => {
    const itemPath = [...roundPath, index];
    if (typeof item !== 'string') return parseRole(item, { kind, path: itemPath, index, roles });
    if (kind === 'chat') {
      throw new TemplateError(
        'meta_template.text_in_round',
        `${formatPath(itemPath)} is text between roles, which chat messages cannot carry`,
        { path: itemPath, hint: "Move it into a role's `begin` or `end`." },
      );
    }
    const nodes = parseAffix(item, itemPath, (at) => ({ type: 'meta', part: 'round', at }));
    return { type: 'text', nodes: nodes ?? [] };
  });
}

function parseReserved(
  mapping: Mapping,
  kind: MetaTemplate['kind'],
  path: ConfigPath,
  roles: Map<string, RoleFormat>,
): void {
  const reserved = getKey(mapping, 'reserved_roles') ?? [];
  const reservedPath = [...path, 'reserved_roles'];
  if (!Array.isArray(reserved)) throw wrongType(reserved, reservedPath, 'a list of roles');
  reserved.forEach((item, index) => {
    parseRole(item, { kind, path: [...reservedPath, index], index: -1, roles });
  });
}

interface RoleContext {
  readonly kind: MetaTemplate['kind'];
  readonly path: ConfigPath;
  readonly index: number;
  readonly roles: Map<string, RoleFormat>;
}

function parseRole(value: unknown, { kind, path, index, roles }: RoleContext): RoleFormat {
  const mapping = requireMapping(value, path, 'a {role, begin, end, …}');
  checkKeys(mapping, roleKeys, path);
  const role = optionalString(getKey(mapping, 'role'), [...path, 'role']);
  if (role === undefined) {
    throw new TemplateError('meta_template.role_missing', `${formatPath(path)} has no \`role\``, {
      path,
      hint: 'Say who speaks, such as `role: HUMAN`.',
    });
  }
  if (roles.has(role)) {
    throw new TemplateError(
      'meta_template.duplicate_role',
      `${formatPath(path)} defines the role \`${role}\` a second time`,
      {
        path: [...path, 'role'],
        hint: 'Each role may appear only once in round and reserved_roles together.',
      },
    );
  }
  const affix = (key: 'begin' | 'end' | 'opening') =>
    parseAffix(getKey(mapping, key), [...path, key], (at) => ({
      type: 'role',
      role,
      edge: key === 'end' ? 'end' : 'begin',
      at,
    }));
  const format: RoleFormat = {
    type: 'role',
    role,
    begin: affix('begin') ?? [],
    end: affix('end') ?? [],
    opening: affix('opening'),
    into: optionalString(getKey(mapping, 'into'), [...path, 'into']),
    prompt: parseDefaultPrompt(mapping, role, [...path, 'prompt']),
    generate: optionalBoolean(getKey(mapping, 'generate'), [...path, 'generate']) ?? false,
    wireRole: kind === 'chat' ? parseWireRole(mapping, role, path) : role,
    index,
  };
  roles.set(role, format);
  return format;
}

/** A role can speak inside the turn of another one that has turns of its own. */
function checkInto(roles: ReadonlyMap<string, RoleFormat>, path: ConfigPath): void {
  for (const { role, into } of roles.values()) {
    if (into === undefined) continue;
    const other = roles.get(into);
    if (other && other.role !== role && other.into === undefined && !other.generate) continue;
    throw new TemplateError(
      'meta_template.into_unknown_role',
      `${formatPath(path)}: \`${role}\` is put into the turn of \`${into}\`, which is not a role of the round that people speak in`,
      { path, hint: 'Set `into` to a role such as HUMAN.' },
    );
  }
}

function parseDefaultPrompt(mapping: Mapping, role: string, path: ConfigPath): Node[] | undefined {
  const prompt = optionalString(getKey(mapping, 'prompt'), path);
  if (prompt === undefined) return undefined;
  return scan(prompt, path, {}).map((node) => {
    if (node.type !== 'text' || node.span.origin.type !== 'literal') return node;
    return textNode(node.span.text, { type: 'default', role, at: node.span.origin.at });
  });
}

function parseWireRole(mapping: Mapping, role: string, path: ConfigPath): string {
  const apiRole = optionalString(getKey(mapping, 'api_role'), [...path, 'api_role']) ?? role;
  const wireRole = wireRoleOf[apiRole];
  if (wireRole) return wireRole;
  if (apiRole !== role) return apiRole;
  throw new TemplateError(
    'meta_template.api_role_missing',
    `${formatPath(path)}: chat messages do not have the role \`${role}\``,
    { path, hint: 'Add `api_role`: HUMAN, BOT, SYSTEM, TOOL, or the name used by the API.' },
  );
}

function parseEdge(
  value: unknown,
  { kind, part, path }: { kind: MetaTemplate['kind']; part: 'begin' | 'end'; path: ConfigPath },
): Item[] {
  if (value === undefined || value === null) return [];
  if (kind === 'text') {
    const nodes = parseAffix(value, path, (at) => ({ type: 'meta', part, at })) ?? [];
    return nodes.length === 0 ? [] : [{ type: 'text', nodes, path }];
  }
  const turns = Array.isArray(value) ? value : [value];
  if (!turns.every(isMapping)) {
    throw new TemplateError(
      'meta_template.text_around_messages',
      `${formatPath(path)} of a chat model must be a list of {role, prompt}`,
      { path, hint: 'For a system prompt write [{role: SYSTEM, prompt: …}].' },
    );
  }
  return parseItems(value, path, { fields: false });
}

/** The tokens that a meta template says to end an answer. */
export function readEosTokenIds(metaTemplate: unknown, path: ConfigPath): readonly number[] {
  const value = isMapping(metaTemplate) ? getKey(metaTemplate, 'eos_token_id') : undefined;
  if (value === undefined || value === null) return [];
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) >= 0;
  if (ids.every(isId)) return ids;
  throw wrongType(value, [...path, 'eos_token_id'], 'a token id or a list of token ids');
}

function readStop(mapping: Mapping, path: ConfigPath): readonly string[] | undefined {
  const value = getKey(mapping, 'stop');
  if (value === undefined || value === null) return undefined;
  const stops: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isStop = (stop: unknown): stop is string => typeof stop === 'string' && stop !== '';
  if (stops.every(isStop)) return stops;
  throw wrongType(value, [...path, 'stop'], 'a text or a list of texts');
}

/** The mark that closes what the model says as its role. */
export function endOfAnswers(roles: ReadonlyMap<string, RoleFormat>): readonly string[] {
  const answering = [...roles.values()].find(({ generate }) => generate);
  const end = (answering?.end ?? []).map((node) => (node.type === 'text' ? node.span.text : ''));
  return endMark(end.join(''));
}

/**
 * The mark in angle brackets that closes an answer, if what stands after answers begins with one.
 *
 * @example
 * endMark('<|im_end|>\n'); // ['<|im_end|>']
 */
export function endMark(afterAnswer: string): readonly string[] {
  const [, mark] = /^\s*(<[^<>\s]+>)/.exec(afterAnswer) ?? [];
  return mark === undefined ? [] : [mark];
}
