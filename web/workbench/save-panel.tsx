import { useState } from 'preact/hooks';
import type { PromptBody, Saved } from '../../src/server/viewer/workbench/api.ts';
import { postJson } from '../client.ts';
import { Problem } from '../parts/frame.tsx';

/** Writes what was edited into a new file. */
export function SavePanel({
  body,
  folder,
}: {
  readonly body: PromptBody;
  readonly folder: string;
}) {
  const [name, setName] = useState('');
  const [saved, setSaved] = useState<Saved>();
  const [error, setError] = useState<Error>();
  const { row: _, ...edited } = body;
  const save = async (as: 'config' | 'template') => {
    setError(undefined);
    setSaved(undefined);
    try {
      setSaved(await postJson<Saved>('/api/workbench/save', { ...edited, name, as }));
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <section class="panel">
      <h2>
        Save
        <span class="soft small">a new file in {folder}; nothing is written over</span>
      </h2>
      <div class="tools">
        <input
          type="text"
          aria-label="Name of the new file"
          placeholder="name"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="button" class="button" disabled={name === ''} onClick={() => save('config')}>
          as config
        </button>
        <button
          type="button"
          class="button"
          disabled={name === ''}
          onClick={() => save('template')}
        >
          as template
        </button>
      </div>
      {error && <Problem error={error} />}
      {saved && (
        <p class="small" role="status">
          Written: <code>{saved.file}</code> · <code>{saved.command}</code>
        </p>
      )}
    </section>
  );
}
