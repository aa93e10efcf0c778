import type { Config } from './config.ts';

/** Reads a config that is written for another system. */
export type ForeignReader = (file: string) => Promise<Config>;

let promptfoo: ForeignReader | undefined;

/** Whether a file is a config of promptfoo, by its name. */
export function isPromptfoo(file: string): boolean {
  return /(?:^|[\\/])promptfooconfig[^\\/]*\.(?:ya?ml|json|[cm]?[jt]s)$/i.test(file);
}

/** Makes configs of promptfoo known to the rooms below the one that reads them. */
export function readPromptfooWith(reader: ForeignReader): void {
  promptfoo = reader;
}

/** What reads a file, where it is written for another system. */
export function foreignReader(file: string): ForeignReader | undefined {
  return isPromptfoo(file) ? promptfoo : undefined;
}
