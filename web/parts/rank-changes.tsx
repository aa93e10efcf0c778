import { countOf } from '../../src/base/format.ts';
import { heatMapOf } from '../../src/report/sweep/heat-map.ts';
import type { SheetSummary } from '../../src/study/sweep/sweep-summary.ts';

const [stepX, stepY, top] = [92, 26, 30];
/** Of a letter, and of the room beside names. */
const [letterWidth, besides] = [7, 20];
const maxName = 20;

/** Which template leads, column by column: lines that cross are templates that change places. */
export function RankChanges({ sheet }: { readonly sheet: SheetSummary }) {
  const { rows, columns, columnAxis, rowAxis, isLowerBetter } = heatMapOf(sheet);
  if (rows.length < 2 || columns.length < 2) return null;
  const scoresIn = (column: number) => rows.map(({ scores }) => scores[column]);
  const ranks: (number | undefined)[][] = [];
  for (const column of columns.keys()) {
    ranks.push(ranksOf(scoresIn(column), { before: ranks[column - 1], isLowerBetter }));
  }
  const last = scoresIn(columns.length - 1).filter((score) => score !== undefined);
  const best = isLowerBetter ? Math.min(...last) : Math.max(...last);
  const hasLead = last.filter((score) => score === best).length === 1;
  const crossings = countCrossings(ranks);
  const longest = Math.max(...rows.map(({ name }) => short(name).length));
  const left = besides + longest * letterWidth;
  const x = (column: number) => left + column * stepX;
  const y = (rank: number) => top + rank * stepY;
  const [width, height] = [x(columns.length - 1) + left, y(rows.length - 1) + 24];
  const title =
    crossings === 0
      ? `No ${rowAxis || 'template'} changes places`
      : `${countOf(crossings, 'change')} of places`;
  return (
    <section class="panel">
      <h2>
        Ranks by {columnAxis} <span class="soft small">{title}</span>
      </h2>
      <div class="ranks">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={textOf(rows, columns, ranks)}
        >
          {columns.map((name, column) => (
            <text key={name} x={x(column)} y={14} text-anchor="middle" class="axis">
              {name}
            </text>
          ))}
          {rows.map(({ name }, row) => {
            const places = ranks.flatMap((of, column) => {
              const rank = of[row];
              return rank === undefined ? [] : [[x(column), y(rank)] as const];
            });
            const [first, end] = [places[0], places.at(-1)];
            const leads = hasLead && ranks.at(-1)?.[row] === 0;
            return (
              <g key={name} class={leads ? 'lead' : ''}>
                <title>{name}</title>
                <polyline points={places.map((place) => place.join(',')).join(' ')} />
                {places.map(([cx, cy]) => (
                  <circle key={cx} cx={cx} cy={cy} r={4} />
                ))}
                {first && (
                  <text x={first[0] - 10} y={first[1] + 4} text-anchor="end">
                    {short(name)}
                  </text>
                )}
                {end && (
                  <text x={end[0] + 10} y={end[1] + 4}>
                    {short(name)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}

/** The place of each score, the best first; those with equal scores keep their order. */
function ranksOf(
  scores: readonly (number | undefined)[],
  {
    before = [],
    isLowerBetter,
  }: {
    readonly before: readonly (number | undefined)[] | undefined;
    readonly isLowerBetter: boolean;
  },
): (number | undefined)[] {
  const sign = isLowerBetter ? 1 : -1;
  const placeOf = (index: number) => before[index] ?? index;
  const order = scores
    .flatMap((score, index) => (score === undefined ? [] : [{ score, index }]))
    .sort((a, b) => sign * (a.score - b.score) || placeOf(a.index) - placeOf(b.index));
  return scores.map((score, index) =>
    score === undefined ? undefined : order.findIndex((one) => one.index === index),
  );
}

/** How often two of them change places from one column to the next. */
function countCrossings(ranks: readonly (readonly (number | undefined)[])[]): number {
  let crossings = 0;
  for (const [column, now] of ranks.entries()) {
    const before = ranks[column - 1];
    if (!before) continue;
    for (const a of now.keys()) {
      for (const b of now.keys()) {
        const [a1, a2, b1, b2] = [before[a], now[a], before[b], now[b]];
        if (a1 === undefined || a2 === undefined || b1 === undefined || b2 === undefined) continue;
        if (a1 < b1 && a2 > b2) crossings += 1;
      }
    }
  }
  return crossings;
}

function textOf(
  rows: readonly { readonly name: string }[],
  columns: readonly string[],
  ranks: readonly (readonly (number | undefined)[])[],
): string {
  return columns
    .map((column, index) => {
      const names = rows
        .map(({ name }, row) => ({ name, rank: ranks[index]?.[row] }))
        .filter(({ rank }) => rank !== undefined)
        .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
        .map(({ name }) => name);
      return `${column}: ${names.join(', ')}`;
    })
    .join('; ');
}

function short(name: string): string {
  return name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name;
}
