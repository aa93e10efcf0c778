import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { countOf, formatCount, formatSeconds, formatTime } from '../../src/base/format.ts';
import { formatScore } from '../../src/report/format-scores.ts';
import type { ListedMetric, ListedRun, RunList } from '../../src/server/viewer/api.ts';
import { addressOf, source, useLoaded } from '../client.ts';
import { useKeys } from '../keys.ts';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import {
  intervalText,
  metricLabel,
  ScoreBar,
  ScoreStrip,
  scoreText,
  shownScore,
} from '../parts/score.tsx';
import { changed, go, Link, usePlace } from '../router.tsx';

const runningEvery = 3000;
/** Runs are started elsewhere as well. */
const otherwiseEvery = 10_000;

/** All runs of the folders that are served. */
export function RunsPage() {
  const { value, error } = useLoaded<RunList>('/api/runs', ({ runs }) =>
    source.isAlone
      ? undefined
      : runs.some(({ state }) => state === 'running')
        ? runningEvery
        : otherwiseEvery,
  );
  const place = usePlace();
  const text = place.params.get('q') ?? '';
  const picked = place.params.getAll('pick');
  const show = (changes: Readonly<Record<string, string | readonly string[]>>) =>
    go(changed(place, changes), { replace: true });
  const [active, setActive] = useState(-1);
  const runs = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const isWanted = ({ id, models, config = '' }: ListedRun) =>
      [id, config, ...models].some((one) => one.toLowerCase().includes(wanted));
    return (value?.runs ?? []).filter(isWanted);
  }, [value, text]);
  useKeys({
    '/': () => document.getElementById('find-run')?.focus(),
    j: () => setActive((at) => Math.min(runs.length - 1, at + 1)),
    k: () => setActive((at) => Math.max(0, at - 1)),
    Enter: () => {
      const run = runs[active];
      if (run) go(addressOf('/run', { run: run.id }));
    },
  });
  const toggle = (id: string) =>
    show({
      pick: picked.includes(id) ? picked.filter((one) => one !== id) : [...picked.slice(-1), id],
    });
  return (
    <Frame crumbs={[]} title="Runs">
      <div class="page">
        <div class="heading">
          <h1>Runs</h1>
          {value && (
            <p class="soft">
              {countOf(value.runs.length + value.more, 'run')} in {value.folders.join(', ')}
            </p>
          )}
          <span class="grow" />
          {!source.isAlone && (
            <Link class="button" to="/workbench">
              Workbench
            </Link>
          )}
          {picked.length === 2 && (
            <Link class="button primary" to={addressOf('/compare', { a: picked[0], b: picked[1] })}>
              Compare the two
            </Link>
          )}
          <input
            id="find-run"
            type="search"
            placeholder="Find a run  /"
            aria-label="Find a run"
            value={text}
            onInput={(event) => show({ q: event.currentTarget.value })}
          />
        </div>
        {error && <Problem error={error} />}
        {!value && !error && <Loading what="runs" />}
        {value && runs.length === 0 && <NoRuns isFiltered={text !== ''} list={value} />}
        {runs.length > 0 && (
          <ul class="runs">
            {runs.map((run, index) => (
              <RunLine
                key={run.id}
                run={run}
                isActive={index === active}
                isPicked={picked.includes(run.id)}
                canCompare={isCompared(run.id, value?.runs ?? [])}
                onPick={() => toggle(run.id)}
              />
            ))}
          </ul>
        )}
      </div>
    </Frame>
  );
}

function isCompared(id: string, runs: readonly ListedRun[]): boolean {
  return runs.some(
    (run) => run.id !== id && source.has(addressOf('/compare', { a: id, b: run.id })),
  );
}

function NoRuns({ isFiltered, list }: { readonly isFiltered: boolean; readonly list: RunList }) {
  if (isFiltered) return <p class="soft">No run matches.</p>;
  return (
    <div class="warning">
      <p>No runs in {list.folders.join(', ')} yet.</p>
      <p class="soft">
        <code>typecase run examples/tour.yaml</code> makes one, and it appears here.
      </p>
    </div>
  );
}

interface RunLineProps {
  readonly run: ListedRun;
  readonly isActive: boolean;
  readonly isPicked: boolean;
  /** A page that stands alone holds some comparisons, or none. */
  readonly canCompare: boolean;
  readonly onPick: () => void;
}

function RunLine({ run, isActive, isPicked, canCompare, onPick }: RunLineProps) {
  const { id, state, problem, rows, startedAt, seconds, cost, models, evaluations, command } = run;
  const facts = [
    startedAt === undefined ? undefined : formatTime(startedAt),
    seconds === undefined ? undefined : formatSeconds(seconds),
    cost === undefined ? undefined : `cost ${cost}`,
    run.sent === undefined ? undefined : countOf(run.sent, 'request'),
  ].filter((fact) => fact !== undefined);
  const to = addressOf(command === 'sweep' ? '/sweep' : '/run', { run: id });
  return (
    <li class={isActive ? 'active' : ''}>
      {canCompare ? (
        <input
          type="checkbox"
          checked={isPicked}
          onChange={onPick}
          aria-label={`Pick ${id} to compare`}
        />
      ) : (
        <span />
      )}
      <div class="run-name">
        <Link to={to}>
          <strong>{id}</strong>
        </Link>
        <span class="soft">
          {models.join(', ')}
          {evaluations > 1 ? ` · ${formatCount(evaluations)} evaluations` : ''}
        </span>
        <span class="soft small">{facts.join(' · ')}</span>
      </div>
      <div class="run-state">
        {state !== 'done' && <span class={`state ${state}`}>{state}</span>}
        {command !== 'run' && <span class="state">{command}</span>}
        {rows && <Troubles rows={rows} />}
        {problem !== undefined && <span class="soft small">{problem}</span>}
      </div>
      <RunScore run={run} />
    </li>
  );
}

function Troubles({ rows }: { readonly rows: NonNullable<ListedRun['rows']> }) {
  const troubles = (['unscored', 'failed', 'missing'] as const).filter((name) => rows[name] > 0);
  return (
    <span class="soft small">
      {countOf(rows.total, 'row')}
      {troubles.map((name) => (
        <span key={name} class={`tone-${name} trouble`}>
          {formatCount(rows[name])} {name}
        </span>
      ))}
    </span>
  );
}

/** More metrics than these are named together. */
const fewMetrics = 3;

function RunScore({ run: { metrics, evaluations } }: { readonly run: ListedRun }) {
  const [first] = metrics;
  if (!first) return <div class="run-score soft">no summary yet</div>;
  if (evaluations === 1) {
    const score = shownScore(first);
    return (
      <div class="run-score">
        <span class="value">{scoreText(score)}</span>
        <span class="interval">
          {intervalText(score)} <span class="metric">{labelOf(first)}</span>
        </span>
        <ScoreBar {...score} />
      </div>
    );
  }
  const shown = metrics.length > fewMetrics ? metrics.slice(0, fewMetrics - 1) : metrics;
  const others = metrics.slice(shown.length).map(labelOf);
  return (
    <div class="run-score">
      {shown.map((one) => (
        <Fragment key={`${one.metric} ${one.plain ?? ''}`}>
          <span class="value">{rangeText(one)}</span>
          <span class="interval">
            {labelOf(one)}
            {one.without > 0 && (
              <span class="tone-unscored trouble">
                {formatCount(one.without)} of {formatCount(one.evaluations)} without a score
              </span>
            )}
          </span>
        </Fragment>
      ))}
      {others.length > 0 && (
        <span class="soft small more-metrics" title={others.join(', ')}>
          and {others.join(', ')}
        </span>
      )}
      <ScoreStrip scores={metrics.flatMap(({ plain, scores }) => (plain ? [] : scores))} />
    </div>
  );
}

function labelOf({ metric, direction }: ListedMetric): string {
  return metricLabel(metric, direction ? { direction } : {});
}

/** The lowest and the highest score of several evaluations. */
function rangeText({ scores, plain }: ListedMetric): string {
  const ends = [scores[0], scores.at(-1)].flatMap((value) =>
    value === undefined ? [] : formatScore(value, { decimals: 1 }, plain ? { plain } : {}),
  );
  return ends.length === 0 ? '–' : [...new Set(ends)].join(' to ');
}
