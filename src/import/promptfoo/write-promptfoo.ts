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
  const { value, code } = await readPromptfoo(file, { isAsked: false });
  if (code.length > 0) {
    throw new UsageError('import.holds_code', `${file} contains code: ${code.join(', ')}`, {
      hint: 'Code cannot be written in YAML. `typecase run` accepts the config as is; see docs/reference/functions.md for functions in TypeScript configs.',
    });
  }
  return writeNative({ value, notes: [], hashes: new Map(), missing: new Map() }, file);
}
