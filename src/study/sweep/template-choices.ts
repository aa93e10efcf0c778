import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { hintForVersion, standIn } from '../../tasks/stand-in.ts';
import { type OwnVersion, readTaskFile } from '../../tasks/task-file.ts';
import type { InlineTemplate, SweepAxes } from './axes.ts';
import type { DatasetEntry } from './dataset-entry.ts';

/** One of the templates that a dataset is asked with. */
export interface TemplateChoice {
  readonly name: string;
  /** The version of the dataset's own task. */
  readonly version?: string | undefined;
  readonly promptTemplate?: unknown;
  readonly iceTemplate?: unknown;
  readonly inferencer?: unknown;
  readonly retriever?: unknown;
  /** Its place among `sweep.templates`, if it is written there. */
  readonly writtenAt?: number | undefined;
}

export interface ChoiceOptions {
  readonly folder: string;
  /** Another version may stand for one that a task lacks. */
  readonly standsIn: boolean;
}

/** The templates of an axis for one dataset. */
export async function chooseTemplates(
  entry: DatasetEntry,
  templates: NonNullable<SweepAxes['templates']>,
  options: ChoiceOptions,
): Promise<TemplateChoice[]> {
  const names = templates === 'all' ? allVersions(entry) : templates;
  const choices: TemplateChoice[] = [];
  for (const [place, name] of names.entries()) {
    if (typeof name === 'string') choices.push(...(await chooseByName(entry, name, options)));
    else choices.push({ ...inlineChoice(name), writtenAt: place });
  }
  refuseTwins(entry, choices);
  return choices;
}

/** Names may come from versions, files and the config; results are kept by them. */
function refuseTwins({ name: dataset }: DatasetEntry, choices: readonly TemplateChoice[]): void {
  const names = choices.map(({ name }) => name.replaceAll(' ', '-'));
  const twin = choices.find((_, place) => names.indexOf(names[place] ?? '') !== place);
  if (!twin) return;
  throw new ConfigError(
    'sweep.repeated_value',
    `\`${dataset}\` has two templates named \`${twin.name}\``,
    { hint: 'Rename one of them.' },
  );
}

function allVersions({ name, task }: DatasetEntry): string[] {
  if (task) return task.versions.map(({ version }) => version);
  throw new ConfigError(
    'sweep.unknown_template',
    `\`${name}\` belongs to no task, so there are no versions to sweep`,
    { hint: 'Name task files, or write templates with a `name` under `sweep.templates`.' },
  );
}

async function chooseByName(
  { name: dataset, task }: DatasetEntry,
  name: string,
  { folder, standsIn }: ChoiceOptions,
): Promise<TemplateChoice[]> {
  const versions = task?.versions ?? [];
  const names = versions.map(({ version }) => version);
  const found = names.includes(name) || !standsIn ? name : (standIn(name, names) ?? name);
  const version = versions.find((one) => one.version === found);
  if (version) return [{ ...choiceOf(version), name, version: version.version }];
  const file = resolve(folder, name);
  if (existsSync(file)) return (await readTaskFile(file)).versions.map(choiceOf);
  const versionHint = names.length > 0 ? `${hintForVersion(name, names)} Or give` : 'Give';
  throw new ConfigError('sweep.unknown_template', `\`${dataset}\` has no template \`${name}\``, {
    hint: `${versionHint} the path of a task file.`,
  });
}

function choiceOf(version: OwnVersion): TemplateChoice {
  const { promptTemplate, iceTemplate, inferencer, retriever } = version;
  return { name: version.version, promptTemplate, iceTemplate, inferencer, retriever };
}

function inlineChoice({ name, prompt_template, ice_template }: InlineTemplate): TemplateChoice {
  return { name, promptTemplate: prompt_template, iceTemplate: ice_template };
}
