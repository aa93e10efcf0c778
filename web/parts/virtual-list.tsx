import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Browsers draw nothing beyond some 17 million pixels; longer lists are scrolled to scale. */
const maxHeight = 12_000_000;
const beyond = 6;

export interface VirtualListProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  /** The columns, as CSS writes them. */
  readonly grid: string;
  /** The row to be in sight. */
  readonly active?: number | undefined;
  readonly head?: ComponentChildren;
  readonly onRange: (from: number, to: number) => void;
  readonly children: (index: number) => ComponentChildren;
}

/** A list of any length, of which only the rows in sight are there. */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, label, grid, active, head, onRange, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const height = Math.min(count * rowHeight, maxHeight);
  const real = count * rowHeight;
  const reach = Math.max(1, height - view.height);
  const scale = real > height ? (real - view.height) / reach : 1;
  const offset = Math.min(view.top, reach) * scale;
  const first = Math.max(0, Math.floor(offset / rowHeight) - beyond);
  const last = Math.min(count, Math.ceil((offset + view.height) / rowHeight) + beyond);
  const measure = () => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onRange(first, last), [first, last, count]);
  useEffect(() => {
    const element = box.current;
    if (active === undefined || !element) return;
    const top = active * rowHeight;
    if (top < offset + rowHeight) element.scrollTop = Math.max(0, top - rowHeight) / scale;
    else if (top + 2 * rowHeight > offset + view.height)
      element.scrollTop = (top + 2 * rowHeight - view.height) / scale;
  }, [active]);
  const rows = [];
  for (let index = first; index < last; index++) rows.push(index);
  // What is in sight keeps its distance to the scrolled edge, whatever the scale.
  const shift = first * rowHeight - offset + view.top;
  return (
    <div
      class="list"
      ref={box}
      onScroll={measure}
      style={{ '--grid': grid, '--row-height': `${rowHeight}px` }}
      role="table"
      aria-label={label}
      aria-rowcount={count}
      tabIndex={0}
    >
      {head}
      <div class="list-body" role="rowgroup" style={{ height: `${height}px` }}>
        <div
          class="list-window"
          role="presentation"
          style={{ transform: `translateY(${shift}px)` }}
        >
          {rows.map(children)}
        </div>
      </div>
    </div>
  );
}
