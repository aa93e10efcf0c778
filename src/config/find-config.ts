import { readdirSync } from 'node:fs';
import { UsageError } from '../base/usage-error.ts';

const name = /^typecase\.config\.(?:m?[jt]s|ya?ml|json)$/;

/** The config that a folder has under its usual name, for commands that name none. */
export function findConfig(folder: string = process.cwd()): string {
  const [first, ...others] = readdirSync(folder)
    .filter((file) => name.test(file))
    .sort();
  if (first === undefined) {
    throw new UsageError('usage.missing_argument', 'No config is named, and there is none here', {
      hint: 'Name one, or call it typecase.config.ts (.js, .yaml, .json). `npx typecase init` writes one.',
    });
  }
  if (others.length === 0) return first;
  throw new UsageError('usage.several_configs', `There are ${[first, ...others].join(' and ')}`, {
    hint: `Name the one that you mean: \`typecase run ${first}\`.`,
  });
}
