import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { isFileMissing } from '../base/files.ts';

const entrySchema = z.union([
  /** About to be sent: `keys` of its requests to this model, and to which address, if not to its first. */
  z.object({
    mark: z.string(),
    model: z.string(),
    address: z.string().optional(),
    keys: z.array(z.string()),
  }),
  /** Its file is at the server, under this id. */
  z.object({ mark: z.string(), input: z.string() }),
  /** Taken by the server, under this id. */
  z.object({ mark: z.string(), id: z.string() }),
  /** Its answers are in the log of the run, or it is not to be waited for. */
  z.object({ mark: z.string(), isOver: z.literal(true) }),
]);

type BatchEntry = z.infer<typeof entrySchema>;

/** A batch that a start of the run sent, or was about to send. */
export interface SentBatch {
  readonly mark: string;
  readonly model: string;
  readonly address?: string | undefined;
  readonly keys: readonly string[];
  readonly input?: string | undefined;
  readonly id?: string | undefined;
}

/** The batches of a run, in a file of its folder: a later start collects what an earlier one sent. */
export class BatchLog {
  readonly #file: string;
  readonly open: readonly SentBatch[];

  private constructor(file: string, open: readonly SentBatch[]) {
    this.#file = file;
    this.open = open;
  }

  static async read(file: string): Promise<BatchLog> {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isFileMissing(error)) return '';
      throw error;
    });
    const batches = new Map<string, SentBatch>();
    for (const line of text.split('\n')) {
      const entry = parseEntry(line);
      if (!entry) continue;
      const known = batches.get(entry.mark);
      if ('keys' in entry) batches.set(entry.mark, entry);
      else if ('isOver' in entry) batches.delete(entry.mark);
      else if (known) batches.set(entry.mark, { ...known, ...entry });
    }
    return new BatchLog(file, [...batches.values()]);
  }

  async add(entry: BatchEntry): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true });
    await appendFile(this.#file, `${JSON.stringify(entry)}\n`, { flush: true });
  }
}

/** Nothing for a line that a crash tore. */
function parseEntry(line: string): BatchEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
