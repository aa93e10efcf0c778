import { type Html, html, htmlLines } from '../markup.ts';
import { nameRoom, plotSvg, plotText, short } from './plot.ts';

const cell = { width: 76, height: 30 };
const maxColumn = 20;
const head = 28;
const maxName = 28;

/** Shaded cells, with a name for each row and each column. */
export interface HeatGrid {
  readonly title: string;
  /** The stronger the colour, the worse. */
  readonly isBad?: true;
  readonly rowAxis: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    /** What a cell says, and how strong its colour is, from 0 to 1. */
    readonly cells: readonly { readonly text: string; readonly shade: number }[];
  }[];
}

/** A table of shaded cells as a picture. */
export function heatGridSvg(grid: HeatGrid): Html {
  const left = nameRoom([grid.rowAxis, ...grid.rows.map(({ name }) => name)], maxName);
  const width = Math.max(cell.width, nameRoom(grid.columns, maxColumn));
  const titles = grid.columns.map((column, index) =>
    plotText(column, {
      x: left + (index + 0.5) * width,
      y: 18,
      class: 'middle soft',
      maxWidth: maxColumn,
    }),
  );
  const rows = grid.rows.flatMap(({ name, cells }, line) => {
    const y = head + line * cell.height;
    return [
      plotText(name, { x: left - 10, y: y + 20, class: 'end', maxWidth: maxName }),
      ...cells.map((one, index) => heatCell({ x: left + index * width, y, width, ...one })),
    ];
  });
  const frame = {
    title: grid.title,
    ...(grid.isBad && { isBad: grid.isBad }),
    width: Math.ceil(left + grid.columns.length * width + 4),
    height: head + grid.rows.length * cell.height + 4,
  };
  return plotSvg(frame, htmlLines([...titles, ...rows]));
}

interface HeatCell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly shade: number;
  readonly text: string;
}

function heatCell({ x, y, width, shade, text }: HeatCell): Html {
  const share = Math.round(shade * 100);
  const ink = shade > 0.75 && html` style="fill:#ffffff"`;
  return html`<rect x="${short(x + 1)}" y="${y + 1}" width="${short(width - 2)}" height="${cell.height - 2}" rx="4" style="fill:color-mix(in srgb, var(--p-high) ${share}%, var(--p-low))"/><text x="${short(x + width / 2)}" y="${y + 20}" class="middle"${ink}>${text}</text>`;
}
