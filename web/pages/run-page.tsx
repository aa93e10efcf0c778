import { useMemo } from 'preact/hooks';
import { countOf, formatSeconds, formatTime } from '../../src/base/format.ts';
import { costOf } from '../../src/report/describe-cost.ts';
import { kindOfGroup } from '../../src/report/format-scores.ts';
import { describeNoAverage, groupLabel } from '../../src/report/score-table.ts';
import type { GroupResult, TaskResult } from '../../src/run/summary.ts';
import type { RunDetails } from '../../src/server/viewer/api.ts';
import { addressOf, source, useLoaded } from '../client.ts';
import { AgreementLine } from '../parts/agreement-line.tsx';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import { LiveBar } from '../parts/live-bar.tsx';
import { noGroup, RowBrowser } from '../parts/row-browser.tsx';
import { EvaluationFacts, RunNotes } from '../parts/run-notes.tsx';
import { intervalText, ScoreBar, scoreText } from '../parts/score.tsx';
import { changed, go, Link, usePlace } from '../router.tsx';
import {
  type Evaluation,
  evaluationsOf,
  firstToShow,
  narrowWidth,
  shortNames,
  summaryOf,
} from '../run-facts.ts';

const runningEvery = 2000;
/** A run that is not going on may be taken up elsewhere. */
const otherwiseEvery = 15_000;

/** A run: its evaluations, and the rows of those that are chosen. */
export function RunPage() {
  const place = usePlace();
  const id = place.params.get('run') ?? '';
  const {
    value: run,
    error,
    reload,
  } = useLoaded<RunDetails>(addressOf('/api/run', { run: id }), ({ state }) =>
    source.isAlone ? undefined : state === 'running' ? runningEvery : otherwiseEvery,
  );
  const evaluations = useMemo(() => (run ? evaluationsOf(run) : []), [run]);
  const keys = place.params.getAll('e');
  const first = firstToShow(evaluations);
  const asked = evaluations.filter(({ key }) => keys.includes(key));
  const chosen = asked.length > 0 ? asked : first ? [first] : [];
  return (
    <Frame crumbs={[{ text: 'runs', to: '/' }, { text: id }]} title={titleOf(id, chosen)}>
      {error && <Problem error={error} />}
      {!run && !error && <Loading what="run" />}
      {run && (
        <div class={evaluations.length > 1 ? 'split-page' : 'page wide'}>
          {evaluations.length > 1 && (
            <EvaluationList
              evaluations={evaluations}
              chosen={chosen}
              groups={summaryOf(run)?.groups ?? []}
              results={summaryOf(run)?.results ?? []}
            />
          )}
          <div class="run-main">
            <RunHead run={run} />
            <RunNotes summary={summaryOf(run)} />
            <AgreementLine run={id} />
            <LiveBar run={run} onChange={reload} />
            {chosen.length === 0 ? (
              <p class="soft">The run has no answers yet.</p>
            ) : (
              <RowBrowser run={id} evaluations={chosen} isLive={run.state === 'running'}>
                {chosen.length === 1 && (
                  <EvaluationFacts summary={summaryOf(run)} result={chosen[0]?.result} />
                )}
              </RowBrowser>
            )}
          </div>
        </div>
      )}
    </Frame>
  );
}

function titleOf(id: string, [first, ...rest]: readonly Evaluation[]): string {
  if (!first?.result || rest.length > 0) return id;
  return `${id} ${scoreText(first.result)}`;
}

function RunHead({ run }: { readonly run: RunDetails }) {
  const summary = summaryOf(run);
  const starts = summary?.starts;
  const facts = [
    run.folder,
    starts ? formatTime(starts.since) : undefined,
    starts
      ? `took ${formatSeconds(starts.seconds)}${starts.count > 1 ? ` in ${countOf(starts.count, 'start')}` : ''}`
      : undefined,
    starts ? `${countOf(starts.sent, 'request')} sent` : undefined,
    summary?.cost ? `cost ${costOf(summary.cost, summary.results)}` : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <p class="soft small run-facts">
      {facts.join(' · ')}
      {run.sweep && (
        <>
          {' · '}
          <Link to={addressOf('/sweep', { run: run.id })}>the sweep</Link>
        </>
      )}
    </p>
  );
}

interface ListProps {
  readonly evaluations: readonly Evaluation[];
  readonly chosen: readonly Evaluation[];
  readonly groups: readonly GroupResult[];
  readonly results: readonly TaskResult[];
}

/** The evaluations of a run; those of the same data can be put side by side. */
function EvaluationList({ evaluations, chosen, groups, results }: ListProps) {
  const place = usePlace();
  const models = [...new Set(evaluations.map(({ model }) => model))];
  const [first] = chosen;
  const fresh = { ...noGroup, show: undefined, within: undefined, q: undefined };
  const toggle = (one: Evaluation) => {
    const keys = chosen.map(({ key }) => key);
    const next = keys.includes(one.key)
      ? keys.filter((key) => key !== one.key)
      : [...keys, one.key];
    go(changed(place, { ...fresh, e: next }));
  };
  return (
    <aside class="evaluations" aria-label="Evaluations">
      <details open={innerWidth > narrowWidth}>
        <summary>
          {countOf(evaluations.length, 'evaluation')}
          <span class="shown-name">, shown: {shortNames(chosen).join(', ')}</span>
        </summary>
        {models.map((model) => (
          <section key={model} aria-label={model}>
            <h2>{model}</h2>
            <ul>
              {evaluations
                .filter((one) => one.model === model)
                .map((one) => (
                  <li key={one.key} class={chosen.includes(one) ? 'chosen' : ''}>
                    <input
                      type="checkbox"
                      checked={chosen.includes(one)}
                      disabled={first !== undefined && one.data !== first.data}
                      onChange={() => toggle(one)}
                      aria-label={`Put ${one.dataset} side by side`}
                      title="Side by side"
                    />
                    <Link
                      to={changed(place, { ...fresh, e: one.key })}
                      aria-current={chosen.includes(one) ? 'true' : undefined}
                    >
                      <span class="name">{one.dataset}</span>
                      <EvaluationScore evaluation={one} />
                    </Link>
                  </li>
                ))}
              {groups
                .filter((group) => group.model === model)
                .map((group) => (
                  <GroupLine key={group.group} {...{ group, results }} />
                ))}
            </ul>
          </section>
        ))}
      </details>
    </aside>
  );
}

/** The average of a group of evaluations. */
function GroupLine({
  group,
  results,
}: {
  readonly group: GroupResult;
  readonly results: readonly TaskResult[];
}) {
  const { score, partial, allRows } = group;
  const shown = { ...kindOfGroup(group, results), score, ...(partial && { partial }) };
  const reason = describeNoAverage(group);
  return (
    <li class="group">
      <span />
      <span>
        <span class="name">
          {group.group} <span class="soft small">{reason === '' ? groupLabel(group) : reason}</span>
        </span>
        <span class="evaluation-score">
          <span class="value">{scoreText(shown)}</span>
          <span class="interval">{intervalText(shown)}</span>
          <ScoreBar {...shown} />
        </span>
        {allRows && (
          <span class="soft small">all rows {scoreText({ ...shown, score: allRows })}</span>
        )}
      </span>
    </li>
  );
}

function EvaluationScore({ evaluation: { result } }: { readonly evaluation: Evaluation }) {
  if (!result) return <span class="soft small">running</span>;
  return (
    <span class="evaluation-score">
      <span class="value">{scoreText(result)}</span>
      <span class="interval">{intervalText(result)}</span>
      <ScoreBar {...result} />
    </span>
  );
}
