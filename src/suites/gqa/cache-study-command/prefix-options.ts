import type { Command } from 'commander';
import { UsageError } from '../../../base/usage-error.ts';
import type { PrefixCacheSettings } from '../../../study/prefix-cache/prefix-cache.ts';
import { countValue, positiveValue } from '../../../terminal/option-values.ts';

/** What the command line says of a server's prefix cache. */
export interface PrefixOptions {
  readonly prefixBlock?: number;
  readonly prefixSize?: number;
  readonly prefixGib?: number;
  readonly bytesPerToken?: number;
  readonly inFlight?: number;
  readonly imageTokens?: number;
}

export interface PrefixSettings extends PrefixCacheSettings {
  readonly imageTokens?: number | undefined;
}

export function addPrefixOptions(command: Command): Command {
  return command
    .optionsGroup('Prefix cache:')
    .option('--prefix-block <tokens>', 'block size of the prefix cache (default: 16)', countValue)
    .option('--prefix-size <tokens>', 'size of the prefix cache (default: no limit)', countValue)
    .option('--prefix-gib <n>', 'size in GiB, with --bytes-per-token', positiveValue)
    .option('--bytes-per-token <n>', 'bytes per token in the prefix cache', countValue)
    .option('--in-flight <n>', 'concurrent requests, which share nothing (default: 1)', countValue)
    .option('--image-tokens <n>', 'tokens per image (default: 576)', countValue);
}

export function prefixSettingsOf(options: PrefixOptions): PrefixSettings {
  const { prefixBlock, inFlight, imageTokens } = options;
  return { block: prefixBlock, size: sizeOf(options), inFlight, imageTokens };
}

function sizeOf({ prefixSize, prefixGib, bytesPerToken }: PrefixOptions): number | undefined {
  if (prefixGib === undefined && bytesPerToken === undefined) return prefixSize;
  if (prefixSize !== undefined) {
    throw new UsageError('usage.conflicting_options', 'The size of the prefix cache is set twice', {
      hint: 'Give `--prefix-size`, or `--prefix-gib` with `--bytes-per-token`.',
    });
  }
  if (prefixGib !== undefined && bytesPerToken !== undefined) {
    return Math.max(1, Math.floor((prefixGib * 2 ** 30) / bytesPerToken));
  }
  throw new UsageError(
    'usage.missing_argument',
    '`--prefix-gib` and `--bytes-per-token` must be used together',
    {
      hint: 'A token takes 2 × layers × key-value heads × size of a head × bytes of a number, such as 131072 for Llama 3 8B in 16 bits.',
    },
  );
}
