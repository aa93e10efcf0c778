import { useEffect, useState } from 'preact/hooks';
import type { Note } from '../../src/server/viewer/api.ts';
import { postJson } from '../client.ts';
import { useKeys } from '../keys.ts';
import { Problem } from './frame.tsx';

interface NoteProps {
  readonly row: {
    readonly run: string;
    readonly model: string;
    readonly dataset: string;
    readonly id: number;
  };
  readonly note: Note | undefined;
}

/** What somebody thought of a row, in a page that cannot be written to. */
export function KeptNote({ note: { note, grade } }: { readonly note: Note }) {
  return (
    <section class="panel">
      <h2>Note {grade && <span class={`badge tone-${grade}`}>graded {grade}</span>}</h2>
      {note !== undefined && <pre class="text">{note}</pre>}
    </section>
  );
}

/** What people think of a row, kept beside the run. */
export function NotePanel({ row, note }: NoteProps) {
  const [saved, setSaved] = useState(note);
  const [text, setText] = useState(note?.note ?? '');
  const [error, setError] = useState<Error>();
  const key = `${row.run} ${row.model} ${row.dataset} ${row.id}`;
  useEffect(() => {
    setSaved(note);
    setText(note?.note ?? '');
  }, [key, note]);
  const save = async (change: { note?: string | null; grade?: 'right' | 'wrong' | null }) => {
    try {
      setError(undefined);
      setSaved(await postJson<Note>('/api/notes', { ...row, ...change }));
    } catch (problem) {
      setError(problem as Error);
    }
  };
  const grade = (value: 'right' | 'wrong') =>
    save({ grade: saved?.grade === value ? null : value });
  useKeys({ g: () => grade('right'), b: () => grade('wrong') });
  return (
    <section class="panel" aria-label="Your grade and note">
      <h2>Your grade and note</h2>
      <div class="grade" role="group" aria-label="Your grade">
        {(['right', 'wrong'] as const).map((value) => (
          <button
            type="button"
            key={value}
            class={`chip tone-${value}`}
            aria-pressed={saved?.grade === value}
            onClick={() => grade(value)}
          >
            {value} <kbd>{value === 'right' ? 'g' : 'b'}</kbd>
          </button>
        ))}
      </div>
      <textarea
        aria-label="Note"
        placeholder="A note on this row"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => text !== (saved?.note ?? '') && save({ note: text })}
      />
      <p class="soft small" role="status">
        {saved?.at ? 'Saved in notes.jsonl of the run.' : ''}
      </p>
      {error && <Problem error={error} />}
    </section>
  );
}
