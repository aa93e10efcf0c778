import { stat } from 'node:fs/promises';
import { rowFiles } from '../../run/store/run-folder.ts';
import type { RowName } from './api.ts';
import type { OpenedRun } from './opened-run.ts';
import type { WholePrompt } from './row-details.ts';

const keptMs = 30_000;

/** The prompt that was looked at last stays for a while: its long texts and media are asked for one by one. */
export class ShownPrompts {
  #last: { readonly key: string; readonly whole: Promise<WholePrompt> } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  async get(opened: OpenedRun, { model, dataset, id }: RowName): Promise<WholePrompt> {
    const { path } = opened.run;
    const { size } = await stat(rowFiles(path, model, dataset).logFile);
    const key = JSON.stringify([path, opened.stamp, size, model, dataset, id]);
    if (this.#last?.key !== key) {
      const whole = make(opened, { model, dataset, id });
      whole.catch(() => this.forget());
      this.#last = { key, whole };
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.forget(), keptMs).unref();
    return this.#last.whole;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#last = undefined;
  }
}

async function make(opened: OpenedRun, name: Omit<RowName, 'run'>): Promise<WholePrompt> {
  const { wholePrompt } = await import('./row-details.ts');
  return wholePrompt(opened, name);
}
