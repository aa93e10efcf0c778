import { layerOf, layers, roomOf } from './layers.ts';
import { type Import, importsIn, isTest, readSource, sourceFiles } from './source-imports.ts';

export interface Room {
  readonly name: string;
  readonly layer: number;
  readonly files: number;
  readonly lines: number;
}

/** The imports of one room from another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

export interface RoomMap {
  readonly rooms: readonly Room[];
  readonly arrows: readonly Arrow[];
}

/** The rooms of the source as they are now, and who imports whom. */
export function readRooms(): RoomMap {
  const texts = new Map(
    sourceFiles()
      .filter((file) => !isTest(file))
      .map((file) => [file, readSource(file)] as const),
  );
  const rooms = layers.flat().map((name): Room => {
    const own = [...texts].filter(([file]) => roomOf(file) === name);
    const lines = own.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0);
    return { name, layer: layerOf(name), files: own.length, lines };
  });
  const imports = [...texts].flatMap(([file, text]) => importsIn(text, file));
  return { rooms, arrows: countArrows(imports.filter(({ to }) => texts.has(to))) };
}

function countArrows(imports: readonly Import[]): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const one of imports) {
    const [from, to] = [roomOf(one.from), roomOf(one.to)];
    if (from === to) continue;
    const key = `${from} ${to}`;
    arrows.set(key, { from, to, count: (arrows.get(key)?.count ?? 0) + 1 });
  }
  return [...arrows.values()].sort((a, b) => b.count - a.count || (a.from < b.from ? -1 : 1));
}
