import { countOf } from '../../src/base/format.ts';
import { describeBudget } from '../../src/report/sweep/describe-budget.ts';
import {
  describeBest,
  describeFlips,
  describeRequests,
  describeSheet,
  variedScores,
} from '../../src/report/sweep/describe-sweep.ts';
import { flowText } from '../../src/report/sweep/flow-text.ts';
import { heatMapOf, shadeOf } from '../../src/report/sweep/heat-map.ts';
import type { RunDetails } from '../../src/server/viewer/api.ts';
import type {
  CellSummary,
  SheetSummary,
  SweepSummary,
} from '../../src/study/sweep/sweep-summary.ts';
import { templateGroups } from '../../src/study/sweep/template-changes.ts';
import { addressOf, source, useLoaded } from '../client.ts';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import { RankChanges } from '../parts/rank-changes.tsx';
import { intervalText, ScoreBar, type ShownScore, scoreText } from '../parts/score.tsx';
import { BestScores, ChangingRows, Comparisons, VarianceBars } from '../parts/sweep-parts.tsx';
import { Link, usePlace } from '../router.tsx';

/** A sweep: which configuration to use, how sure that is, and where each number comes from. */
export function SweepPage() {
  const { params } = usePlace();
  const id = params.get('run') ?? '';
  const { value: run, error } = useLoaded<RunDetails>(addressOf('/api/run', { run: id }));
  const sweep = run?.sweep as SweepSummary | undefined;
  return (
    <Frame crumbs={[{ text: 'runs', to: '/' }, { text: id }]} title={sweep?.best[0]?.title ?? id}>
      <div class="page">
        {error && <Problem error={error} />}
        {!run && !error && <Loading what="sweep" />}
        {run && !sweep && (
          <p class="warning">
            This sweep has no summary yet. <Link to={addressOf('/run', { run: id })}>Its rows</Link>
          </p>
        )}
        {sweep && <Sweep sweep={sweep} run={id} />}
      </div>
    </Frame>
  );
}

function Sweep({ sweep, run }: { readonly sweep: SweepSummary; readonly run: string }) {
  const { axes, complete, budget } = sweep;
  const facts = [
    ...axes.map(({ axis, values }) => `${axis.replaceAll('_', ' ')}: ${values.join(', ')}`),
    describeRequests(sweep).slice(0, -1),
  ];
  return (
    <>
      <p class="soft small run-facts">{facts.join(' · ')}</p>
      {!complete && <p class="warning">The run is incomplete: rows are missing.</p>}
      {sweep.best.map((best) => (
        <section class="panel best" key={`${best.model} ${best.datasets}`}>
          <p class="soft small">
            {best.model} · {best.datasets.join(', ')}
          </p>
          <h1>{best.title}</h1>
          <p class="verdict-line">{best.text}</p>
          <BestScores best={best} sheets={sweep.sheets} />
          {describeBest(best, sweep)
            .filter((sentence) => sentence !== best.text)
            .map((sentence) => (
              <p class="soft small" key={sentence}>
                {flowText(sentence)}
              </p>
            ))}
        </section>
      ))}
      {budget && (
        <section class="panel">
          <h2>Budget</h2>
          {describeBudget(budget).map((sentence) => (
            <p class="small" key={sentence}>
              {flowText(sentence)}
            </p>
          ))}
        </section>
      )}
      {describeFlips(sweep).map((sentence) => (
        <p class="warning" key={sentence}>
          {sentence}
        </p>
      ))}
      {sweep.sheets.map((sheet) => (
        <Sheet key={`${sheet.model} ${sheet.dataset}`} sheet={sheet} run={run} />
      ))}
      {source.has(addressOf('/run', { run })) && (
        <p class="soft small">
          <Link to={addressOf('/run', { run })}>All rows of the sweep</Link>
        </p>
      )}
    </>
  );
}

function keyOf({ model }: SheetSummary, { abbr }: Pick<CellSummary, 'abbr'>): string {
  return JSON.stringify([model, abbr]);
}

function Sheet({ sheet, run }: { readonly sheet: SheetSummary; readonly run: string }) {
  const { changing } = sheet;
  return (
    <section aria-label={`${sheet.model} on ${sheet.dataset}`}>
      <div class="heading">
        <h2>
          {sheet.model} on {sheet.dataset}
        </h2>
        <span class="soft small">
          {sheet.metric} · {countOf(sheet.rows, 'row')} scored in every cell
        </span>
      </div>
      <div class="plots">
        <HeatTable sheet={sheet} run={run} />
        <RankChanges sheet={sheet} />
        <section class="panel">
          <h2>Mean score per template</h2>
          <Dots
            items={sheet.templates.map(({ template, score }) => ({ name: template, score, sheet }))}
          />
        </section>
        <section class="panel">
          <h2>Each configuration</h2>
          <Dots
            items={sheet.cells.map((cell) => ({
              name: nameOf(cell),
              score: cell.score,
              sheet,
              to: addressOf('/run', { run, e: [keyOf(sheet, cell)] }),
            }))}
          />
        </section>
        <section class="panel">
          <h2>Findings</h2>
          {describeSheet(sheet).map(({ title, text }) => (
            <p class="small" key={title + text}>
              <span class="soft">{title}</span> {flowText(text)}
            </p>
          ))}
        </section>
        {sheet.variance && (
          <section class="panel">
            <h2>What explains the variation in {variedScores(sheet.clusters)}</h2>
            <VarianceBars parts={sheet.variance} />
          </section>
        )}
      </div>
      <Comparisons sheet={sheet} />
      <ChangingRows sheet={sheet} />
      {changing && changing.rows > 0 && source.has(addressOf('/run', { run })) && (
        <p class="small">
          <Link
            to={addressOf('/run', {
              run,
              e: sheet.cells.map((cell) => keyOf(sheet, cell)),
              show: 'changed',
              within: templateGroups(sheet.cells).join('.'),
            })}
          >
            {countOf(changing.rows, 'row')} change with the template
          </Link>{' '}
          <span class="soft">opens all of them, side by side</span>
        </p>
      )}
    </section>
  );
}

function nameOf({ settings }: CellSummary): string {
  return Object.entries(settings)
    .map(([axis, value]) => (axis === 'shots' ? `${value}-shot` : value))
    .join(' · ');
}

interface DotItem {
  readonly name: string;
  readonly score: CellSummary['score'];
  readonly sheet: SheetSummary;
  readonly to?: string;
}

/** Scores with their intervals on one scale. */
function Dots({ items }: { readonly items: readonly DotItem[] }) {
  return (
    <div class="dots">
      {items.map(({ name, score, sheet, to }) => {
        const shown: ShownScore = {
          score,
          ...(sheet.plain && { plain: true }),
          ...(sheet.direction && { direction: sheet.direction }),
        };
        return (
          <>
            <span class="name">{to === undefined ? name : <Link to={to}>{name}</Link>}</span>
            <ScoreBar {...shown} />
            <span>
              <span class="value">{scoreText(shown)}</span>{' '}
              <span class="interval">{intervalText(shown)}</span>
            </span>
          </>
        );
      })}
    </div>
  );
}

/** Scores by template and number of examples; the better, the darker. */
function HeatTable({ sheet, run }: { readonly sheet: SheetSummary; readonly run: string }) {
  const map = heatMapOf(sheet);
  return (
    <section class="panel">
      <h2>
        {map.rowAxis || 'template'} × {map.columnAxis}
      </h2>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col">
              <span class="sr">{map.rowAxis}</span>
            </th>
            {map.columns.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.rows.map(({ name, scores }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {scores.map((score, column) => {
                const cell = cellAt(sheet, name, map.columns[column] ?? '');
                const text =
                  score === undefined
                    ? '–'
                    : scoreText({ ...sheet, score: { value: score, interval: 'too few' } });
                const shade = score === undefined ? 0 : 6 + 30 * shadeOf(score, map);
                return (
                  <td
                    key={column}
                    style={{
                      background: `color-mix(in srgb, var(--accent) ${shade.toFixed(0)}%, var(--card))`,
                    }}
                  >
                    {cell ? (
                      <Link to={addressOf('/run', { run, e: [keyOf(sheet, cell)] })}>{text}</Link>
                    ) : (
                      text
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The cell that a figure is of, where it is of one. */
function cellAt({ cells }: SheetSummary, row: string, column: string): CellSummary | undefined {
  const found = cells.filter(({ settings }) => {
    const values = Object.values(settings);
    return (
      values.includes(row) &&
      (values.length === 1 ||
        values.some(
          (value) => column === value || column === `${value}-shot` || column === `seed ${value}`,
        ))
    );
  });
  return found.length === 1 ? found[0] : undefined;
}
