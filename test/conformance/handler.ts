import type { Difference } from './compare.ts';
import type { Json, JsonObject } from './json.ts';

/** Files that vectors refer to, found beside them. */
export interface VectorContext {
  readonly metaTemplates: JsonObject;
  /** The folder that the file of the vectors lies in. */
  readonly folder: string;
}

/** Runs one vector and gives what differs from its expectation, or says that it cannot be run here. */
export type Handler = (vector: JsonObject, context: VectorContext) => Outcome | Promise<Outcome>;

type Outcome = readonly Difference[] | 'skipped';

export type Handlers = Readonly<Record<string, Handler>>;

/** A meta template by the name that the vectors use, such as `lm:moss`. */
export function namedMetaTemplate(context: VectorContext, name: string): Json {
  const [kind = '', key = ''] = name.split(':');
  const group = context.metaTemplates[kind];
  const template =
    typeof group === 'object' && group !== null && !Array.isArray(group)
      ? (group as JsonObject)[key]
      : undefined;
  if (template === undefined) throw new Error(`there is no meta template ${name}`);
  return template;
}
