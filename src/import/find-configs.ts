import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { nearestName } from '../base/nearest-name.ts';
import { UsageError } from '../base/usage-error.ts';
import { configFilesIn } from './digests.ts';

const kinds = ['models', 'datasets', 'summarizers'] as const;
type Kind = (typeof kinds)[number];

interface Problem {
  readonly code: 'import.unknown_name' | 'import.ambiguous_name';
  readonly name: string;
  readonly what: string;
  readonly toDo: string;
}

/** Configs by their names, as the other systems' command lines look for them; says of all wrong names at once. */
export function findConfigs(
  root: string,
  names: Readonly<Record<Kind, readonly string[]>>,
): string[] {
  const found = kinds.flatMap((kind) =>
    names[kind].length === 0 ? [] : findInFolder(root, kind, names[kind]),
  );
  const problems = found.filter((one) => typeof one !== 'string');
  const [first] = problems;
  if (first === undefined) return found.filter((one) => typeof one === 'string');
  throw new UsageError(first.code, problems.map(({ what }) => what).join('; '), {
    hint:
      problems.length === 1
        ? first.toDo
        : problems.map(({ name, toDo }) => `\`${name}\`: ${toDo}`).join(' '),
  });
}

/** Anywhere below the folder of their kind. */
function findInFolder(
  root: string,
  kind: Kind,
  names: readonly string[],
): readonly (string | Problem)[] {
  const folders = [
    `opencompass/configs/${kind}`,
    `ais_bench/benchmark/configs/${kind}`,
    `configs/${kind}`,
  ];
  const folder = folders.find((path) => existsSync(`${root}/${path}`));
  const files = folder === undefined ? [] : configFilesIn(root, folder);
  const known = files.map((file) => basename(file, '.py'));
  return names.map((name) => {
    const wanted = `${name.replace(/\.py$/, '')}.py`;
    const [first, ...others] = files.filter((file) => `/${file}`.endsWith(`/${wanted}`));
    if (first === undefined) {
      const near = nearestName(name, known);
      return {
        code: 'import.unknown_name',
        name,
        what: `unknown config \`${name}\` among the ${kind} in ${root}`,
        toDo: near ? `Did you mean \`${near}\`?` : `Looked in ${folder ?? folders.join(', ')}.`,
      };
    }
    if (others.length === 0) return first;
    return {
      code: 'import.ambiguous_name',
      name,
      what: `\`${name}\` names ${others.length + 1} configs`,
      toDo: `Give more of the path: ${[first, ...others].join(', ')}.`,
    };
  });
}
