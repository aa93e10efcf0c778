import type { Config } from './config.ts';

/** Reads a config that is written for another system. */
export type ForeignReader = (file: string) => Promise<Config>;

let promptfoo: ForeignReader | undefined;

/** What configs of promptfoo are called. */
export const promptfooName = /(?:^|[\\/])promptfooconfig[^\\/]*\.(?:ya?ml|json|[cm]?[jt]s)$/i;

/** Makes configs of promptfoo known to the rooms below the one that reads them. */
export function readPromptfooWith(reader: ForeignReader): void {
  promptfoo = reader;
}

/** What reads a file, where it is written for another system. */
export function foreignReader(file: string): ForeignReader | undefined {
  return promptfooName.test(file) ? promptfoo : undefined;
}
