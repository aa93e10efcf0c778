import type { ConfigPath } from '../../errors.ts';
import type { Origin } from '../../prompt/origin.ts';
import { atPath, CompatError } from '../../python/compat-error.ts';
import { mapOriginsIn, toTracedPython } from '../../python/convert.ts';
import { pyContains, pySubscript } from '../../python/operators.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import { positionOf } from '../../python/traced-text.ts';
import { isText, isTruthy, PyDict, type PyValue, typeName } from '../../python/values.ts';
import { type Compat, failAs } from '../compat.ts';

/** Which parser reads the meta template, of which system. */
export interface Dialect {
  readonly compat: Compat;
  /** `lm` for models that take text, `api` for models that take messages. */
  readonly parser: 'lm' | 'api';
}

/** A model's format, checked: roles of a dialogue, or messages to merge with raw messages. */
export type MetaTemplate =
  | {
      readonly type: 'dialogue';
      readonly round: readonly PyValue[];
      /** Role name to its settings, of `round` and `reserved_roles`. */
      readonly roles: PyDict;
      readonly begin?: PyValue;
      readonly end?: PyValue;
    }
  | { readonly type: 'messages'; readonly messages: readonly PyDict[] };

/** Checks a `meta_template` as the parser's constructor does. Nothing and `{}` mean none. */
export function readMetaTemplate(
  value: unknown,
  { compat, parser, path }: Dialect & { readonly path: ConfigPath },
): MetaTemplate | undefined {
  return atPath(path, () => {
    const meta = toTracedPython(value, path);
    if (!isTruthy(meta)) return undefined;
    if (Array.isArray(meta) && parser === 'api' && compat === 'opencompass') {
      return { type: 'messages', messages: readMessages(meta) };
    }
    return readDialogue(meta, { compat, parser });
  });
}

function readDialogue(meta: PyValue, dialect: Dialect): MetaTemplate {
  if (!pyContains(meta, 'round')) {
    throw failMeta(dialect, {
      what: 'the meta template has no round',
      hint: 'add round: a list with one item for each role',
      message: 'round is required in meta template',
      code: 'MODEL-PARAM-004',
    });
  }
  const round = readRoleList(pySubscript(meta, 'round'), { name: 'round', dialect });
  const reserved = pyContains(meta, 'reserved_roles')
    ? readRoleList(pySubscript(meta, 'reserved_roles'), { name: 'reserved_roles', dialect })
    : [];
  let roles = new PyDict([]);
  for (const item of [...round, ...reserved]) {
    if (item instanceof PyDict) roles = addRole(roles, { item, dialect });
  }
  const settings = meta instanceof PyDict ? meta : new PyDict([]);
  const begin = settings.get('begin');
  const end = settings.get('end');
  return {
    type: 'dialogue',
    round: round.map((item) => (isText(item) ? retrace(item, 'round') : item)),
    roles,
    ...(begin === undefined ? {} : { begin: retrace(begin, 'begin') }),
    ...(end === undefined ? {} : { end: retrace(end, 'end') }),
  };
}

function readRoleList(
  list: PyValue,
  { name, dialect }: { readonly name: string; readonly dialect: Dialect },
): readonly PyValue[] {
  if (!Array.isArray(list)) {
    throw failMeta(dialect, {
      what: `${name} of the meta template must be a list, not a ${typeName(list)}`,
      message: `${name} must be a list in meta template`,
      code: 'MODEL-TYPE-004',
    });
  }
  const odd = list.find((item) => !isText(item) && !(item instanceof PyDict));
  if (odd !== undefined) {
    throw failMeta(dialect, {
      what: `${name} of the meta template has a ${typeName(odd)} in it`,
      hint: 'use mappings with a role, and strings',
      message: `each item in ${name} must be a string or a dict in meta template`,
      code: 'MODEL-TYPE-004',
    });
  }
  return list;
}

function addRole(
  roles: PyDict,
  { item, dialect }: { readonly item: PyDict; readonly dialect: Dialect },
): PyDict {
  const role = pySubscript(item, 'role');
  if (roles.has(role)) {
    throw failMeta(dialect, {
      what: `the meta template has the role ${pyRepr(role)} twice`,
      hint: 'give each role one item in round or reserved_roles',
      message: 'role in meta prompt must be unique!',
      code: 'MODEL-PARAM-005',
    });
  }
  const tokens = ['begin', 'end'].find((edge) => Array.isArray(item.get(edge)));
  if (dialect.parser === 'lm' && tokens !== undefined) {
    throw new CompatError({
      type: 'NotImplementedError',
      message: 'Using List[str|int] is as the begin or endof a prompt is not supported yet.',
      what: `the ${tokens} of the role ${pyRepr(role)} is a list`,
      hint: 'write it as a string',
    });
  }
  return roles.with(role, retraceRole(item, pyStr(role)));
}

function readMessages(items: readonly PyValue[]): PyDict[] {
  return items.map((item) => {
    const role = item instanceof PyDict ? item.get('role') : undefined;
    const known = role !== undefined && ['system', 'user', 'assistant'].includes(pyStr(role));
    if (!(item instanceof PyDict) || role === undefined || !known) {
      throw new CompatError({
        type: 'AssertionError',
        message: `meta_template is ${pyRepr(items)}, not a list of dicts`,
        what: 'a meta template that is a list must contain messages of system, user or assistant',
      });
    }
    return mapEntries(item, new Map([['content', inPlace(pyStr(role))]]));
  });
}

/** Marks the texts of a role as what they are: around the prompt, or in place of a missing one. */
export function retraceRole(item: PyDict, role: string): PyDict {
  const around =
    (edge: 'begin' | 'end') =>
    (origin: Origin): Origin => ({
      type: 'role',
      role,
      edge,
      at: positionOf(origin),
    });
  return mapEntries(
    item,
    new Map([
      ['begin', around('begin')],
      ['end', around('end')],
      ['prompt', inPlace(role)],
    ]),
  );
}

function inPlace(role: string): (origin: Origin) => Origin {
  return (origin) => ({ type: 'default', role, at: positionOf(origin) });
}

function mapEntries(
  item: PyDict,
  origins: ReadonlyMap<string, (origin: Origin) => Origin>,
): PyDict {
  return new PyDict(
    item.entries().map(([key, value]) => {
      const change = origins.get(pyStr(key));
      return [key, change === undefined ? value : mapOriginsIn(value, change)];
    }),
  );
}

function retrace(value: PyValue, part: 'begin' | 'round' | 'end'): PyValue {
  const change = (origin: Origin): Origin => ({ type: 'meta', part, at: positionOf(origin) });
  return mapOriginsIn(value, change);
}

interface MetaFailure {
  readonly what: string;
  readonly hint?: string;
  readonly message: string;
  readonly code: string;
}

/** AISBench has its own errors in the API parser only. */
function failMeta({ compat, parser }: Dialect, failure: MetaFailure): CompatError {
  const { what, hint, message, code } = failure;
  return failAs(parser === 'api' ? compat : 'opencompass', {
    what,
    ...(hint === undefined ? {} : { hint }),
    opencompass: ['AssertionError', message],
    aisbench: ['AISBenchTypeError', code, message],
  });
}
