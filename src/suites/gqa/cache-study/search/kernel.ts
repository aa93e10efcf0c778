import { type Code, op, types, unsigned, vector } from './wasm-code.ts';
import { type WasmGlobal, type WasmMemory, wasm } from './web-assembly.ts';

/** Numbers of a vector are looked at in segments of so many. */
export const segmentLength = 32;
/** Rows that lie side by side in a panel, so that one instruction serves four of them. */
export const panelRows = 8;
/** Queries that are compared with a panel while it is at hand. */
export const quadSize = 4;
/** Bytes of what is reported for a row: its number, the query's number, their product. */
export const reportBytes = 12;

/**
 * Where things lie in memory, in bytes. A panel has pairs of numbers of eight rows, pair by pair,
 * and then the lengths that are left of the rows after each segment. A quad has four queries one
 * after the other, the lengths that are left of them, and the products that they must reach.
 */
export interface Layout {
  readonly segments: number;
  readonly panelTails: number;
  readonly panelBytes: number;
  readonly queryBytes: number;
  readonly quadTails: number;
  readonly quadLimits: number;
  readonly quadBytes: number;
}

export function layoutOf(dims: number): Layout {
  const segments = Math.ceil(dims / segmentLength);
  const queryBytes = segments * segmentLength * 2;
  const quadTails = quadSize * queryBytes;
  const quadLimits = quadTails + segments * quadSize * 4;
  const panelTails = queryBytes * panelRows;
  return {
    segments,
    panelTails,
    panelBytes: panelTails + segments * panelRows * 4,
    queryBytes,
    quadTails,
    quadLimits,
    quadBytes: quadLimits + quadSize * 4,
  };
}

export interface Kernel {
  /**
   * Compares a quad with the panels from `panel` to `end`, the first of which begins with row
   * number `row`, and reports the rows that may reach the limits. A row is given up after its first
   * `stage` segments if what is left of it cannot make up for what is missing, and again after each
   * further one.
   */
  scan(panel: number, end: number, quad: number, stage: number, row: number): void;
  /** Where the next report goes. */
  readonly out: WasmGlobal;
  /** How many groups of four rows got past the first segments. */
  readonly refined: WasmGlobal;
}

/** Makes the kernel for vectors of one length, over this memory. */
export function makeKernel(layout: Layout, memory: WasmMemory): Kernel {
  const module = new wasm.Module(Uint8Array.from(moduleCode(layout)));
  return new wasm.Instance(module, { env: { memory } }).exports as Kernel;
}

const { i32, v128 } = types;
const pairBytes = panelRows * 4;
const pairsInSegment = segmentLength / 2;
const queries = [0, 1, 2, 3];
const halves = [0, 1];
const globals = { out: 0, refined: 1 };
const functions = { scan: 0, refine: 1 };

function moduleCode(layout: Layout): Code {
  const section = (id: number, ...items: readonly Code[]): Code => {
    const content = vector(items);
    return [id, ...unsigned(content.length), ...content];
  };
  const name = (text: string): Code => vector([...text].map((letter) => [letter.charCodeAt(0)]));
  const type = (parameters: Code): Code => [0x60, ...vector(parameters.map((each) => [each])), 0];
  const counter = [i32, 1, ...op.constant(0), 0x0b];
  const memory = [...name('env'), ...name('memory'), 0x02, 0x00, 0];
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, type([i32, i32, i32, i32, i32]), type([v128, i32, i32, i32, i32, i32])),
    ...section(2, memory),
    ...section(3, [functions.scan], [functions.refine]),
    ...section(6, counter, counter),
    ...section(
      7,
      [...name('scan'), 0x00, functions.scan],
      [...name('out'), 0x03, globals.out],
      [...name('refined'), 0x03, globals.refined],
    ),
    ...section(10, scanCode(layout), refineCode(layout)),
  ];
}

/** The locals of `scan`, after its parameters. */
const scanned = {
  ...{ panel: 0, end: 1, quad: 2, stage: 3, row: 4, place: 5, values: 6, stop: 7 },
  sum: ({ query, half }: Group) => 8 + 2 * query + half,
  mask: ({ query, half }: Group) => 16 + 2 * query + half,
  rows: (half: number) => 24 + half,
  number: 26,
};

/** Four rows of a panel and a query. */
interface Group {
  readonly query: number;
  readonly half: number;
}

const groups: readonly Group[] = queries.flatMap((query) =>
  halves.map((half) => ({ query, half })),
);
const pairsAtOnce = 4;

function scanCode(layout: Layout): Code {
  const { panel, end, quad, stage, row, place, values, stop, sum, mask } = scanned;
  return functionCode(
    { integers: 3, vectors: 19 },
    op.loop(
      ...groups.flatMap((group) => [op.zeroVector, op.set(sum(group))]),
      ...[op.get(panel), op.set(place), op.get(quad), op.set(values)],
      ...[op.get(quad), ...times(stage, segmentLength * 2), op.add, op.set(stop)],
      op.loop(
        ...Array.from({ length: pairsAtOnce }, (_, pair) => addPair(layout, pair)).flat(),
        ...[op.get(place), op.constant(pairsAtOnce * pairBytes), op.add, op.set(place)],
        ...[op.get(values), op.constant(pairsAtOnce * 4), op.add, op.tee(values)],
        ...[op.get(stop), op.isBelow, op.repeatIf],
      ),
      ...[op.get(panel), ...times(stage, panelRows * 4), op.add, op.set(place)],
      ...[op.get(quad), ...times(stage, quadSize * 4), op.add, op.set(values)],
      ...groups.flatMap((group) => checkGroup(layout, group)),
      op.zeroVector,
      ...groups.flatMap((group) => [op.get(mask(group)), op.or]),
      op.anyTrue,
      op.when(...groups.flatMap(refineGroup)),
      ...[op.get(row), op.constant(panelRows), op.add, op.set(row)],
      ...[op.get(panel), op.constant(layout.panelBytes), op.add, op.tee(panel)],
      ...[op.get(end), op.isBelow, op.repeatIf],
    ),
  );
}

/** Adds the products of a pair of numbers, of all rows with all queries. */
function addPair({ queryBytes }: Layout, pair: number): readonly Code[] {
  const { place, values, sum, rows, number } = scanned;
  return [
    ...halves.flatMap((half) => [
      ...[op.get(place), op.loadVector(pair * pairBytes + half * 16), op.set(rows(half))],
    ]),
    ...queries.flatMap((query) => [
      ...[op.get(values), op.loadSplat(query * queryBytes + pair * 4), op.set(number)],
      ...halves.flatMap((half) => [
        ...[op.get(sum({ query, half })), op.get(rows(half)), op.get(number)],
        ...[op.dot, op.addLanes, op.set(sum({ query, half }))],
      ]),
    ]),
  ];
}

/** Notes which rows may reach the limit: the lengths left after the first segment come first. */
function checkGroup(layout: Layout, group: Group): readonly Code[] {
  const { quad, place, values, sum, mask } = scanned;
  const { query, half } = group;
  return [
    ...[op.get(sum(group)), op.toFloats],
    ...[op.get(place), op.loadVector(layout.panelTails - panelRows * 4 + half * 16)],
    ...[op.get(values), op.loadSplat(layout.quadTails - quadSize * 4 + query * 4)],
    ...[op.multiplyFloats, op.addFloats],
    ...[op.get(quad), op.loadSplat(layout.quadLimits + query * 4)],
    ...[op.atLeast, op.set(mask(group))],
  ];
}

function refineGroup(group: Group): readonly Code[] {
  const { panel, quad, stage, row, sum, mask } = scanned;
  return [
    ...[op.get(mask(group)), op.anyTrue],
    op.when(
      op.get(sum(group)),
      ...[op.get(panel), op.constant(group.half * 16), op.add],
      ...[op.get(quad), op.constant(group.query), op.get(stage)],
      ...[op.get(row), op.constant(group.half * 4), op.add],
      op.call(functions.refine),
    ),
  ];
}

/** `refine(sums, panel, quad, query, stage, row)` goes on with four rows and one query. */
function refineCode(layout: Layout): Code {
  const [sums, panel, quad, query, stage, row, place, values, bits, mask] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ];
  const pairs = Array.from({ length: pairsInSegment }, (_, pair) => [
    ...[op.get(sums), op.get(place), op.loadVector(pair * pairBytes)],
    ...[op.get(values), op.loadSplat(pair * 4)],
    ...[op.dot, op.addLanes, op.set(sums)],
  ]).flat();
  const ofQuery = [op.get(quad), ...times(query, 4), op.add];
  const check = [
    ...[op.get(sums), op.toFloats],
    ...[op.get(panel), ...times(stage, panelRows * 4), op.add],
    op.loadVector(layout.panelTails - panelRows * 4),
    ...[...ofQuery, ...times(stage, quadSize * 4), op.add],
    op.loadSplat(layout.quadTails - quadSize * 4),
    ...[op.multiplyFloats, op.addFloats],
    ...[...ofQuery, op.loadSplat(layout.quadLimits)],
    ...[op.atLeast, op.set(mask)],
  ];
  const report = (lane: number): Code => [
    ...[op.get(bits), op.constant(1 << lane), op.and].flat(),
    ...op.when(
      ...[op.getGlobal(globals.out), op.get(row), op.constant(lane), op.add, op.store(0)],
      ...[op.getGlobal(globals.out), op.get(query), op.store(4)],
      ...[op.getGlobal(globals.out), op.get(sums), op.lane(lane), op.store(8)],
      ...addToGlobal(globals.out, reportBytes),
    ),
  ];
  return functionCode(
    { integers: 3, vectors: 1 },
    ...addToGlobal(globals.refined, 1),
    ...[op.get(panel), ...times(stage, pairsInSegment * pairBytes), op.add, op.set(place)],
    ...[op.get(quad), ...times(query, layout.queryBytes), op.add],
    ...[...times(stage, segmentLength * 2), op.add, op.set(values)],
    op.block(
      op.loop(
        ...[op.get(stage), op.constant(layout.segments), op.isBelow, op.isZero, op.leaveBlockIf],
        ...pairs,
        ...[op.get(stage), op.constant(1), op.add, op.set(stage)],
        ...[op.get(place), op.constant(pairsInSegment * pairBytes), op.add, op.set(place)],
        ...[op.get(values), op.constant(segmentLength * 2), op.add, op.set(values)],
        ...check,
        ...[op.get(mask), op.anyTrue, op.repeatIf],
        op.leave,
      ),
    ),
    ...check,
    ...[op.get(mask), op.laneBits, op.set(bits)],
    ...queries.map(report),
  );
}

/** A local number times a constant. */
function times(local: number, factor: number): readonly Code[] {
  return [op.get(local), op.constant(factor), op.multiply];
}

function addToGlobal(global: number, amount: number): readonly Code[] {
  return [op.getGlobal(global), op.constant(amount), op.add, op.setGlobal(global)];
}

/** A function whose locals, after its parameters, are numbers first and vectors then. */
function functionCode(
  { integers, vectors }: { readonly integers: number; readonly vectors: number },
  ...body: readonly Code[]
): Code {
  const locals = vector([
    [integers, i32],
    [vectors, v128],
  ]);
  const code = [...locals, ...body.flat(), 0x0b];
  return [...unsigned(code.length), ...code];
}
