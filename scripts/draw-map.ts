import { writeFileSync } from 'node:fs';
import { layers } from './layers.ts';
import { type Arrow, type Room, type RoomMap, readRooms } from './room-map.ts';

// Writes design/map.svg: the rooms of the source in layers, and who imports whom.

const page = { width: 1280, top: 92, side: 24 };
const row = { height: 46, pitch: 74 };
const box = { width: 168, slab: page.width - 2 * page.side };

/** Rooms that stand under all others; arrows to them would only hide the rest. */
export const groundRooms: ReadonlySet<string> = new Set(['errors.ts', 'base']);

/** Where a room stands in its row, from 0 to 1; rooms without a word here share the row evenly. */
const across: Readonly<Record<string, number>> = {
  prompt: 0.3,
  python: 0.86,
  'chat-template': 0.06,
  compat: 0.94,
  tasks: 0.05,
  config: 0.24,
  evaluation: 0.48,
  run: 0.7,
  study: 0.92,
  queue: 0.06,
  batch: 0.3,
  report: 0.98,
  api: 0.56,
  terminal: 0.12,
  exports: 0.84,
  vitest: 0.04,
  server: 0.32,
  suites: 0.6,
  import: 0.88,
  cli: 0.26,
  'index.ts': 0.8,
};

interface Placed extends Room {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export function drawMap({ rooms, arrows }: RoomMap): string {
  const placed = new Map(rooms.map((room) => [room.name, place(room)]));
  const drawn = arrows.filter(({ to }) => !groundRooms.has(to));
  const height = page.top + layers.length * row.pitch + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${height}" role="img" aria-label="The rooms of src and their imports">
<style>${style(rooms)}</style>
<rect class="page" width="${page.width}" height="${height}"/>
<text class="title" x="${page.side}" y="38">The rooms of src</text>
<text class="note" x="${page.side}" y="62">A room imports only from rooms below it. The wider an arrow, the more imports. Every room may use errors.ts and base.</text>
<g class="arrows">
${drawArrows(drawn, placed).join('\n')}
</g>
<g class="rooms">
${[...placed.values()].map(drawRoom).join('\n')}
</g>
</svg>
`;
}

function place(room: Room): Placed {
  const y = page.top + (layers.length - 1 - room.layer) * row.pitch;
  if (groundRooms.has(room.name)) return { ...room, x: page.side, y, width: box.slab };
  const beside = layers[room.layer] ?? [];
  const even = beside.length < 2 ? 0.5 : beside.indexOf(room.name) / (beside.length - 1);
  const share = across[room.name] ?? even;
  return { ...room, x: page.side + share * (box.slab - box.width), y, width: box.width };
}

function drawRoom({ name, files, lines, x, y, width }: Placed): string {
  const middle = x + width / 2;
  const size = `${files} ${files === 1 ? 'file' : 'files'} · ${roundLines(lines).toLocaleString('en')} lines`;
  return `<g class="room r-${classOf(name)}" data-room="${name}" data-lines="${roundLines(lines)}">
<rect x="${at(x)}" y="${y}" width="${width}" height="${row.height}" rx="7"/>
<text class="name" x="${at(middle)}" y="${y + 20}">${name}</text>
<text class="size" x="${at(middle)}" y="${y + 37}">${size}</text>
</g>`;
}

/** Arrows leave a box at its lower edge and reach one at its upper edge, side by side. */
function drawArrows(arrows: readonly Arrow[], placed: ReadonlyMap<string, Placed>): string[] {
  const starts = spread(arrows, 'from', placed);
  const ends = spread(arrows, 'to', placed);
  return arrows.map((arrow) => {
    const { from, to, count } = arrow;
    const [x1, x2] = [starts.get(arrow) ?? 0, ends.get(arrow) ?? 0];
    const y1 = (placed.get(from)?.y ?? 0) + row.height;
    const y2 = (placed.get(to)?.y ?? 0) - 7;
    const bend = Math.max(20, (y2 - y1) * 0.45);
    const width = at(0.7 + Math.sqrt(count) * 0.75);
    const curve = `M${at(x1)} ${y1}C${at(x1)} ${at(y1 + bend)} ${at(x2)} ${at(y2 - bend)} ${at(x2)} ${y2}`;
    const half = 2.4 + width / 2;
    const head = `M${at(x2 - half)} ${y2}h${at(2 * half)}l${at(-half)} 7z`;
    return `<g class="arrow a-${classOf(from)} b-${classOf(to)}${count < 4 ? ' few' : ''}" data-from="${from}" data-to="${to}"><title>${from} → ${to}: ${about(count)}</title><path stroke-width="${width}" d="${curve}"/><path class="head" d="${head}"/></g>`;
  });
}

/** Points along the edges of boxes, so ordered that arrows cross little. */
function spread(
  arrows: readonly Arrow[],
  end: 'from' | 'to',
  placed: ReadonlyMap<string, Placed>,
): ReadonlyMap<Arrow, number> {
  const other = end === 'from' ? 'to' : 'from';
  const points = new Map<Arrow, number>();
  for (const { name, x, width } of placed.values()) {
    const own = arrows
      .filter((arrow) => arrow[end] === name)
      .sort((a, b) => (placed.get(a[other])?.x ?? 0) - (placed.get(b[other])?.x ?? 0));
    own.forEach((arrow, index) => {
      points.set(arrow, x + (width * (index + 1)) / (own.length + 1));
    });
  }
  return points;
}

function style(rooms: readonly Room[]): string {
  const hue = (layer: number) => Math.round(215 + (layer / layers.length) * 290) % 360;
  const colours = rooms.map(({ name, layer }) => {
    const key = classOf(name);
    return `.r-${key},.a-${key}{--hue:${hue(layer)}}svg:has(.r-${key}:hover) .arrow:not(.a-${key},.b-${key}){opacity:.04}`;
  });
  return `
svg{--page:#fff;--ink:#1c2330;--soft:#5a6478;--fill:94%;--edge:42%;--line:48%;font-family:system-ui,'Helvetica Neue',Arial,sans-serif}
@media (prefers-color-scheme:dark){svg{--page:#11151c;--ink:#e9edf4;--soft:#a3adbf;--fill:18%;--edge:62%;--line:62%}}
.page{fill:var(--page)}text{fill:var(--ink)}
.title{font-size:22px;font-weight:700}.note{font-size:14px;fill:var(--soft)}
.room rect{fill:hsl(var(--hue) 45% var(--fill));stroke:hsl(var(--hue) 55% var(--edge));stroke-width:1.5}
.room text{text-anchor:middle}.name{font-size:15px;font-weight:650}.size{font-size:12px;fill:var(--soft)}
.arrow{opacity:.62}.few{opacity:.36}.arrow path{fill:none;stroke:hsl(var(--hue) 60% var(--line))}
.arrow .head{fill:hsl(var(--hue) 60% var(--line));stroke:none}
${colours.join('\n')}
`;
}

/** Coarse, so that the map does not change with every line. */
function roundLines(lines: number): number {
  return Math.max(100, Math.round(lines / 100) * 100);
}

function about(count: number): string {
  return count < 10 ? 'a few imports' : `about ${Math.round(count / 10) * 10} imports`;
}

function classOf(name: string): string {
  return name.replace('.', '-');
}

function at(value: number): number {
  return Math.round(value * 10) / 10;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../design/map.svg', import.meta.url), drawMap(readRooms()));
}
