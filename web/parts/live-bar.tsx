import { useState } from 'preact/hooks';
import type { RunDetails } from '../../src/server/viewer/api.ts';
import { postJson } from '../client.ts';
import { Problem } from './frame.tsx';

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
  if (state === 'done') return null;
  const act = async (path: string, said: string) => {
    try {
      setError(undefined);
      await postJson(path, { run: id });
      setAsked(said);
      setTimeout(onChange, 500);
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <div class={`live ${state}`}>
      <p>
        {live
          ? `Running: process ${live.owner}. What is shown is of the rows reached.`
          : 'The run is not complete.'}{' '}
        {asked}
      </p>
      {live?.canStop && (
        <button
          type="button"
          class="button"
          onClick={() => act('/api/stop', 'It ends after what is in flight.')}
        >
          Stop after what is in flight
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
