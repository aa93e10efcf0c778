import { displayPath, jsonLocation } from '../../base/display-path.ts';
import { checkConfig } from '../../config/check-config.ts';
import type { Config } from '../../config/config.ts';
import { type ExplainedValue, explainConfig } from '../../config/explain.ts';
import type { LoadedFile } from '../../config/loaded-config.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { formatPath } from '../../errors.ts';
import { writeOutput } from '../output.ts';
import { describeTerminal } from '../terminal.ts';
import { escapeControls } from '../text/show-controls.ts';
import { renderExplained } from './render-explained.ts';

/** Prints the values of a config; gives the exit code. */
export async function printExplained(
  file: string,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const loaded = await readConfigFile(file);
  const config = checkConfig(loaded);
  const values = explainConfig(loaded, config);
  const text = json
    ? escapeControls(JSON.stringify(jsonExplained(loaded, { ...config, values }), null, 2))
    : renderExplained({ ...config, values }, describeTerminal(process.stdout)).join('\n');
  writeOutput(`${text}\n`);
  return 0;
}

function jsonExplained(
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
