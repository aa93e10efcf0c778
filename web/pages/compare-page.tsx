import { diffWordsWithSpace } from 'diff';
import { useMemo, useState } from 'preact/hooks';
import { countOf, formatCount } from '../../src/base/format.ts';
import { describeFlip } from '../../src/report/compare/describe-flip.ts';
import { describeAnswers, describeTested } from '../../src/report/compare/describe-task.ts';
import { describeWhy, whyLines } from '../../src/report/compare/describe-why.ts';
import { flipTexts } from '../../src/report/compare/flip-texts.ts';
import type { RunDetails } from '../../src/server/viewer/api.ts';
import {
  formatLevel,
  formatP,
  formatSigned,
  formatSignedInterval,
  formatValue,
} from '../../src/study/compare/compare-format.ts';
import type {
  Comparison,
  Flip,
  Scale,
  TaskComparison,
  Why,
} from '../../src/study/compare/comparison.ts';
import { addressOf, source, useLoaded } from '../client.ts';
import { TaskTable } from '../parts/compare-table.tsx';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import { LeftOutRows, unscoredText } from '../parts/left-out.tsx';
import { saidIn } from '../parts/row-line.tsx';
import { ShownText } from '../parts/shown-text.tsx';
import { changed, go, Link, usePlace } from '../router.tsx';

/** A comparison of two runs: what is sure, what differs, and the rows that changed. */
export function ComparePage() {
  const { params } = usePlace();
  const a = params.get('a') ?? '';
  const b = params.get('b') ?? '';
  const flips = source.isAlone ? undefined : (params.get('flips') ?? undefined);
  // A page that stands alone holds one comparison of two runs, whichever that is.
  const [ea, eb] = ['ea', 'eb'].map((name) =>
    source.isAlone ? undefined : (params.get(name) ?? undefined),
  );
  const { value, error } = useLoaded<Comparison>(
    addressOf('/api/compare', { a, b, ea, eb, flips }),
  );
  const title = value && headlineOf(value.tasks);
  return (
    <Frame crumbs={[{ text: 'runs', to: '/' }, { text: `${a} and ${b}` }]} title={`${a} and ${b}`}>
      <div class="page">
        <div class="heading">
          <h1>{title ?? `${a} and ${b}`}</h1>
        </div>
        <p class="soft compared">
          <span class="letter">A</span> <Link to={addressOf('/run', { run: a })}>{a}</Link>{' '}
          <small>{value?.a.models.join(', ')}</small> <span class="letter">B</span>{' '}
          <Link to={addressOf('/run', { run: b })}>{b}</Link>{' '}
          <small>{value?.b.models.join(', ')}</small> · differences are B − A
          {value && `, with ${formatLevel(value.level)} intervals`}
          {value && value.tasks.length > 1 && '; p values are adjusted by Holm’s method'}
          {!source.isAlone && (
            <>
              {' · '}
              <Link to={addressOf('/compare', { a: b, b: a, ea: eb, eb: ea })}>swap</Link>
            </>
          )}
        </p>
        {error && <Problem error={error} />}
        {(error || ea !== undefined || eb !== undefined) && !source.isAlone && (
          <div class="tools bench-row">
            <PickEvaluation side="a" run={a} />
            <PickEvaluation side="b" run={b} />
          </div>
        )}
        {!value && !error && <Loading what="comparison" />}
        {value?.warnings.map((warning) => (
          <p class="warning" key={warning}>
            {warning}
          </p>
        ))}
        {value && value.tasks.length > 1 && <TaskTable tasks={value.tasks} />}
        {value?.tasks.map((task) => (
          <TaskPanel
            key={task.name}
            task={task}
            runs={{ a, b }}
            isOnly={value.tasks.length === 1}
          />
        ))}
        {value && <Differences comparison={value} />}
      </div>
    </Frame>
  );
}

/** Chooses the evaluation of a run that is held against one of the other, whatever they are called. */
function PickEvaluation({ side, run }: { readonly side: 'a' | 'b'; readonly run: string }) {
  const place = usePlace();
  const { value } = useLoaded<RunDetails>(addressOf('/api/run', { run }));
  const name = `e${side}`;
  return (
    <label class="small">
      <span class="letter">{side.toUpperCase()}</span>{' '}
      <select
        aria-label={`Evaluation of ${side.toUpperCase()}`}
        value={place.params.get(name) ?? ''}
        onChange={(event) =>
          go(changed(place, { [name]: event.currentTarget.value || undefined, flips: undefined }))
        }
      >
        <option value="">choose an evaluation of {run}</option>
        {value?.evaluations.map(({ model, dataset }) => (
          <option key={`${model} ${dataset}`} value={JSON.stringify([model, dataset])}>
            {dataset} · {model}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What is sure, of one task in words, of several in numbers. */
function headlineOf(tasks: readonly TaskComparison[]): string {
  const [first, ...others] = tasks;
  if (!first) return 'No task in both runs';
  if (others.length === 0) return first.verdict.text;
  const countIn = (type: TaskComparison['verdict']['type']) =>
    tasks.filter(({ verdict }) => verdict.type === type).length;
  const [better, worse] = [countIn('b-better'), countIn('a-better')];
  const of = `of ${countOf(tasks.length, 'task')}`;
  if (better + worse === 0) return `No clear difference on any ${of}`;
  const parts = [
    ...(better > 0 ? [`B is better on ${formatCount(better)}`] : []),
    ...(worse > 0 ? [`A is better on ${formatCount(worse)}`] : []),
  ];
  return `${parts.join(', ')} ${of}`;
}

interface TaskProps {
  readonly task: TaskComparison;
  readonly runs: { readonly a: string; readonly b: string };
  readonly isOnly: boolean;
}

const sides = ['all', 'b', 'a'] as const;

/** In which run the answer is the better one. */
function betterIn({ a, b }: Flip, { direction }: Scale): 'a' | 'b' {
  return b.score > a.score === (direction === 'higher') ? 'b' : 'a';
}

/** How many rows changed, and how many of them are better in each run: of all, shown or not. */
function changedRows({ result, scale, flips }: TaskComparison) {
  const { test } = result ?? {};
  const [higherA, higherB] =
    test === undefined
      ? [0, 0]
      : test.type === 'mcnemar'
        ? [test.onlyA, test.onlyB]
        : [test.higherA, test.higherB];
  const [a, b] = scale.direction === 'higher' ? [higherA, higherB] : [higherB, higherA];
  return { all: flips.total, a, b };
}

/** As many as the server gives. */
const mostFlips = 2000;

function moreThan({ shown, total }: TaskComparison['flips']): number {
  return Math.min(mostFlips, total, shown.length * 5);
}

/** One task of two runs: what is sure, and the rows that changed. */
export function TaskPanel({ task, runs, isOnly }: TaskProps) {
  const { result, scale, verdict, flips } = task;
  const place = usePlace();
  const side = sides.find((one) => one === place.params.get('side')) ?? 'all';
  const shown = flips.shown.filter((flip) => side === 'all' || betterIn(flip, scale) === side);
  const counts = changedRows(task);
  const unscored = unscoredText(task);
  return (
    <section class="panel compare-task" id={`task-${task.name}`}>
      <h2>
        {task.name}
        {!isOnly && <span class="small">{verdict.text}</span>}
      </h2>
      {result && (
        <div class="compare-grid">
          <Figure name="A" text={formatValue(result.a, scale)} />
          <Figure name="B" text={formatValue(result.b, scale)} />
          <Figure
            name="B − A"
            text={formatSigned(result.difference, scale)}
            more={result.interval ? formatSignedInterval(result, scale) : 'too few rows'}
          />
          <Figure
            name={task.adjustedP === undefined ? 'p' : 'adjusted p'}
            text={formatP(task.adjustedP ?? result.p)}
          />
          <Figure name="rows compared" text={formatCount(result.pairs)} />
          {unscored !== undefined && <Figure name="without a score" text={unscored} />}
        </div>
      )}
      <LeftOutRows task={task} runs={runs} />
      {[...describeTested(task), ...describeAnswers(task)].map((sentence) => (
        <p class="soft small" key={sentence}>
          {sentence}
        </p>
      ))}
      {task.why && <WhyTable why={task.why} scale={scale} />}
      {flips.total > 0 && (
        <>
          <div class="tabs" role="group" aria-label="Which changed rows">
            {sides.map((of) => (
              <button
                type="button"
                class="chip"
                key={of}
                aria-pressed={side === of}
                onClick={() =>
                  go(changed(place, { side: of === 'all' ? undefined : of }), { replace: true })
                }
              >
                {of === 'all' ? 'changed' : `better in ${of.toUpperCase()}`}{' '}
                <b>{formatCount(counts[of])}</b>
              </button>
            ))}
          </div>
          {flips.shown.length < flips.total && (
            <p class="soft small">
              {formatCount(flips.shown.length)} of {countOf(flips.total, 'changed row')} are here,
              the largest changes first.{' '}
              {!source.isAlone && flips.shown.length < mostFlips && (
                <Link to={changed(place, { flips: String(moreThan(flips)) })}>Show more</Link>
              )}
            </p>
          )}
          {shown.map((flip) => (
            <FlipLine key={`${flip.a.id} ${flip.b.id}`} flip={flip} task={task} runs={runs} />
          ))}
        </>
      )}
    </section>
  );
}

/** The way from the score of A to that of B. */
function WhyTable({ why, scale }: { readonly why: Why; readonly scale: Scale }) {
  return (
    <>
      <h3>Why the scores differ</h3>
      <table class="data-table why">
        <tbody>
          {whyLines(why, scale).map(({ cause, points, rows }) => (
            <tr key={cause}>
              <th scope="row">{cause}</th>
              <td class="value">{points}</td>
              <td>{rows}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {describeWhy(why).map((sentence) => (
        <p class="soft small" key={sentence}>
          {sentence}
        </p>
      ))}
    </>
  );
}

function Figure({
  name,
  text,
  more,
}: {
  readonly name: string;
  readonly text: string;
  readonly more?: string;
}) {
  return (
    <div>
      <h3>{name}</h3>
      <span class="value">{text}</span> {more !== undefined && <span class="interval">{more}</span>}
    </div>
  );
}

function FlipLine({
  flip,
  task,
  runs,
}: { readonly flip: Flip } & Pick<TaskProps, 'task' | 'runs'>) {
  const [isOpen, setIsOpen] = useState(false);
  const { a, b } = flip;
  const better = betterIn(flip, task.scale);
  const address = (run: string, name: TaskComparison['a'], id: number) =>
    addressOf('/row', { run, model: name.model, dataset: name.dataset, id });
  return (
    <details class="flip" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span class="better">
          better in <span class="letter">{better.toUpperCase()}</span>
        </span>
        <span class="soft">#{a.id}</span>
        <span>
          <span class="letter">A</span>{' '}
          <bdi class={better === 'a' ? 'is-better' : ''}>
            <ShownText text={saidIn(a)} showsSpace={false} />
          </bdi>
        </span>
        <span>
          <span class="letter">B</span>{' '}
          <bdi class={better === 'b' ? 'is-better' : ''}>
            <ShownText text={saidIn(b)} showsSpace={false} />
          </bdi>
        </span>
      </summary>
      {isOpen && (
        <>
          <p class="soft small">
            {describeFlip(flip, task.scale)} ·{' '}
            {source.has(address(runs.a, task.a, a.id)) && (
              <>
                <Link to={address(runs.a, task.a, a.id)}>row in A</Link> ·{' '}
              </>
            )}
            {source.has(address(runs.b, task.b, b.id)) && (
              <Link to={address(runs.b, task.b, b.id)}>row in B</Link>
            )}
            {flip.noPrompt === undefined ? '' : ` · no prompt: ${flip.noPrompt}`}
          </p>
          {flipTexts(flip).map(({ title, a: left, b: right }) => (
            <DiffTexts key={title} {...{ title, left, right }} />
          ))}
        </>
      )}
    </details>
  );
}

/** Two texts side by side, with what differs marked. */
function DiffTexts({
  title,
  left,
  right,
}: {
  readonly title: string;
  readonly left: string;
  readonly right: string;
}) {
  const changes = useMemo(
    () => (left.length + right.length > 40_000 ? undefined : diffWordsWithSpace(left, right)),
    [left, right],
  );
  const side = (skipped: 'added' | 'removed', text: string) =>
    changes
      ?.filter((change) => !change[skipped])
      .map((change, index) => (
        <span key={index} class={change.added ? 'diff-ins' : change.removed ? 'diff-del' : ''}>
          {change.value}
        </span>
      )) ?? text;
  return (
    <div>
      <h3>{title}</h3>
      {left === right ? (
        <pre class="text">{left}</pre>
      ) : (
        <div class="two">
          <pre class="text">{side('added', left)}</pre>
          <pre class="text">{side('removed', right)}</pre>
        </div>
      )}
    </div>
  );
}

function Differences({ comparison: { differences } }: { readonly comparison: Comparison }) {
  return (
    <section class="panel">
      <h2>What differs</h2>
      <table class="data-table">
        <tbody>
          {differences.map(({ kind, isSame, note, changes }) => (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              <td>
                {isSame ? 'same' : 'different'}
                {note === undefined ? '' : ` · ${note}`}
                {changes.map(({ path, a, b }) => (
                  <div key={path}>
                    <code>{path}</code>: <span class="diff-del">{a ?? '–'}</span>{' '}
                    <span class="diff-ins">{b ?? '–'}</span>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
