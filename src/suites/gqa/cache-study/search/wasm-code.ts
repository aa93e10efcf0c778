/** Bytes of WebAssembly for one function or module. */
export type Code = readonly number[];

export function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

/** A list of things with its length before it. */
export function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

const simd = (operation: number, ...rest: readonly number[]): Code => [
  0xfd,
  ...unsigned(operation),
  ...rest,
];
const at = (alignment: number, offset: number): Code => [alignment, ...unsigned(offset)];

/** Types of values. */
export const types = { i32: 0x7f, v128: 0x7b } as const;

/** The instructions that the kernel needs. */
export const op = {
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  tee: (local: number): Code => [0x22, ...unsigned(local)],
  getGlobal: (global: number): Code => [0x23, ...unsigned(global)],
  setGlobal: (global: number): Code => [0x24, ...unsigned(global)],
  call: (index: number): Code => [0x10, ...unsigned(index)],
  constant: (value: number): Code => [0x41, ...signed(value)],
  add: [0x6a] as Code,
  multiply: [0x6c] as Code,
  and: [0x71] as Code,
  isZero: [0x45] as Code,
  isBelow: [0x49] as Code,
  store: (offset: number): Code => [0x36, ...at(2, offset)],
  loop: (...body: readonly Code[]): Code => [0x03, 0x40, ...body.flat(), 0x0b],
  block: (...body: readonly Code[]): Code => [0x02, 0x40, ...body.flat(), 0x0b],
  when: (...body: readonly Code[]): Code => [0x04, 0x40, ...body.flat(), 0x0b],
  /** Goes back to the start of the loop around it. */
  repeatIf: [0x0d, 0] as Code,
  /** From a loop, goes to the end of the block around that. */
  leaveBlockIf: [0x0d, 1] as Code,
  leave: [0x0f] as Code,
  loadVector: (offset: number): Code => simd(0x00, ...at(4, offset)),
  /** Loads 32 bits and puts them into all four lanes. */
  loadSplat: (offset: number): Code => simd(0x09, ...at(2, offset)),
  zeroVector: simd(0x0c, ...new Array<number>(16).fill(0)),
  lane: (index: number): Code => simd(0x1b, index),
  /** Products of eight pairs of 16-bit numbers, added two by two. */
  dot: simd(0xba),
  addLanes: simd(0xae),
  toFloats: simd(0xfa),
  addFloats: simd(0xe4),
  multiplyFloats: simd(0xe6),
  atLeast: simd(0x46),
  or: simd(0x50),
  anyTrue: simd(0x53),
  laneBits: simd(0xa4),
};
