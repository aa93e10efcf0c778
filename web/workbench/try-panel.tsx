import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../src/base/format.ts';
import type { PromptBody, TryState } from '../../src/server/viewer/workbench/api.ts';
import type { Comparison } from '../../src/study/compare/comparison.ts';
import { addressOf, getJson, postJson, useLoaded } from '../client.ts';
import { TaskPanel } from '../pages/compare-page.tsx';
import { Problem } from '../parts/frame.tsx';
import { Link } from '../router.tsx';

const everyMs = 500;

/** Asks the model about a few rows, by the config as it is and as it was edited. */
export function TryPanel({ body, name }: { readonly body: PromptBody; readonly name: string }) {
  const [rows, setRows] = useState(20);
  const [state, setState] = useState<TryState>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (!state || state.isOver) return;
    const timer = setTimeout(() => {
      getJson<TryState>(addressOf('/api/workbench/try', { id: state.id })).then(setState, setError);
    }, everyMs);
    return () => clearTimeout(timer);
  }, [state]);
  const send = async (path: string, what: unknown) => {
    try {
      setError(undefined);
      setState(await postJson<TryState>(path, what));
    } catch (problem) {
      setError(problem as Error);
    }
  };
  const isRunning = state !== undefined && !state.isOver;
  const { row: _, ...edited } = body;
  const runs = state?.isOver ? { a: state.before.run, b: state.after.run } : {};
  const isSame = runs.a !== undefined && runs.a === runs.b;
  return (
    <section class="panel">
      <h2>
        Try it
        <span class="soft small">asks {body.model ?? 'the model'}</span>
      </h2>
      <div class="tools">
        <button
          type="button"
          class="button primary"
          disabled={isRunning || body.model === undefined}
          onClick={() => send('/api/workbench/try', { ...edited, rows })}
        >
          Try on {formatCount(rows)} rows
        </button>
        <label class="small">
          rows{' '}
          <input
            type="number"
            min={1}
            max={200}
            value={rows}
            onInput={(event) => {
              const next = Number(event.currentTarget.value);
              if (next >= 1 && next <= 200) setRows(Math.round(next));
            }}
          />
        </label>
        {isRunning && (
          <button
            type="button"
            class="button"
            onClick={() => send('/api/workbench/stop', { id: state.id })}
          >
            Stop after requests in flight
          </button>
        )}
      </div>
      {error && <Problem error={error} />}
      {state && (
        <p class="small try-state" role="status">
          <span class="letter">A</span> as in the config: {sideText(state.before)} ·{' '}
          <span class="letter">B</span> {name}: {sideText(state.after)}
        </p>
      )}
      {isSame && <p class="soft small">Nothing was edited; both sides are the same.</p>}
      {!isSame && runs.a !== undefined && runs.b !== undefined && (
        <Difference a={runs.a} b={runs.b} />
      )}
    </section>
  );
}

function sideText({ state, done, total, problem }: TryState['before']): string {
  if (problem !== undefined) return `failed: ${problem}`;
  if (state === 'waiting') return 'waiting';
  const counted = `${formatCount(done)} of ${formatCount(total)} rows`;
  return state === 'running' ? counted : `${counted}, ${state}`;
}

function Difference({ a, b }: { readonly a: string; readonly b: string }) {
  const { value, error } = useLoaded<Comparison>(addressOf('/api/compare', { a, b }));
  return (
    <div class="try-difference">
      {error && <Problem error={error} />}
      {value?.warnings.map((warning) => (
        <p class="warning" key={warning}>
          {warning}
        </p>
      ))}
      {value?.tasks.map((task) => (
        <TaskPanel key={task.name} task={task} runs={{ a, b }} isOnly={false} />
      ))}
      <p class="small">
        <Link to={addressOf('/compare', { a, b })}>The whole comparison</Link> ·{' '}
        <Link to={addressOf('/run', { run: b })}>the rows of B</Link>
      </p>
    </div>
  );
}
