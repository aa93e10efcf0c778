import { locationAt, locationsIn, type Source } from '../../../config/source-location.ts';
import { parseYaml } from '../../../config/yaml-source.ts';
import { ConfigError, type ConfigPath, type SourceLocation } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';

/** Templates as somebody edits them: the text of one template, or YAML with all that they hold. */
export interface TemplateText {
  readonly form: 'text' | 'yaml';
  readonly text: string;
}

export const templateKeys = ['prompt_template', 'ice_template'] as const;
type TemplateKey = (typeof templateKeys)[number];

export interface ReadTemplates {
  readonly templates: Readonly<Partial<Record<TemplateKey, unknown>>>;
  /** Where the value at a path of the templates stands, or a character of the text there. */
  readonly locate: (path: ConfigPath, index?: number) => SourceLocation;
}

/** What messages call the text that is edited. */
export const editedFile = 'template';

/** Reads templates as they are edited. What is wrong has its place in that text. */
export function readTemplates({ form, text }: TemplateText): ReadTemplates {
  const source: Source = { file: editedFile, text };
  if (form === 'text') {
    return {
      templates: { prompt_template: { template: text } },
      locate: (path, index = 0) => locationAt(source, path.length === 2 ? index : 0),
    };
  }
  const parsed = parseYaml(source);
  const { value } = parsed;
  const places = locationsIn(source, parsed);
  const wrong = (message: string, path: ConfigPath) =>
    new ConfigError('workbench.not_templates', message, {
      at: value === undefined ? locationAt(source, 0) : places.locateKey(path),
      hint: 'Write `prompt_template:`, `ice_template:`, or both.',
    });
  if (!isMapping(value)) throw wrong('The text contains no templates', []);
  const entries = entriesOf(value).map(([key, own]) => [String(key), own] as const);
  const other = entries.find(([key]) => !templateKeys.some((name) => name === key));
  if (other) throw wrong(`\`${other[0]}\` is not a template`, [other[0]]);
  return {
    templates: Object.fromEntries(entries),
    locate: (path, index) =>
      index === undefined ? places.locate(path) : places.locateInString(path, index),
  };
}

/** How many characters a prompt may come to, by a rough bound; more is refused before it is made. */
const maxLength = 20_000_000;
/** The most places to be filled in: each has an origin that is looked up. */
const maxPlaces = 2000;

/** Refuses a template that would make a prompt of a size that nobody can look at. */
export function refuseHuge({ text }: TemplateText, rowLength: number): void {
  const places = text.split('{').length - 1;
  if (places <= maxPlaces && places * rowLength + text.length <= maxLength) return;
  throw new ConfigError(
    'workbench.too_large',
    `This template has ${places.toLocaleString('en')} placeholders and could make a prompt too large to show`,
    { hint: 'Use fewer placeholders, or a smaller row.' },
  );
}
