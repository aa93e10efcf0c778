import { UsageError } from '../../base/usage-error.ts';
import { writeNative } from '../write-native.ts';
import { readPromptfoo } from './read-promptfoo.ts';

/** The text of the native config that asks and checks the same. */
export async function writePromptfoo(file: string, isChecked = false): Promise<string> {
  if (isChecked) {
    throw new UsageError('usage.conflicting_options', '`--check` compares configs in Python', {
      hint: 'Omit it; `typecase view` shows the prompts of both configs.',
    });
  }
  const { value, unwritten } = await readPromptfoo(file, { isAsked: false });
  if (unwritten.length > 0) {
    const message = `${file} contains what a YAML config cannot hold: ${unwritten.join(', ')}`;
    throw new UsageError('import.holds_code', message, {
      hint: '`typecase run` accepts the config as is; see docs/reference/functions.md for functions in TypeScript configs.',
    });
  }
  return writeNative({ value, notes: [], hashes: new Map(), missing: new Map() }, file);
}
