import { CompatError } from '../../python/compat-error.ts';
import { mapOriginsIn } from '../../python/convert.ts';
import { pyGet, pySubscript } from '../../python/operators.ts';
import { pyRepr } from '../../python/repr.ts';
import { shotOf, toTraced } from '../../python/traced-text.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';
import { failAs } from '../compat.ts';
import type { Dialect } from './meta-template.ts';

/** Cuts a dialogue where a role comes that is not after the one before it in the meta round. */
export function splitRounds(
  items: readonly PyValue[],
  { round, dialect }: { readonly round: readonly PyValue[]; readonly dialect: Dialect },
): (readonly PyValue[])[] {
  const positions = new PyDict(
    round.flatMap((item, index) => (isText(item) ? [] : [[pySubscript(item, 'role'), index]])),
  );
  const cuts = [0];
  let last = -1;
  for (const [index, item] of items.entries()) {
    if (isText(item)) continue;
    const position = Number(positionOf(item, { positions, dialect }));
    if (position <= last) cuts.push(index);
    last = position;
  }
  return cuts.map((cut, index) => items.slice(cut, cuts[index + 1] ?? items.length));
}

/** The roles of the meta template, each overlaid with what the items say about it. */
export function overlayRoles(roles: PyDict, items: readonly PyValue[]): PyDict {
  let table = roles;
  for (const item of items) {
    if (!(item instanceof PyDict)) continue;
    const role = pySubscript(item, 'role');
    const target = roles.has(role) ? role : (item.get('fallback_role') ?? null);
    const known = table.get(target);
    if (!(known instanceof PyDict)) {
      throw new CompatError({
        type: 'KeyError',
        message: pyRepr(target),
        what: `the meta template knows neither the role ${pyRepr(role)} nor a fallback_role for it`,
        hint: `add fallback_role to the item, or ${pyRepr(role)} to the meta template`,
      });
    }
    table = table.with(target, known.merge(item.entries()));
  }
  return table;
}

/** The settings that apply to a role item. */
export function findRole(item: PyValue, table: PyDict): PyDict {
  const role = pySubscript(item, 'role');
  const fallback = table.get(pyGet(item, 'fallback_role') ?? null);
  const settings = table.get(role) ?? fallback;
  if (settings instanceof PyDict) return settings;
  throw new CompatError({
    type: 'AttributeError',
    message: "'NoneType' object has no attribute 'get'",
    what: `the meta template does not know the role ${pyRepr(role)}`,
    hint: `add ${pyRepr(role)} to the meta template`,
  });
}

/** Says of the meta template's texts which example they surround, if the items are an example. */
export function markShot(roles: PyDict, items: readonly PyValue[]): PyDict {
  const shot = items.map(shotOfItem).find((each) => each !== undefined);
  if (shot === undefined) return roles;
  const marked = mapOriginsIn(roles, (origin) =>
    origin.type === 'role' || origin.type === 'default' ? { ...origin, shot } : origin,
  );
  return marked instanceof PyDict ? marked : roles;
}

function shotOfItem(item: PyValue): number | undefined {
  const prompt = item instanceof PyDict ? item.get('prompt') : item;
  if (prompt === undefined || !isText(prompt)) return undefined;
  return toTraced(prompt)
    .spans.map((span) => shotOf(span.origin))
    .find((shot) => shot !== undefined);
}

function positionOf(
  item: PyValue,
  { positions, dialect }: { readonly positions: PyDict; readonly dialect: Dialect },
): PyValue {
  const role = pySubscript(item, 'role');
  if (dialect.parser === 'lm') return pySubscript(positions, role);
  const fallback = item instanceof PyDict ? item.get('fallback_role') : undefined;
  const position =
    positions.get(role) ?? (fallback === undefined ? undefined : positions.get(fallback));
  if (position !== undefined) return position;
  const message = 'neither has an appropriate role nor a fallback';
  throw failAs(dialect.compat, {
    what: `the meta round has neither the role ${pyRepr(role)} nor a fallback_role for it`,
    hint: `add a fallback_role to the item, or move it to begin`,
    opencompass: ['KeyError', pyRepr(`${pyRepr(item)} ${message} role.`)],
    aisbench: [
      'AISBenchKeyError',
      'MODEL-PARAM-002',
      `prompt template item ${pyRepr(item)} ${message}_role.`,
    ],
  });
}
