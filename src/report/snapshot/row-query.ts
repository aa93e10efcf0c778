import { type Verdict, verdicts } from '../../run/row-sample.ts';
import { evennessOf } from '../../study/sweep/template-changes.ts';
import { flags, type RowColumns, unknown } from './row-columns.ts';

const namedFilters = [
  'problems',
  'all',
  ...verdicts,
  'cutOff',
  'looser',
  'changed',
  'allRight',
  'noneRight',
] as const;
type NamedFilter = (typeof namedFilters)[number];
/** `only2`: rows that the second of several evaluations alone has right. */
export type RowFilter = NamedFilter | `only${number}`;

export function onlyFilter(place: number): RowFilter {
  return `only${place + 1}`;
}

export function isRowFilter(name: string): name is RowFilter {
  return (namedFilters as readonly string[]).includes(name) || onlyPlace(name) !== undefined;
}

/** Which evaluation alone has to be right. */
function onlyPlace(filter: string): number | undefined {
  const [, number] = /^only([1-9]\d{0,3})$/.exec(filter) ?? [];
  return number === undefined ? undefined : Number(number) - 1;
}

export const rowSorts = ['id', 'score', 'ms', 'length', 'tokensIn', 'tokensOut'] as const;
export type RowSort = (typeof rowSorts)[number];
export type RowOrder = 'up' | 'down';

/** How the rows of an evaluation ended. */
export interface RowFacts {
  readonly columns: RowColumns;
  /** Why rows have no score, each once. */
  readonly reasons: readonly string[];
  /** The checks that rows did not pass, by name: those of a row together, each combination once. */
  readonly failedChecks: readonly (readonly string[])[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The place of a row in the columns; -1 if there is no such row. */
  slotOf(id: number): number;
}

export interface RowQuery {
  /** How rows ended in the first evaluation, or, of several, what they have in common. */
  readonly show: RowFilter;
  /** Of several: for each evaluation a number; what changed is looked for among those of one number. */
  readonly within?: readonly number[] | undefined;
  readonly reason?: string | undefined;
  /** A check that rows did not pass. */
  readonly check?: string | undefined;
  readonly sort: RowSort;
  readonly order: RowOrder;
  /** A range of what rows are sorted by. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Rows that a search has found. */
  readonly hits?: { has(id: number): boolean } | undefined;
}

const right = verdicts.indexOf('right');
const failed = verdicts.indexOf('failed');
const unscored = verdicts.indexOf('unscored');
const wrong = verdicts.indexOf('wrong');
const partly = verdicts.indexOf('partly');

/** The numbers of the rows that a query asks for, in their order. */
export function selectRows(tables: readonly RowFacts[], query: RowQuery): Uint32Array {
  const [first] = tables;
  if (!first) return new Uint32Array();
  const isWanted = filterOf(tables, query);
  const figureOf = sortValue(first.columns, query.sort);
  const all = idsOf(tables);
  let length = 0;
  for (const id of all) {
    if (query.hits && !query.hits.has(id)) continue;
    if (!isWanted(id)) continue;
    if (!isWithin(query, () => figureOf(first.slotOf(id)))) continue;
    all[length++] = id;
  }
  const ids = all.slice(0, length);
  if (query.sort === 'id') return query.order === 'down' ? ids.sort().reverse() : ids.sort();
  return sortBy(ids, (id) => figureOf(first.slotOf(id)), query.order);
}

function isWithin({ min, max }: RowQuery, value: () => number): boolean {
  if (min === undefined && max === undefined) return true;
  const number = value();
  return number >= (min ?? Number.NEGATIVE_INFINITY) && number <= (max ?? Number.POSITIVE_INFINITY);
}

/** Every row of some evaluation, once. */
function idsOf(tables: readonly RowFacts[]): Uint32Array {
  const found = new Uint32Array(tables.reduce((sum, { columns }) => sum + columns.length, 0));
  let length = 0;
  for (const [place, { columns }] of tables.entries()) {
    const others = tables.slice(0, place);
    const { ids } = columns;
    for (let slot = 0; slot < columns.length; slot++) {
      const id = ids[slot] ?? 0;
      if (columns.isHidden(slot) || others.some((other) => other.slotOf(id) >= 0)) continue;
      found[length++] = id;
    }
  }
  return found.subarray(0, length);
}

function sortValue(columns: RowColumns, sort: RowSort): (slot: number) => number {
  const known = (value: number | undefined) =>
    value === undefined || value === unknown ? Number.NaN : value;
  switch (sort) {
    case 'score':
      return (slot) => columns.scores[slot] ?? Number.NaN;
    case 'ms':
      return (slot) => columns.ms[slot] ?? Number.NaN;
    case 'length':
      return (slot) => columns.lengths[slot] ?? Number.NaN;
    case 'tokensIn':
      return (slot) => known(columns.tokensIn[slot]);
    case 'tokensOut':
      return (slot) => known(columns.tokensOut[slot]);
    default:
      return (slot) => columns.ids[slot] ?? Number.NaN;
  }
}

/** What is not known comes last; of equal values the lower number comes first. */
function sortBy(ids: Uint32Array, figureOf: (id: number) => number, order: RowOrder): Uint32Array {
  const values = Float64Array.from(ids, figureOf);
  const places = Uint32Array.from(ids, (_, place) => place);
  const sign = order === 'down' ? -1 : 1;
  places.sort((left, right) => {
    const [a = 0, b = 0] = [values[left], values[right]];
    if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) {
      if (Number.isNaN(a)) return 1;
      return Number.isNaN(b) ? -1 : sign * (a - b);
    }
    return (ids[left] ?? 0) - (ids[right] ?? 0);
  });
  return Uint32Array.from(places, (place) => ids[place] ?? 0);
}

/** Where a page of rows starts: at a place, or so that a row is in its middle. */
export function startOf(
  ids: Uint32Array,
  {
    from,
    near,
    count,
  }: { readonly from: number; readonly near?: number | undefined; readonly count: number },
): number {
  const place = near === undefined ? -1 : ids.indexOf(near);
  return place < 0 ? from : Math.max(0, place - (count >> 1));
}

type Wanted = (id: number) => boolean;

function filterOf(tables: readonly RowFacts[], { show, within, reason, check }: RowQuery): Wanted {
  const wanted = [tables.length > 1 ? amongSeveral(tables, show, within) : inOne(tables, show)];
  if (reason !== undefined) wanted.push(inGroup(tables.map(byReason), reason));
  if (check !== undefined) wanted.push(inGroup(tables.map(byCheck), check));
  return (id) => wanted.every((isWanted) => isWanted(id));
}

/** Rows of an evaluation in groups, of which a row may be in several. */
interface Groups {
  readonly table: RowFacts;
  /** For each row a number: 0, or the place in `names`, plus one, of the groups that it is in. */
  readonly numbers: RowColumns['reasons'];
  readonly names: readonly (readonly string[])[];
}

function byReason(table: RowFacts): Groups {
  const names = table.reasons.map((reason) => [reason]);
  return { table, numbers: table.columns.reasons, names };
}

function byCheck(table: RowFacts): Groups {
  return { table, numbers: table.columns.checks, names: table.failedChecks };
}

/** Whether some evaluation has a row in a group. */
function inGroup(all: readonly Groups[], group: string): Wanted {
  const groups = all.map(({ table, numbers, names }) => ({
    ...{ table, numbers },
    isMeant: [false, ...names.map((own) => own.includes(group))],
  }));
  return (id) =>
    groups.some(({ table, numbers, isMeant }) => isMeant[numbers[table.slotOf(id)] ?? 0]);
}

function inOne([table]: readonly RowFacts[], show: RowFilter): Wanted {
  if (!table) return () => false;
  const { columns } = table;
  const verdictAt = (id: number) => columns.verdicts[table.slotOf(id)] ?? failed;
  const has = (flag: number) => (id: number) =>
    ((columns.flags[table.slotOf(id)] ?? 0) & flag) !== 0;
  switch (show) {
    case 'all':
      return () => true;
    case 'cutOff':
      return has(flags.cutOff);
    case 'looser':
      return has(flags.looser);
    case 'changed':
      return has(flags.changed);
    case 'problems':
      return (id) => isProblem(verdictAt(id));
    default: {
      const verdict = (verdicts as readonly string[]).indexOf(show);
      return verdict < 0 ? () => true : (id) => verdictAt(id) === verdict;
    }
  }
}

function isProblem(verdict: number): boolean {
  return verdict === failed || verdict === unscored || verdict === wrong || verdict === partly;
}

function amongSeveral(
  tables: readonly RowFacts[],
  show: RowFilter,
  within?: RowQuery['within'],
): Wanted {
  const verdictAt = (table: RowFacts, id: number) =>
    table.columns.verdicts[table.slotOf(id)] ?? nowhere;
  const only = onlyPlace(show);
  if (only !== undefined) return (id) => onlyRight(tables, id) === only;
  switch (show) {
    case 'changed':
      return within ? changedWithin(tables, within) : (id) => isChanged(tables, id);
    case 'allRight':
      return (id) => tables.every((table) => verdictAt(table, id) === right);
    case 'noneRight':
      return (id) => tables.every((table) => verdictAt(table, id) !== right);
    case 'all':
      return () => true;
    default:
      return (id) => tables.some((table) => isProblem(verdictAt(table, id)));
  }
}

const nowhere = 255;

/** The place of the evaluation that alone has a row right, of several that have the row; else -1. */
function onlyRight(tables: readonly RowFacts[], id: number): number {
  let having = 0;
  let found = -1;
  for (const [place, table] of tables.entries()) {
    const slot = table.slotOf(id);
    if (slot < 0) continue;
    having++;
    if (table.columns.verdicts[slot] !== right) continue;
    if (found >= 0) return -1;
    found = place;
  }
  return having > 1 ? found : -1;
}

/** Whether all evaluations have scored a row, and those of one number differently: as sweeps count. */
function changedWithin(tables: readonly RowFacts[], within: readonly number[]): Wanted {
  const groups = [...new Set(within)].map((number) =>
    tables.filter((_, place) => within[place] === number),
  );
  const scoreAt = (table: RowFacts, id: number) =>
    table.columns.scores[table.slotOf(id)] ?? Number.NaN;
  return (id) =>
    tables.every((table) => !Number.isNaN(scoreAt(table, id))) &&
    groups.some((group) => evennessOf(group.map((table) => scoreAt(table, id))) > 0);
}

/** Whether evaluations that have a row scored it differently. */
function isChanged(tables: readonly RowFacts[], id: number): boolean {
  let verdict = nowhere;
  let score = Number.NaN;
  for (const table of tables) {
    const slot = table.slotOf(id);
    if (slot < 0) continue;
    const own = table.columns.verdicts[slot] ?? nowhere;
    const value = table.columns.scores[slot] ?? Number.NaN;
    if (verdict === nowhere) [verdict, score] = [own, value];
    else if (own !== verdict || (value !== score && !Number.isNaN(value))) return true;
  }
  return false;
}

export type RowCounts = Partial<Record<RowFilter, number>>;

/** How many rows there are of each kind that can be asked for. */
export function countRows(tables: readonly RowFacts[], within?: RowQuery['within']): RowCounts {
  const [first] = tables;
  if (!first) return {};
  if (tables.length === 1) return { ...first.counts, ...countOne(first) };
  const names = ['changed', 'allRight', 'noneRight'] as const;
  const wanted = names.map((name) => [name, amongSeveral(tables, name, within)] as const);
  const counts: Record<string, number> = { all: 0 };
  const only = tables.map(() => 0);
  for (const name of names) counts[name] = 0;
  for (const id of idsOf(tables)) {
    counts.all = (counts.all ?? 0) + 1;
    for (const [name, isWanted] of wanted) if (isWanted(id)) counts[name] = (counts[name] ?? 0) + 1;
    const place = onlyRight(tables, id);
    if (place >= 0) only[place] = (only[place] ?? 0) + 1;
  }
  for (const [place, rows] of only.entries()) counts[onlyFilter(place)] = rows;
  return counts;
}

function countOne({ columns, counts }: RowFacts): RowCounts {
  let cutOff = 0;
  let looser = 0;
  let changed = 0;
  for (let slot = 0; slot < columns.length; slot++) {
    const set = columns.flags[slot] ?? 0;
    if ((set & flags.cutOff) !== 0) cutOff++;
    if ((set & flags.looser) !== 0) looser++;
    if ((set & flags.changed) !== 0) changed++;
  }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { all, problems: all - counts.right - counts.scored, cutOff, looser, changed };
}

/** Why rows have no score, most frequent first. */
export function countReasons(tables: readonly RowFacts[]): { reason: string; rows: number }[] {
  return countGroups(tables.map(byReason)).map(([reason, rows]) => ({ reason, rows }));
}

/** Which checks rows did not pass, most frequent first. */
export function countChecks(tables: readonly RowFacts[]): { check: string; rows: number }[] {
  return countGroups(tables.map(byCheck)).map(([check, rows]) => ({ check, rows }));
}

/** How many rows each group has, the largest first; a row of several evaluations counts once. */
function countGroups(all: readonly Groups[]): (readonly [name: string, rows: number])[] {
  const counts = new Map<string, number>();
  const count = (names: Iterable<string>, rows: number) => {
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + rows);
  };
  const known = all.filter(({ names }) => names.length > 0);
  const [first] = known;
  if (first && known.length === 1) {
    const { table, numbers, names } = first;
    const sums = new Uint32Array(names.length + 1);
    for (let slot = 0; slot < table.columns.length; slot++) {
      const number = numbers[slot] ?? 0;
      if (!table.columns.isHidden(slot)) sums[number] = (sums[number] ?? 0) + 1;
    }
    for (const [place, own] of names.entries()) count(own, sums[place + 1] ?? 0);
  } else {
    for (const id of idsOf(known.map(({ table }) => table))) {
      const own = known.flatMap(({ table, numbers, names }) => {
        const number = numbers[table.slotOf(id)] ?? 0;
        return names[number - 1] ?? [];
      });
      count(new Set(own), 1);
    }
  }
  return [...counts].filter(([, rows]) => rows > 0).sort(([, left], [, right]) => right - left);
}
