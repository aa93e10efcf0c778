import { unpackPlaces } from '../../src/report/snapshot/pack-places.ts';
import { cellFigures, cellTexts, columnTexts } from '../../src/report/snapshot/row-cell.ts';
import { type HeldColumns, RowColumns } from '../../src/report/snapshot/row-columns.ts';
import {
  countChecks,
  countReasons,
  countRows,
  type RowFacts,
  type RowQuery,
  selectRows,
  startOf,
} from '../../src/report/snapshot/row-query.ts';
import {
  columnsName,
  type HeldEvaluation,
  type HeldRow,
  rowsName,
  type Snapshot,
} from '../../src/report/snapshot/snapshot.ts';
import { type Verdict, verdicts } from '../../src/run/row-sample.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import type { Cell, RowsPage } from '../../src/server/viewer/api.ts';
import { ApiFailure, addressOf, type Source } from '../client.ts';
import { textsOfRow } from './row-texts.ts';

const folder = 'data/';
const usualCount = 60;
const maxPieces = 60;

interface HeldTable extends RowFacts {
  readonly evaluation: HeldEvaluation;
  readonly index: number;
}

/** Answers what a server would, from what a page holds or from the files of a site. */
export function heldSource(snapshot: Snapshot): Source {
  const { replies, evaluations, isSite } = snapshot;
  const pieces = new Map<string, Promise<unknown>>();
  const tables = new Map<number, Promise<HeldTable>>();

  const piece = <Value>(name: string): Promise<Value> => {
    const known = pieces.get(name) ?? readPiece(snapshot, name);
    pieces.delete(name);
    pieces.set(name, known);
    const [oldest] = pieces.keys();
    if (pieces.size > maxPieces && oldest !== undefined) pieces.delete(oldest);
    return known as Promise<Value>;
  };

  const table = (index: number): Promise<HeldTable> => {
    const known = tables.get(index) ?? readTable(index);
    tables.set(index, known);
    return known;
  };

  const readTable = async (index: number): Promise<HeldTable> => {
    const evaluation = evaluations[index] as HeldEvaluation;
    const columns = RowColumns.from(await piece<HeldColumns>(columnsName(index)));
    const slots = new Map<number, number>();
    const counts = Object.fromEntries(verdicts.map((one) => [one, 0])) as Record<Verdict, number>;
    for (let slot = 0; slot < columns.length; slot++) {
      slots.set(columns.ids[slot] ?? 0, slot);
      const verdict = verdicts[columns.verdicts[slot] ?? 0];
      if (verdict) counts[verdict] += 1;
    }
    const slotOf = (id: number) => slots.get(id) ?? -1;
    const { names: reasons, failedChecks } = evaluation;
    return { evaluation, index, columns, counts, reasons, failedChecks, slotOf };
  };

  const rowAt = async ({ evaluation, index }: HeldTable, slot: number) => {
    let first = 0;
    for (const [number, rows] of evaluation.pieces.entries()) {
      if (slot < first + rows) {
        return (await piece<readonly HeldRow[]>(rowsName(index, number)))[slot - first];
      }
      first += rows;
    }
    return undefined;
  };

  const indexOf = (run: string | null, model: unknown, dataset: unknown) =>
    evaluations.findIndex(
      (one) => one.run === run && one.model === model && one.dataset === dataset,
    );

  const rowOf = async (params: URLSearchParams): Promise<HeldRow> => {
    const index = indexOf(params.get('run'), params.get('model'), params.get('dataset'));
    const id = Number(params.get('id'));
    const found = index < 0 ? undefined : await table(index);
    const row = found && (await rowAt(found, found.slotOf(id)));
    if (row) return row;
    throw leftOut(`row ${id} is not in this ${isSite ? 'site' : 'file'}`);
  };

  /** Rows that hold a text, in their data or in what was answered. */
  const search = async (found: readonly HeldTable[], text: string) => {
    const wanted = text.toLowerCase();
    const hits = new Set<number>();
    for (const { evaluation, index } of found) {
      for (let number = 0; number < evaluation.pieces.length; number++) {
        for (const row of await piece<readonly HeldRow[]>(rowsName(index, number))) {
          const isHit = textsOfRow(row).some((one) => one.toLowerCase().includes(wanted));
          if (isHit) hits.add(row.details.id);
        }
      }
    }
    return hits;
  };

  const rowsPage = async (params: URLSearchParams): Promise<RowsPage> => {
    const keys = params.getAll('e').map((key) => JSON.parse(key) as [string, string]);
    const indexes = keys.map(([model, dataset]) => indexOf(params.get('run'), model, dataset));
    if (indexes.includes(-1)) throw leftOut('the rows of this evaluation are not here');
    const found = await Promise.all(indexes.map(table));
    const [first] = found;
    const q = params.get('q')?.trim() ?? '';
    const query = queryOf(params);
    const hits = q === '' ? undefined : await search(found, q);
    const ids = selectRows(found, { ...query, hits });
    const number = (name: string, usual: number) => Number(params.get(name) ?? usual);
    const count = number('count', usualCount);
    const near = params.has('near') ? number('near', 0) : undefined;
    const from = startOf(ids, { from: number('from', 0), near, count });
    const one = found.length === 1 ? first?.evaluation : undefined;
    const counts = one ? { ...countRows(found), ...one.counts } : countRows(found, query.within);
    const total = one?.total ?? counts.all ?? 0;
    const held = {
      rows: first?.columns.length ?? 0,
      mediaLeftOut: found.reduce((sum, { evaluation }) => sum + evaluation.mediaLeftOut, 0),
      ...(first?.evaluation.changedFirst && { changedFirst: true as const }),
    };
    const isWhole = held.rows === first?.evaluation.total && held.mediaLeftOut === 0;
    return {
      total,
      matching: ids.length,
      from,
      counts,
      reasons: one ? [...one.reasons] : countReasons(found),
      checks: one?.checks ? [...one.checks] : countChecks(found),
      progress: 1,
      isSearching: false,
      damaged: found.reduce((sum, { evaluation }) => sum + evaluation.damaged, 0),
      ...(!isWhole && { held }),
      rows: await Promise.all(
        [...ids.subarray(from, from + count)].map((id) => listedRow(found, id)),
      ),
      data: {
        columns: [...(first?.evaluation.data.columns ?? [])],
        inputs: [...(first?.evaluation.data.inputs ?? [])],
        isReading: false,
        ...(first?.evaluation.data.problem !== undefined && {
          problem: first.evaluation.data.problem,
        }),
      },
    };
  };

  const listedRow = async (found: readonly HeldTable[], id: number) => {
    const rows = await Promise.all(found.map((one) => rowAt(one, one.slotOf(id))));
    const cells = found.map((one, place): Cell | null => {
      const slot = one.slotOf(id);
      if (slot < 0) return null;
      const record = rows[place]?.details.record as RowRecord | undefined;
      return { ...cellFigures(one.columns, slot), answer: '', ...(record && cellTexts(record)) };
    });
    const known = rows.find((row) => row?.columns ?? row?.prompt.row);
    const columns = known?.columns ?? (known?.prompt.row && columnTexts(known.prompt.row));
    return {
      id,
      cells,
      ...(columns && { columns }),
      ...(rows.some((row) => row?.details.note) && { note: true }),
    };
  };

  return {
    isAlone: true,
    version: snapshot.version,
    start: snapshot.start,
    get: async (address) => {
      if (Object.hasOwn(replies, address)) return replies[address];
      const [path, query = ''] = address.split('?', 2);
      const params = new URLSearchParams(query);
      if (path === '/api/rows') return rowsPage(params);
      if (path === '/api/row') return (await rowOf(params)).details;
      if (path === '/api/prompt') return withPlaces((await rowOf(params)).prompt);
      if (path === '/api/notes') return { graded: 0 };
      throw leftOut(`this is not in the ${isSite ? 'site' : 'file'}`);
    },
    has: (address) => isThere(snapshot, address),
    media: (_, sha256) => snapshot.media[sha256],
  };
}

function withPlaces(prompt: HeldRow['prompt'] & { readonly view?: Packed }): unknown {
  const { view } = prompt;
  if (!view?.places) return prompt;
  const { places, prompts } = view;
  return { ...prompt, view: { ...view, prompts: unpackPlaces({ value: prompts, places }) } };
}

interface Packed {
  readonly prompts?: unknown;
  readonly places?: readonly unknown[];
}

async function readPiece({ pieces, isSite }: Snapshot, name: string): Promise<unknown> {
  if (!isSite) return pieces[name] ?? [];
  const reply = await fetch(`${folder}${name}.json`);
  if (reply.ok) return reply.json();
  throw new ApiFailure(`${folder}${name}.json cannot be read`, reply.status);
}

function leftOut(message: string): ApiFailure {
  return new ApiFailure(
    message,
    404,
    'To see everything, open the run folder with typecase serve.',
  );
}

function queryOf(params: URLSearchParams): RowQuery {
  const limit = (name: string) => (params.has(name) ? Number(params.get(name)) : undefined);
  return {
    show: (params.get('show') ?? 'problems') as RowQuery['show'],
    within: params.get('within')?.split('.').map(Number),
    reason: params.get('reason') ?? undefined,
    check: params.get('check') ?? undefined,
    sort: (params.get('sort') ?? 'id') as RowQuery['sort'],
    order: params.get('order') === 'down' ? 'down' : 'up',
    min: limit('min'),
    max: limit('max'),
  };
}

function nameOf(params: URLSearchParams) {
  const text = (name: string) => params.get(name) ?? '';
  return { model: text('model'), dataset: text('dataset'), id: text('id') };
}

/** Whether a page has something to show. */
function isThere({ replies, evaluations, pieces, isSite }: Snapshot, address: string): boolean {
  const [path, query = ''] = address.split('?', 2);
  const params = new URLSearchParams(query);
  const run = params.get('run');
  switch (path) {
    case '/':
      return '/api/runs' in replies;
    case '/row': {
      const name = { run: run ?? '', ...nameOf(params) };
      if (Object.hasOwn(replies, addressOf('/api/row', name))) return true;
      return evaluations.some((one, index) => {
        const isMeant =
          one.run === run &&
          one.model === params.get('model') &&
          one.dataset === params.get('dataset');
        if (!isMeant || isSite) return isMeant;
        const { ids } = pieces[columnsName(index)] as HeldColumns;
        return ids.includes(Number(params.get('id')));
      });
    }
    case '/run':
      return evaluations.some((one) => one.run === run);
    case '/sweep':
      return Object.hasOwn(replies, addressOf('/api/run', { run: run ?? '' }));
    case '/compare': {
      const names = { a: params.get('a') ?? '', b: params.get('b') ?? '' };
      return Object.hasOwn(replies, addressOf('/api/compare', names));
    }
    default:
      return Object.hasOwn(replies, address.replace(/^\//, '/api/'));
  }
}
