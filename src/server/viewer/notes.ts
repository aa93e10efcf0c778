import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileMissing, readTextFile } from '../../base/files.ts';
import { notesFileName } from '../../run/store/run-folder.ts';
import { type Note, note as noteSchema } from './api.ts';

/** What people wrote about the rows of a run; of two lines for a row the later counts. */
export interface Notes {
  readonly all: readonly Note[];
  get(model: string, dataset: string, id: number): Note | undefined;
}

/** Reads the notes beside a run. Lines that are damaged are left out. */
export async function readNotes(folder: string): Promise<Notes> {
  let text = '';
  try {
    text = await readTextFile(join(folder, notesFileName));
  } catch (error) {
    if (!isFileMissing(error)) throw error;
  }
  const found = new Map<string, Note>();
  for (const line of text.split('\n')) {
    const note = parseNote(line);
    if (note) found.set(keyOf(note.model, note.dataset, note.id), note);
  }
  const all = [...found.values()].filter(({ note, grade }) => note !== undefined || grade);
  const kept = new Map(all.map((one) => [keyOf(one.model, one.dataset, one.id), one]));
  return { all, get: (model, dataset, id) => kept.get(keyOf(model, dataset, id)) };
}

/** What to change; what it does not speak of stays as it was, `null` takes it away. */
type NoteChange = Pick<Note, 'model' | 'dataset' | 'id'> & {
  readonly note?: string | null | undefined;
  readonly grade?: 'right' | 'wrong' | null | undefined;
};

let last: Promise<unknown> = Promise.resolve();

/** Writes a note. Changes go one after another: each keeps what the one before it wrote. */
export function writeNote(folder: string, change: NoteChange): Promise<Note> {
  const written = last.then(() => appendNote(folder, change));
  last = written.catch(() => undefined);
  return written;
}

async function appendNote(folder: string, change: NoteChange): Promise<Note> {
  const { model, dataset, id } = change;
  const before = (await readNotes(folder)).get(model, dataset, id);
  const note = change.note === undefined ? before?.note : change.note?.trim() || undefined;
  const grade = change.grade === undefined ? before?.grade : (change.grade ?? undefined);
  const written: Note = {
    ...{ model, dataset, id },
    ...(note !== undefined && { note }),
    ...(grade && { grade }),
    at: new Date().toISOString(),
  };
  await appendFile(join(folder, notesFileName), `${JSON.stringify(written)}\n`);
  return written;
}

function keyOf(model: string, dataset: string, id: number): string {
  return JSON.stringify([model, dataset, id]);
}

function parseNote(line: string): Note | undefined {
  if (line === '') return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
