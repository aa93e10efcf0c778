import { displayPath, jsonLocation } from '../../base/display-path.ts';
import { checkConfig } from '../../config/check-config.ts';
import type { Config } from '../../config/config.ts';
import { type ExplainedValue, explainConfig } from '../../config/explain.ts';
import type { LoadedFile } from '../../config/loaded-config.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { formatPath } from '../../errors.ts';
import { writeJson, writeOutput } from '../output.ts';
import { describeTerminal } from '../terminal.ts';
import { renderExplained } from './render-explained.ts';

/** Prints the values of a config; gives the exit code. */
export async function printExplained(
  file: string,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const loaded = await readConfigFile(file);
  const config = checkConfig(loaded);
  const values = explainConfig(loaded, config);
  if (json) writeJson('explain', jsonExplained(loaded, { ...config, values }), 2);
  else {
    const lines = renderExplained({ ...config, values }, describeTerminal(process.stdout));
    writeOutput(`${lines.join('\n')}\n`);
  }
  return 0;
}

/** The values as data, for programs. */
export function jsonExplained(
  { file }: LoadedFile,
  { notices, values }: Pick<Config, 'notices'> & { readonly values: readonly ExplainedValue[] },
) {
  return {
    config: displayPath(file),
    values: values.map(({ path, value, from }) => ({
      path: formatPath(path),
      value,
      from: from.type,
      ...(from.type === 'derived' && { source: formatPath(from.source) }),
      ...(from.type !== 'default' && { at: jsonLocation(from.at) }),
    })),
    notices: notices.map(({ message, at }) => ({ message, ...(at && { at: jsonLocation(at) }) })),
  };
}
