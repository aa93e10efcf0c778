import { countOf } from '../../src/base/format.ts';
import { describeCost } from '../../src/report/describe-cost.ts';
import {
  describeAnswers,
  describeEvents,
  describeServed,
} from '../../src/report/describe-events.ts';
import { describeGates } from '../../src/report/describe-gates.ts';
import { describeIntervals, scoreStyleOf } from '../../src/report/format-scores.ts';
import { exitCodeOf } from '../../src/report/gate.ts';
import { describeClusters, describeMissing } from '../../src/report/score-table.ts';
import { type Fact, metricFacts, usageFacts } from '../../src/report/task-facts.ts';
import type { RunSummary, TaskResult } from '../../src/run/summary.ts';
import { source } from '../client.ts';
import { capital } from './frame.tsx';
import { Worded } from './remark-list.tsx';

/** What is to be known of a run beside its scores: what it was held to, and what is missing. */
export function RunNotes({ summary }: { readonly summary: RunSummary | undefined }) {
  if (!summary) return null;
  const gates = describeGates(summary);
  const tone = exitCodeOf(summary) === 0 ? 'soft small run-facts' : 'warning';
  return (
    <>
      {gates.length > 0 && <Gates lines={gates} tone={tone} />}
      {source.isAlone && !summary.complete && (
        <p class="warning">The run is not complete: {describeMissing(summary)}.</p>
      )}
      {(summary.served ?? []).map((served) => (
        <p class="warning" key={served.model}>
          {describeServed(served)}.
        </p>
      ))}
    </>
  );
}

/** More than so many gates would push the rows out of sight. */
const shownGates = 3;

function Gates({ lines, tone }: { readonly lines: readonly string[]; readonly tone: string }) {
  const all = lines.map((line) => <p key={line}>{line}</p>);
  if (lines.length <= shownGates) return <div class={tone}>{all}</div>;
  return (
    <details class={tone}>
      <summary>{countOf(lines.length, 'gate')} failed</summary>
      {all}
    </details>
  );
}

interface FactsProps {
  readonly summary: RunSummary | undefined;
  readonly result: TaskResult | undefined;
}

/** What happened in an evaluation, what it took, and its further measures. */
export function EvaluationFacts({ summary, result }: FactsProps) {
  if (!summary || !result) return null;
  const clusters = describeClusters(result);
  const events = [...describeEvents(result), ...(clusters === '' ? [] : [`${capital(clusters)}.`])];
  const further = metricFacts(result, scoreStyleOf(summary));
  const notes = [describeIntervals(summary), describeCost(summary), ...describeAnswers(summary)];
  return (
    <>
      {events.map((event) => (
        <p class="soft small" key={event}>
          <Worded text={event} />
        </p>
      ))}
      <details class="fold evaluation-facts">
        <summary>
          {further.length > 0 ? `Further metrics (${further.length}), usage` : 'Usage and details'}
        </summary>
        <div class="fact-columns">
          {further.length > 0 && <Facts title="Further metrics" facts={further} />}
          <Facts title="Usage" facts={usageFacts(result)} />
        </div>
        {notes
          .filter((note) => note !== undefined && note !== '')
          .map((note) => (
            <p class="soft small" key={note}>
              {note}
            </p>
          ))}
      </details>
    </>
  );
}

function Facts({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl class="facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
