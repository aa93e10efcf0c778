import { readdirSync } from 'node:fs';
import { UsageError } from '../base/usage-error.ts';

const name = /^typecase\.config\.(?:m?[jt]s|ya?ml|json)$/;

/** The config that a folder has under its usual name, for commands that name none. */
export function findConfig(folder: string = process.cwd()): string {
  const [first, ...others] = readdirSync(folder)
    .filter((file) => name.test(file))
    .sort();
  if (first === undefined) {
    throw new UsageError(
      'usage.missing_argument',
      'No config was given, and there is none in this folder',
      {
        hint: 'Give one, or name it typecase.config.ts (.js, .yaml, .json). `npx typecase init` writes one.',
      },
    );
  }
  if (others.length === 0) return first;
  throw new UsageError(
    'usage.several_configs',
    `This folder has ${[first, ...others].join(' and ')}`,
    {
      hint: `Say which one to use: \`typecase run ${first}\`.`,
    },
  );
}
