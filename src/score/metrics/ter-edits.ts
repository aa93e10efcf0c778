import { chargeWork } from '../../base/heavy-work.ts';

const longestShift = 10;
const furthestShift = 50;
const beam = 25;
const maxShiftsTried = 1000;

/**
 * How many edits make one list of words of the other: words put in, taken out or exchanged, and
 * stretches of words that move to another position, at one edit each. Moves are chosen one by one as
 * sacreBLEU does after Tercom, so the number is not always the smallest possible.
 */
export function countMovesAndEdits(answer: readonly string[], gold: readonly string[]): number {
  if (gold.length === 0) return answer.length;
  const numbers = new Map<string, number>();
  const wanted = numberWords(gold, numbers);
  let words: readonly number[] = numberWords(answer, numbers);
  let moves = 0;
  let tried = 0;
  for (;;) {
    const table = new EditTable(words, wanted);
    const best = findBestMove(table, tried);
    tried += best.tried;
    if (tried >= maxShiftsTried || best.gain <= 0) return moves + table.edits;
    words = best.words;
    moves += 1;
  }
}

/** Words by numbers, which are compared faster than texts. */
function numberWords(words: readonly string[], numbers: Map<string, number>): number[] {
  return words.map((word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });
}

interface BestMove {
  /** How many edits the move saves. */
  readonly gain: number;
  readonly words: readonly number[];
  readonly tried: number;
}

interface Move {
  readonly start: number;
  readonly length: number;
  readonly target: number;
}

interface RatedMove extends Move {
  readonly gain: number;
}

/** The move that saves most; then the longest, then the one from and to the earliest position. */
function findBestMove(table: EditTable, triedBefore: number): BestMove {
  const { words, edits } = table;
  let best: RatedMove | undefined;
  let tried = 0;
  for (const { targets, ...stretch } of movableStretches(table)) {
    for (const target of targets) {
      const move = { ...stretch, target };
      const gain = edits - table.editsOf(moveWords(words, move), Math.min(move.start, target));
      tried += 1;
      const rated = { ...move, gain };
      if (!best || isBetter(rated, best)) best = rated;
    }
    if (triedBefore + tried >= maxShiftsTried) break;
  }
  return best
    ? { gain: best.gain, words: moveWords(words, best), tried }
    : { gain: 0, words, tried };
}

function isBetter(move: RatedMove, other: RatedMove): boolean {
  const differences = [
    move.gain - other.gain,
    move.length - other.length,
    other.start - move.start,
    other.target - move.target,
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

/**
 * Stretches of words that stand in both texts, are not right where they are, and would not be moved
 * into themselves; with the positions they may go to, next to the words that they should stand by.
 */
function* movableStretches({
  words,
  gold,
  alignment,
}: EditTable): Generator<Omit<Move, 'target'> & { readonly targets: ReadonlySet<number> }> {
  const { positions, isWordWrong, isGoldWrong } = alignment;
  for (let start = 0; start < words.length; start += 1) {
    const last = Math.min(gold.length - 1, start + furthestShift);
    for (let from = Math.max(0, start - furthestShift); from <= last; from += 1) {
      if (words[start] !== gold[from]) continue;
      let [hasWrongWord, hasWrongGold] = [false, false];
      const targets = new Set([from === 0 ? 0 : (positions[from - 1] ?? 0) + 1]);
      const at = positions[from] ?? 0;
      for (let length = 1; length <= longestShift; length += 1) {
        const [position, goldIndex] = [start + length - 1, from + length - 1];
        if (position >= words.length || words[position] !== gold[goldIndex]) break;
        hasWrongWord ||= isWordWrong[position] === true;
        hasWrongGold ||= isGoldWrong[goldIndex] === true;
        targets.add((positions[goldIndex] ?? 0) + 1);
        const staysInside = start <= at && at < start + length;
        if (hasWrongWord && hasWrongGold && !staysInside) yield { start, length, targets };
      }
    }
  }
}

function moveWords(words: readonly number[], { start, length, target }: Move): number[] {
  const moved = words.slice(start, start + length);
  const rest = [...words.slice(0, start), ...words.slice(start + length)];
  // Past the end of the stretch the target counts without its words.
  const to = target > start + length ? target - length : target;
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
}

interface Alignment {
  /** For each word of the gold text the position that it is held against, or the one before. */
  readonly positions: readonly number[];
  readonly isWordWrong: readonly boolean[];
  readonly isGoldWrong: readonly boolean[];
}

/** Edit distances from a position on; all others are infinite. */
interface EditRow {
  start: number;
  length: number;
  readonly values: Float64Array;
}

function emptyRow(size: number): EditRow {
  return { start: 0, length: size, values: new Float64Array(size) };
}

function valueAt({ start, length, values }: EditRow, position: number): number {
  const index = position - start;
  // Reads past the ends of an array are slow.
  const isInside = index >= 0 && index < length;
  return isInside ? (values[index] as number) : Number.POSITIVE_INFINITY;
}

/** How long a cell of the table takes, in nanoseconds. */
const cellNs = 4;

/** Edit distances between the beginnings of two texts, near the diagonal only. */
class EditTable {
  readonly words: readonly number[];
  readonly gold: readonly number[];
  readonly #rows: EditRow[];
  readonly #ratio: number;
  readonly #beam: number;
  /** Rows that are needed no longer than until the next but one: memory is not asked for each. */
  readonly #scratch: readonly [EditRow, EditRow];

  constructor(words: readonly number[], gold: readonly number[]) {
    this.words = words;
    this.gold = gold;
    this.#ratio = words.length === 0 ? 1 : gold.length / words.length;
    this.#beam = beam < this.#ratio / 2 ? Math.ceil(this.#ratio / 2 + beam) : beam;
    this.#scratch = [emptyRow(gold.length + 1), emptyRow(gold.length + 1)];
    this.#charge(words.length);
    const first = emptyRow(gold.length + 1);
    for (let position = 0; position <= gold.length; position += 1)
      first.values[position] = position;
    this.#rows = [first];
    for (let row = 1; row <= words.length; row += 1) {
      const { start, last } = this.#reach(row, words.length);
      const next = emptyRow(Math.max(0, last - start + 1));
      this.#fillRow(next, { words, row, above: this.#rows[row - 1] as EditRow });
      this.#rows.push(next);
    }
  }

  #charge(rows: number): void {
    chargeWork(rows * Math.min(2 * this.#beam, this.gold.length) * cellNs);
  }

  #at(row: number, position: number): number {
    const found = this.#rows[row];
    return found ? valueAt(found, position) : Number.POSITIVE_INFINITY;
  }

  get edits(): number {
    return this.#at(this.words.length, this.gold.length);
  }

  /** The distance of other words, of which the first ones are the same. */
  editsOf(words: readonly number[], same: number): number {
    this.#charge(words.length - same);
    let above = this.#rows[same] as EditRow;
    for (let row = same + 1; row <= words.length; row += 1) {
      const next = this.#scratch[row % 2] as EditRow;
      this.#fillRow(next, { words, row, above });
      above = next;
    }
    return valueAt(above, this.gold.length);
  }

  /** The positions of a row that are worked out. */
  #reach(row: number, rows: number): { readonly start: number; readonly last: number } {
    const middle = Math.floor(row * this.#ratio);
    const end = row === rows ? this.gold.length : middle + this.#beam - 1;
    return { start: Math.max(0, middle - this.#beam), last: Math.min(end, this.gold.length) };
  }

  #fillRow(next: EditRow, { words, row, above }: RowToFill): void {
    const { gold } = this;
    const { values } = next;
    const { start, last } = this.#reach(row, words.length);
    next.start = start;
    next.length = Math.max(0, last - start + 1);
    let before = Number.POSITIVE_INFINITY;
    if (start === 0 && last >= 0) {
      values[0] = row;
      before = row;
    }
    const word = words[row - 1];
    let diagonal = valueAt(above, Math.max(1, start) - 1);
    for (let position = Math.max(1, start); position <= last; position += 1) {
      const upper = valueAt(above, position);
      const kept = diagonal + (word === gold[position - 1] ? 0 : 1);
      before = Math.min(kept, upper + 1, before + 1);
      values[position - start] = before;
      diagonal = upper;
    }
  }

  /** Which words are held against each other on the way through the table, from its end. */
  get alignment(): Alignment {
    const positions: number[] = [];
    const isWordWrong: boolean[] = [];
    const isGoldWrong: boolean[] = [];
    let [row, position] = [this.words.length, this.gold.length];
    while (row > 0 || position > 0) {
      const step = this.#stepTo(row, position);
      if (step !== 'missing') {
        row -= 1;
        isWordWrong[row] = step !== 'same';
      }
      if (step !== 'extra') {
        position -= 1;
        isGoldWrong[position] = step !== 'same';
        positions[position] = step === 'missing' ? row - 1 : row;
      }
    }
    return { positions, isWordWrong, isGoldWrong };
  }

  /** Of equally good steps an exchange comes first, then an extra word, then a missing one. */
  #stepTo(row: number, position: number): 'same' | 'exchanged' | 'extra' | 'missing' {
    const here = this.#at(row, position);
    const isSame = this.words[row - 1] === this.gold[position - 1];
    if (row > 0 && position > 0 && this.#at(row - 1, position - 1) + Number(!isSame) === here) {
      return isSame ? 'same' : 'exchanged';
    }
    return row > 0 && this.#at(row - 1, position) + 1 === here ? 'extra' : 'missing';
  }
}

interface RowToFill {
  readonly words: readonly number[];
  readonly row: number;
  readonly above: EditRow;
}
