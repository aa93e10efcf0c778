import { nearestName } from '../base/nearest-name.ts';
import { formatPath, TemplateError } from '../errors.ts';
import { foldedSystem, type MetaTemplate, type RoleFormat } from './meta-template.ts';
import type { Node } from './node.ts';
import type { DialogueBody, ExpandItem, Item, Turn } from './template.ts';

/** One thing a prompt says, in order, before it becomes text or messages. */
export type Utterance =
  /** a role speaks; without a turn it says its default prompt */
  | { readonly type: 'speak'; readonly format: RoleFormat; readonly turn: Turn | undefined }
  /** text that belongs to no role */
  | { readonly type: 'text'; readonly nodes: readonly Node[] }
  | ExpandItem
  /** the model takes over as this role; nothing follows */
  | { readonly type: 'generate'; readonly format: RoleFormat; readonly turn: Turn | undefined };

/** A dialogue in a model's format, in full (`ppl`) or up to where the model answers (`gen`). */
export function arrangeDialogue(
  body: DialogueBody,
  meta: MetaTemplate,
  mode: 'gen' | 'ppl',
): Utterance[] {
  const said = arrangeEdge(body.begin, meta);
  const rounds = arrangeRounds(body.round, meta, mode === 'gen');
  said.push(...rounds);
  if (rounds.at(-1)?.type === 'generate') return said;
  said.push(...arrangeEdge(body.end, meta));
  return said;
}

/** An in-context example: the rounds alone, in full. */
export function arrangeShot(body: DialogueBody, meta: MetaTemplate): Utterance[] {
  return arrangeRounds(body.round, meta, false);
}

/** `begin` or `end`: every item by itself, in the format of its role. */
export function arrangeEdge(items: readonly Item[], meta: MetaTemplate): Utterance[] {
  return items.map((item) => {
    if (item.type === 'text') return { type: 'text', nodes: item.nodes };
    if (item.type === 'expand') return item;
    return { type: 'speak', format: roleOf(item, meta), turn: item };
  });
}

/**
 * A round is a run of turns in the order of the meta template's `round`; a role that does not come
 * later than the one before it opens the next round. Turns of roles outside `round` (reserved
 * roles, fallbacks) stay where they were written and open nothing.
 */
interface Round {
  readonly turns: Map<string, Turn>;
  /** Turns outside the round order, with the role before which each was written. */
  readonly extras: { readonly turn: Turn; before: string | undefined }[];
}

function arrangeRounds(items: readonly Item[], meta: MetaTemplate, generate: boolean): Utterance[] {
  if (!meta.round) return arrangeEdge(items, meta);
  const said: Utterance[] = [];
  const segments = splitRounds(items, meta);
  if (generate && !isRound(segments.at(-1))) segments.push({ turns: new Map(), extras: [] });
  segments.forEach((segment, index) => {
    if (isRound(segment)) {
      said.push(...arrangeRound(segment, meta, generate && index === segments.length - 1));
    } else {
      said.push(...arrangeEdge([segment], meta));
    }
  });
  return said;
}

type Segment = Round | Exclude<Item, Turn>;

function isRound(segment: Segment | undefined): segment is Round {
  return segment !== undefined && 'turns' in segment;
}

function splitRounds(items: readonly Item[], meta: MetaTemplate): Segment[] {
  const segments: Segment[] = [];
  let round: Round | undefined;
  let lastIndex = -1;
  for (const item of items) {
    if (item.type !== 'turn') {
      segments.push(item);
      round = undefined;
      continue;
    }
    const known = meta.roles.get(item.role);
    if (!known) roleOf(item, meta);
    const index = known?.index ?? -1;
    if (!round || (index >= 0 && index <= lastIndex)) {
      round = { turns: new Map(), extras: [] };
      lastIndex = -1;
      segments.push(round);
    }
    if (index < 0) {
      round.extras.push({ turn: item, before: undefined });
      continue;
    }
    for (const extra of round.extras) extra.before ??= item.role;
    round.turns.set(item.role, item);
    lastIndex = index;
  }
  return segments;
}

function arrangeRound(round: Round, meta: MetaTemplate, generate: boolean): Utterance[] {
  const said: Utterance[] = [];
  const sayExtras = (before: string | undefined) => {
    for (const { turn, before: role } of round.extras) {
      if (role === before) said.push({ type: 'speak', format: roleOf(turn, meta), turn });
    }
  };
  for (const entry of meta.round ?? []) {
    if (entry.type === 'text') {
      said.push(entry);
      continue;
    }
    const turn = round.turns.get(entry.role);
    if (turn) sayExtras(entry.role);
    if (generate && (turn?.generate ?? entry.generate)) {
      if (!turn) sayExtras(undefined);
      said.push({ type: 'generate', format: entry, turn });
      return said;
    }
    if (turn || entry.prompt) said.push({ type: 'speak', format: entry, turn });
  }
  sayExtras(undefined);
  return said;
}

const chatNames: Readonly<Record<string, string>> = {
  USER: 'HUMAN',
  ASSISTANT: 'BOT',
  AI: 'BOT',
  MODEL: 'BOT',
};

/** What a format calls a role that chat endpoints, or others, call by this name. */
function ownName(role: string, names: readonly string[]): string | undefined {
  const name = chatNames[role.toUpperCase()];
  return name !== undefined && names.includes(name) ? name : undefined;
}

/** The format of a turn's role, or of its fallback; a system text without one is said by the user. */
export function roleOf(turn: Turn, meta: MetaTemplate): RoleFormat {
  const format =
    meta.roles.get(turn.role) ??
    (turn.fallbackRole === undefined ? undefined : meta.roles.get(turn.fallbackRole)) ??
    (turn.role === 'SYSTEM' ? foldedSystem(meta.roles) : undefined);
  if (format) return format;
  const names = [...meta.roles.keys()];
  const near = ownName(turn.role, names) ?? nearestName(turn.role, names);
  const fallback =
    turn.fallbackRole === undefined ? '' : `, nor its fallback_role \`${turn.fallbackRole}\``;
  throw new TemplateError(
    'template.unknown_role',
    `${formatPath(turn.path)}: the model's format does not know the role \`${turn.role}\`${fallback}`,
    {
      path: [...turn.path, 'role'],
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}The format has ${names.join(', ')}; add \`fallback_role: ${names[0] ?? 'HUMAN'}\`, or the role to reserved_roles.`,
    },
  );
}
