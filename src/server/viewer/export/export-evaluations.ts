import { exportedPath } from '../../../base/display-path.ts';
import type { SourceLocation } from '../../../errors.ts';
import type { MediaContent } from '../../../prompt/parts/content.ts';
import { mapSpans, packPlaces, type SpanLike } from '../../../report/snapshot/pack-places.ts';
import { countChecks, countReasons, countRows } from '../../../report/snapshot/row-query.ts';
import {
  columnsName,
  type HeldEvaluation,
  type HeldRow,
  rowsName,
} from '../../../report/snapshot/snapshot.ts';
import { bytesOf, type Candidate, takeWithin } from '../../../report/snapshot/within-budget.ts';
import { verdicts } from '../../../run/row-sample.ts';
import type { EvaluationName } from '../../../run/store/open-run.ts';
import { inputColumnsOf } from '../../../run/store/run-file-parts.ts';
import type { jsonView } from '../../../terminal/view/json-view.ts';
import type { OpenedRun } from '../opened-run.ts';
import { wholePrompt, wholeRecord } from '../row-details.ts';
import type { RowTable } from '../row-table.ts';
import type { Shelf } from './shelf.ts';

/** A piece of rows is closed when it has so many bytes, or so many rows. */
const pieceBytes = 200_000;
const pieceRows = 100;
const readMs = 1000;
/** Rows are mostly waited for. */
const rowsAtOnce = 6;

/** Evaluations that were asked about the same data: they hold the same rows. */
export interface Together {
  readonly run: string;
  /** Where the run stands, as others are told. */
  readonly folder: string;
  readonly opened: OpenedRun;
  readonly names: readonly EvaluationName[];
  /** The number of the first of them in the export. */
  readonly first: number;
  /** Rows that are taken before all others. */
  readonly firstRows: readonly number[];
  readonly media: Record<string, string>;
  readonly onRow?: (() => void) | undefined;
}

/** A row in all of its evaluations. */
interface Unit {
  readonly id: number;
  readonly rows: readonly (HeldRow | null)[];
  /** Media that no row before it has. */
  readonly media: Readonly<Record<string, string>>;
  readonly leftOut: number;
}

/** Puts the rows of evaluations on a shelf, and says what is there of each; gives the bytes that rows took. */
export async function exportEvaluations(
  together: Together,
  { shelf, room }: { readonly shelf: Shelf; readonly room: number },
): Promise<{ readonly held: HeldEvaluation[]; readonly bytes: number }> {
  const { opened, names, first, media } = together;
  const tables = await readTables(opened, names);
  const pieces = names.map((_, place) => new Pieces(shelf, first + place));
  const kept: { ids: number[]; leftOut: number } = { ids: [], leftOut: 0 };
  const bytes = await takeWithin(candidatesOf(together, { tables, shelf }), room, {
    atOnce: rowsAtOnce,
    onTake: async (unit) => {
      kept.ids.push(unit.id);
      kept.leftOut += unit.leftOut;
      Object.assign(media, unit.media);
      for (const [place, row] of unit.rows.entries()) if (row) await pieces[place]?.add(row);
      together.onRow?.();
    },
  });
  const held: HeldEvaluation[] = [];
  for (const [place, name] of names.entries()) {
    const table = tables[place] as RowTable;
    const slots = kept.ids.map((id) => table.slotOf(id)).filter((slot) => slot >= 0);
    await shelf.piece(columnsName(first + place), table.columns.pick(slots));
    const counts = countRows([table]);
    held.push({
      run: together.run,
      ...name,
      ...(together.firstRows.length > 1 && { changedFirst: true as const }),
      data: await dataOf(opened, name),
      total: counts.all ?? 0,
      counts,
      reasons: countReasons([table]),
      checks: countChecks([table]),
      damaged: table.problems.total,
      mediaLeftOut: place === 0 ? kept.leftOut : 0,
      names: table.reasons,
      failedChecks: table.failedChecks,
      pieces: (await pieces[place]?.end()) ?? [],
    });
  }
  await opened.closeOpened();
  return { held, bytes };
}

async function readTables(
  opened: OpenedRun,
  names: readonly EvaluationName[],
): Promise<readonly RowTable[]> {
  const tables: RowTable[] = [];
  for (const name of names) {
    const table = await opened.table(name);
    while (!table.isDone) await table.wait(readMs);
    tables.push(table);
  }
  return tables;
}

/** All rows, each with the worst that came of it; evaluations take turns with what went wrong in them. */
function candidatesOf(
  together: Together,
  { tables, shelf }: { readonly tables: readonly RowTable[]; readonly shelf: Shelf },
): Candidate<Unit>[] {
  const worst = new Map<number, number>();
  const lists = tables.map(({ columns }) => {
    const slots = Array.from({ length: columns.length }, (_, slot) => slot).filter(
      (slot) => !columns.isHidden(slot),
    );
    const rows = slots.map((slot) => ({
      id: columns.ids[slot] ?? 0,
      verdict: columns.verdicts[slot] ?? 0,
    }));
    for (const { id, verdict } of rows) worst.set(id, Math.min(verdict, worst.get(id) ?? verdict));
    return rows.sort((left, right) => left.verdict - right.verdict || left.id - right.id);
  });
  const wanted = new Set(together.firstRows);
  const ids = new Set(wanted);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let round = 0; round < longest; round++) {
    for (const list of lists) {
      const row = list[round];
      if (row) ids.add(row.id);
    }
  }
  return [...ids]
    .filter((id) => worst.has(id))
    .map((id) => ({
      verdict: verdicts[wanted.has(id) ? 0 : (worst.get(id) ?? 0)] ?? 'failed',
      make: () => unitOf(id, together, { tables, shelf }),
    }));
}

async function unitOf(
  id: number,
  { run, folder, opened, names, first, media }: Together,
  { tables, shelf }: { readonly tables: readonly RowTable[]; readonly shelf: Shelf },
): Promise<Unit> {
  const rows: (HeldRow | null)[] = [];
  const fresh: Record<string, string> = {};
  let leftOut = 0;
  const takeMedia = async (contents: ReadonlyMap<string, MediaContent>) => {
    for (const [sha256, content] of contents) {
      if (sha256 in media || sha256 in fresh) continue;
      const address = await shelf.media(content);
      if (address === undefined) leftOut += 1;
      else fresh[sha256] = address;
    }
  };
  for (const [place, { model, dataset }] of names.entries()) {
    if ((tables[place]?.slotOf(id) ?? -1) < 0) {
      rows.push(null);
      continue;
    }
    const name = { run, model, dataset, id };
    const details = await wholeRecord(opened, name);
    const { prompt, media: contents } = await wholePrompt(opened, name, folder);
    await takeMedia(contents);
    const file = `${first + place}/text-${id}`;
    rows.push({
      details: await shelf.cut(details, `${file}-record`),
      prompt: await shelf.cut(promptForOthers(prompt), `${file}-prompt`),
    });
  }
  return { id, rows, media: fresh, leftOut };
}

type WholePrompt = Awaited<ReturnType<typeof wholePrompt>>['prompt'];

/** A prompt is told by its spans, what says it once more is left out; and paths of this machine are. */
function promptForOthers(prompt: WholePrompt): WholePrompt {
  const { view } = prompt;
  if (!view || !Array.isArray(view.prompts)) return prompt;
  const { prompts, requests: _, diagnostics = [], judge, ...rest } = view as Partial<View>;
  const packed = packPlaces(mapSpans((prompts ?? []).map(shownPrompt), spanForOthers));
  return {
    ...prompt,
    view: {
      ...rest,
      diagnostics: diagnostics.map((remark) => ({ ...remark, at: placeForOthers(remark.at) })),
      ...(judge && { judge: mapSpans(judge, spanForOthers) }),
      prompts: packed.value,
      places: packed.places,
    },
  };
}

type View = ReturnType<typeof jsonView>;

function shownPrompt({ promptList: _, tokenIds: __, prompt, ...rest }: View['prompts'][number]) {
  return { ...rest, prompt: { type: prompt.type } };
}

/** A span with its place told by the name of a file, and not by a path in a config as well. */
function spanForOthers({ origin, at, ...span }: SpanLike): SpanLike {
  const { path: _, ...known } = (origin ?? {}) as Readonly<Record<string, unknown>>;
  return { ...span, origin: origin ? known : origin, at: placeForOthers(at as SourceLocation) };
}

/** A place without folders of this machine: those who read it have others. */
function placeForOthers(at: SourceLocation | null): SourceLocation | null {
  if (!at) return at;
  const { usedBy, ...place } = at;
  return {
    ...{ ...place, file: exportedPath(at.file) },
    ...(usedBy && { usedBy: { ...usedBy, file: exportedPath(usedBy.file) } }),
  };
}

async function dataOf(opened: OpenedRun, name: EvaluationName): Promise<HeldEvaluation['data']> {
  const inputs = inputColumnsOf(opened.run.file, name.dataset);
  const { remade, data } = await opened.opened(name);
  if (!data) {
    const problem = remade.type === 'not-made' ? remade.reason : 'it could not be opened';
    return { columns: [], inputs, problem };
  }
  return { columns: [...data.columns], inputs };
}

/** Rows of an evaluation, some in each piece. */
class Pieces {
  readonly #shelf: Shelf;
  readonly #evaluation: number;
  readonly #counts: number[] = [];
  #rows: HeldRow[] = [];
  #bytes = 0;

  constructor(shelf: Shelf, evaluation: number) {
    this.#shelf = shelf;
    this.#evaluation = evaluation;
  }

  async add(row: HeldRow): Promise<void> {
    this.#rows.push(row);
    this.#bytes += bytesOf(row);
    if (this.#bytes >= pieceBytes || this.#rows.length === pieceRows) await this.#close();
  }

  /** How many rows each piece has. */
  async end(): Promise<readonly number[]> {
    if (this.#rows.length > 0) await this.#close();
    return this.#counts;
  }

  async #close(): Promise<void> {
    await this.#shelf.piece(rowsName(this.#evaluation, this.#counts.length), this.#rows);
    this.#counts.push(this.#rows.length);
    this.#rows = [];
    this.#bytes = 0;
  }
}
