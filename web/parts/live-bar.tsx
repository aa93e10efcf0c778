import { useEffect, useState } from 'preact/hooks';
import { countOf, formatCount, formatSeconds } from '../../src/base/format.ts';
import type { RunDetails } from '../../src/server/viewer/api.ts';
import { postJson, source } from '../client.ts';
import { Problem } from './frame.tsx';

type Progress = NonNullable<NonNullable<RunDetails['live']>['progress']>;

/** How often it is looked whether what was asked for has happened, and for how long. */
const lookMs = 2000;
const maxLooks = 60;

/** A request that waits for longer is worth a word. */
const longWaitMs = 10_000;

/** How fast it goes, and why it waits if it does. */
function progressText({
  done,
  failed,
  inFlight,
  perSecond,
  total,
  secondsLeft,
  waitMs,
  slowestMs = 0,
  reach = '',
}: Progress): string {
  const waiting =
    waitMs > 0
      ? `waiting ${formatSeconds(waitMs / 1000)}, as the server asked`
      : perSecond === 0 && inFlight > 0
        ? 'waits for answers'
        : '';
  return [
    total === undefined ? countOf(done, 'row') : `${formatCount(done)} of ${countOf(total, 'row')}`,
    secondsLeft === undefined ? '' : `${formatSeconds(secondsLeft)} left`,
    perSecond > 0 ? `${perSecond.toFixed(perSecond < 10 ? 1 : 0)} per second` : '',
    `${formatCount(inFlight)} in flight`,
    reach,
    failed > 0 ? `${formatCount(failed)} failed` : '',
    waiting,
    slowestMs > longWaitMs ? `slowest request: ${formatSeconds(slowestMs / 1000)}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** What can be done about a run that is not complete. */
export function LiveBar({
  run,
  onChange,
}: {
  readonly run: RunDetails;
  readonly onChange: () => void;
}) {
  const [error, setError] = useState<Error>();
  const [asked, setAsked] = useState<string>();
  const { live, state, canResume, id } = run;
  useEffect(() => setAsked(undefined), [id, live?.owner]);
  useEffect(() => {
    if (asked === undefined) return;
    let looks = 0;
    const timer = setInterval(() => {
      onChange();
      looks += 1;
      if (looks >= maxLooks) clearInterval(timer);
    }, lookMs);
    return () => clearInterval(timer);
  }, [asked]);
  if (state === 'done' || source.isAlone) return null;
  const act = async (path: string, said: string) => {
    try {
      setError(undefined);
      await postJson(path, { run: id });
      setAsked(said);
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <div class={`live ${state}`}>
      <p>
        {live
          ? `Running: process ${live.owner}. Figures cover the rows reached so far.`
          : 'The run is incomplete.'}{' '}
        {asked}
        {live?.progress && <span class="progress-text"> {progressText(live.progress)}</span>}
      </p>
      {live?.canStop && (
        <button
          type="button"
          class="button"
          onClick={() => act('/api/stop', 'Stopping after requests in flight.')}
        >
          Stop after requests in flight
        </button>
      )}
      {!live && canResume && (
        <button type="button" class="button" onClick={() => act('/api/resume', 'Started.')}>
          Go on
        </button>
      )}
      {error && <Problem error={error} />}
    </div>
  );
}
