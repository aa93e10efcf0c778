import { countOf } from '../../src/base/format.ts';
import { formatEnds, formatShare } from '../../src/report/sweep/describe-sweep.ts';
import { formatP, formatSigned, formatValue } from '../../src/study/compare/compare-format.ts';
import { scaleOf } from '../../src/study/sweep/headline.ts';
import type {
  BestConfiguration,
  ChangingRow,
  SheetSummary,
  VariancePart,
} from '../../src/study/sweep/sweep-summary.ts';
import { intervalText, ScoreBar, type ShownScore, scoreText } from './score.tsx';

/** What the best configuration seems to score, and what can be expected of it. */
export function BestScores({
  best: { model, datasets, naive, honest },
  sheets,
}: {
  readonly best: BestConfiguration;
  readonly sheets: readonly SheetSummary[];
}) {
  const sheet = sheets.find((one) => one.model === model && datasets.includes(one.dataset));
  if (!honest || !sheet) return null;
  const kind = {
    ...(sheet.plain && { plain: true as const }),
    ...(sheet.direction && { direction: sheet.direction }),
  };
  const scores: readonly [string, ShownScore][] = [
    ['selection rows', { ...kind, score: { value: naive, interval: 'too few' } }],
    ['held-out rows', { ...kind, score: honest }],
  ];
  return (
    <div class="dots">
      {scores.map(([name, shown], index) => (
        <>
          <span class="name">{name}</span>
          <ScoreBar {...shown} />
          <span>
            <span class="value">{scoreText(shown)}</span>{' '}
            <span class="interval">{index === 0 ? '' : intervalText(shown)}</span>
          </span>
        </>
      ))}
    </div>
  );
}

/** Shares of the variance, the whole width being all of it. */
export function VarianceBars({ parts }: { readonly parts: readonly VariancePart[] }) {
  return (
    <div class="dots">
      {parts.map((part) => (
        <>
          <span class="name">{part.source.replaceAll('_', ' ')}</span>
          <div class="bar" aria-hidden="true">
            <i class="share" style={{ left: 0, width: `${part.share * 100}%` }} />
          </div>
          <span class="value">{formatShare(part)}</span>
        </>
      ))}
    </div>
  );
}

/** Every pair of values that was compared on the same rows. */
export function Comparisons({ sheet }: { readonly sheet: SheetSummary }) {
  const { comparisons } = sheet;
  if (comparisons.length === 0) return null;
  const scale = scaleOf(sheet);
  return (
    <details class="panel fold">
      <summary>All comparisons: {countOf(comparisons.length, 'pair')} on the same rows</summary>
      <div class="wide-table" tabIndex={0} role="region" aria-label="All comparisons">
        <table class="study-table pairs">
          <thead>
            <tr>
              {['axis', 'A', 'B', 'B − A', 'interval', 'p', 'adjusted p', 'verdict'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparisons.map(({ axis, a, b, difference, p, adjustedP, isDifferent }) => (
              <tr key={`${axis} ${a} ${b}`} class={isDifferent ? '' : 'soft'}>
                <td>{axis.replaceAll('_', ' ')}</td>
                <td>{a}</td>
                <td>{b}</td>
                <td>{formatSigned(difference.value, scale)}</td>
                <td>{formatEnds(difference, { scale })}</td>
                <td>{formatP(p)}</td>
                <td>{formatP(adjustedP)}</td>
                <td>{isDifferent ? 'different' : 'no clear difference'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft small">Adjusted by Holm’s method for all comparisons of the sweep.</p>
    </details>
  );
}

/** Rows that are right with one template and wrong with another, with prompts and answers. */
export function ChangingRows({ sheet }: { readonly sheet: SheetSummary }) {
  const { changing } = sheet;
  if (!changing || changing.most.length === 0) return null;
  return (
    <details class="panel fold">
      <summary>
        Rows that change with the template: {changing.most.length} of{' '}
        {countOf(changing.rows, 'row')}
      </summary>
      {changing.most.map((row) => (
        <Changing key={row.id} row={row} sheet={sheet} areVerdicts={changing.areVerdicts} />
      ))}
    </details>
  );
}

function Changing({
  row: { id, gold, cells },
  sheet,
  areVerdicts,
}: {
  readonly row: ChangingRow;
  readonly sheet: SheetSummary;
  readonly areVerdicts: boolean;
}) {
  const scale = scaleOf(sheet);
  const scores = cells.map(({ score }) => score);
  const right = scores.filter((score) => score > 0).length;
  const verdict = areVerdicts
    ? `right with ${right} of ${countOf(cells.length, 'template')}`
    : `${formatValue(Math.min(...scores), scale)} to ${formatValue(Math.max(...scores), scale)}`;
  return (
    <details class="changing">
      <summary>
        <span class="soft">#{id}</span> <bdi>{gold === undefined ? '' : `gold: ${gold}`}</bdi>{' '}
        <span class="soft">{verdict}</span>
      </summary>
      <div class="texts">
        {cells.map(({ abbr, template = abbr, score, prompt = '', answer = '' }) => (
          <div key={abbr}>
            <h3>
              {template} · {formatValue(score, scale)}
            </h3>
            <pre class="text">{prompt}</pre>
            <h3>Answer</h3>
            <pre class="text">{answer}</pre>
          </div>
        ))}
      </div>
    </details>
  );
}
