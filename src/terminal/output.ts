import { Console } from 'node:console';
import { escapeControls } from './text/show-controls.ts';

/** The form of what commands print with `--json`; a change that readers would notice has a new number. */
export const schemaVersion = 1;

let writeKept: ((text: string) => boolean) | undefined;

/**
 * Keeps the output for what a command prints for machines: what code of a config prints goes where
 * warnings go.
 */
export function keepOutput(): void {
  writeKept = process.stdout.write.bind(process.stdout);
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** Writes to the output, also where it is kept. */
export function writeOutput(text: string): void {
  if (writeKept) writeKept(text);
  else process.stdout.write(text);
}

/** Prints the result of a command for machines; indented where people read it as well. */
export function writeJson(command: string, result: object, indent?: number): void {
  const text = JSON.stringify({ schemaVersion, command, ...result }, null, indent);
  writeOutput(`${escapeControls(text)}\n`);
}
