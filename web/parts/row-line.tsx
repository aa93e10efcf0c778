import { formatCount } from '../../src/base/format.ts';
import type { Cell } from '../../src/server/viewer/api.ts';
import { changed, go, Link, usePlace } from '../router.tsx';
import { letterOf } from '../run-facts.ts';
import type { ListedRow } from '../use-rows.ts';
import { ShownText } from './shown-text.tsx';
import { Badge } from './verdict.tsx';

/** The columns of a list, as CSS writes them. */
export function rowGrid(evaluations: number): string {
  if (evaluations === 0) return '7.6rem 4rem minmax(0, 1.3fr) minmax(0, 1fr) 5.2rem 4.4rem 4.4rem';
  return `4rem minmax(8rem, 1.2fr) repeat(${evaluations}, minmax(7rem, 1fr))`;
}

interface HeadProps {
  readonly names: readonly string[] | undefined;
  readonly columns: readonly string[];
}

export function SortHead({ names, columns }: HeadProps) {
  return (
    <div class={`list-head ${names ? 'matrix' : ''}`} role="row">
      {names ? (
        <>
          <SortCell sort="id" text="row" />
          <span role="columnheader" class="text">
            {columns.join(', ') || 'row'}
          </span>
          {names.map((name, index) => (
            <span role="columnheader" key={name} title={name}>
              <span class="letter">{letterOf(index)}</span> <span class="name">{name}</span>
            </span>
          ))}
        </>
      ) : (
        <>
          <SortCell sort="score" text="verdict" />
          <SortCell sort="id" text="row" />
          <span role="columnheader">{columns.join(', ') || 'data'}</span>
          <span role="columnheader">answer and gold answer</span>
          <SortCell sort="length" text="length" isNumber />
          <SortCell sort="tokensOut" text="tokens" isNumber />
          <SortCell sort="ms" text="time" isNumber />
        </>
      )}
    </div>
  );
}

function SortCell({
  sort,
  text,
  isNumber,
}: {
  readonly sort: string;
  readonly text: string;
  readonly isNumber?: boolean;
}) {
  const place = usePlace();
  const isSorted = (place.params.get('sort') ?? 'id') === sort;
  const isDown = place.params.get('order') === 'down';
  const next = isSorted
    ? isDown
      ? 'up'
      : 'down'
    : sort === 'id' || sort === 'score'
      ? 'up'
      : 'down';
  return (
    <span
      role="columnheader"
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}
      class={isNumber ? 'number' : ''}
    >
      <button
        type="button"
        class="link"
        onClick={() => go(changed(place, { sort, order: next, at: undefined }))}
      >
        {text}
        {isSorted ? (isDown ? ' ↓' : ' ↑') : ''}
      </button>
    </span>
  );
}

interface LineProps {
  readonly index: number;
  readonly row: ListedRow | undefined;
  readonly isActive: boolean;
  readonly columns: readonly string[];
  readonly isMatrix: boolean;
  readonly to: (id: number) => string;
}

export function RowLine({ index, row, isActive, columns, isMatrix, to }: LineProps) {
  if (!row) return <div class="row pending" role="row" aria-rowindex={index + 1} />;
  const values = columns.map((name) => row.columns?.[name]).filter((text) => text !== undefined);
  const [first] = row.cells;
  return (
    <div
      class={`row ${isActive ? 'active' : ''} ${isMatrix ? 'matrix' : ''}`}
      role="row"
      aria-rowindex={index + 1}
    >
      {!isMatrix && (
        <span role="cell">{first && <Badge verdict={first.verdict} score={first.score} />}</span>
      )}
      <span role="cell" class="id">
        <Link to={to(row.id)}>
          #{row.id}
          {row.note ? <span title="has a note"> ✎</span> : null}
        </Link>
      </span>
      <span role="cell" class="text">
        {values.map((value, place) => (
          <bdi key={columns[place]}>
            <ShownText text={value} showsSpace={false} />
          </bdi>
        ))}
      </span>
      {isMatrix ? (
        row.cells.map((cell, place) => <MatrixCell key={place} cell={cell} />)
      ) : (
        <OneCells cell={first ?? null} />
      )}
    </div>
  );
}

function OneCells({ cell }: { readonly cell: Cell | null }) {
  if (!cell) return null;
  return (
    <>
      <span role="cell" class="pair">
        <Pair cell={cell} />
      </span>
      <span role="cell" class="number">
        {formatCount(cell.length)}
      </span>
      <span role="cell" class="number">
        {cell.tokensOut === undefined ? '–' : formatCount(cell.tokensOut)}
      </span>
      <span role="cell" class="number">
        {cell.ms === undefined ? '–' : timeOf(cell.ms)}
      </span>
    </>
  );
}

export function timeOf(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A line has no room for the address of a server. */
function withoutAddress(reason: string): string {
  return reason.replace(/^https?:\/\/\S+ /, '');
}

const signs: Readonly<Record<string, string>> = { right: '=', wrong: '≠' };

function Pair({ cell }: { readonly cell: Cell }) {
  const { reason, extracted, answer, gold, verdict, isLarge, length } = cell;
  if (isLarge) return <span class="soft">{formatCount(length)} characters: open the row</span>;
  if (reason !== undefined) {
    return (
      <span class="soft" title={reason}>
        {withoutAddress(reason)}
      </span>
    );
  }
  return (
    <>
      <bdi class="got">
        <ShownText text={saidIn({ extracted, answer })} showsSpace={false} />
      </bdi>
      {gold !== undefined && (
        <>
          <span class={`sign tone-${verdict}`}> {signs[verdict] ?? '→'} </span>
          <bdi class="gold">
            <ShownText text={gold} showsSpace={false} />
          </bdi>
        </>
      )}
    </>
  );
}

/** What was taken from an answer, else the answer. */
export function saidIn({ extracted, answer }: Pick<Cell, 'extracted' | 'answer'>): string {
  return extracted ?? (answer || '(no answer)');
}

function MatrixCell({ cell }: { readonly cell: Cell | null }) {
  if (!cell)
    return (
      <span role="cell" class="soft">
        –
      </span>
    );
  return (
    <span role="cell" class={`matrix-cell tone-${cell.verdict}`}>
      <span class="dot" aria-hidden="true" />
      <span class="sr">{cell.verdict}: </span>
      <bdi>
        <ShownText
          text={cell.reason === undefined ? saidIn(cell) : withoutAddress(cell.reason)}
          showsSpace={false}
        />
      </bdi>
    </span>
  );
}
