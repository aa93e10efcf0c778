import { createHash } from 'node:crypto';
import type { ConfigPath } from '../../errors.ts';
import { checkFields, namedFields } from '../../prompt/diagnostics.ts';
import type { ModelFormat } from '../../prompt/format.ts';
import { compilePrompt, showsMedia } from '../../prompt/program.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { createShotPool, fillPrompt } from '../../prompt/render.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import type { JudgeValues } from './judge-values.ts';

export interface JudgePromptSettings {
  readonly promptTemplate: TemplateConfig;
  readonly iceTemplate?: TemplateConfig | undefined;
  /** What examples show: the columns of the prompt, and the `reply` to it. */
  readonly examples?: readonly Row[] | undefined;
  readonly format: ModelFormat | undefined;
  /** Where the template stands in the config. */
  readonly path?: ConfigPath | undefined;
}

/** A judge's prompt for some columns, or what it has no column for. */
export type FilledJudgePrompt =
  | { readonly type: 'prompt'; readonly prompt: Prompt }
  | { readonly type: 'missing'; readonly message: string };

export interface JudgePrompt {
  /** The names that it fills in. */
  readonly fields: readonly string[];
  readonly showsMedia: boolean;
  readonly fill: (values: JudgeValues) => FilledJudgePrompt;
}

/** Compiles what a judge is asked. Columns are filled in as they are, never read as a template. */
export function compileJudgePrompt({
  promptTemplate,
  iceTemplate,
  examples = [],
  format,
  path,
}: JudgePromptSettings): JudgePrompt {
  const hasShots = examples.length > 0;
  const program = compilePrompt({
    promptTemplate,
    iceTemplate: hasShots ? iceTemplate : undefined,
    hasShots,
    ...(format && { format }),
    ...(path && { paths: { promptTemplate: path } }),
  });
  const rows = examples.map((values, id) => ({ id, row: withBoundary({ values, said: {} }) }));
  const shots = createShotPool(program, rows)?.take([...examples.keys()]);
  return {
    fields: namedFields(program),
    showsMedia: showsMedia(program),
    fill: (values) => {
      const row = withBoundary(values);
      // Examples alone have a reply.
      const missing = checkFields(program, [...Object.keys(row), 'reply']).find(
        ({ code }) => code === 'template.unknown_field',
      );
      if (missing) return { type: 'missing', message: missing.message };
      return { type: 'prompt', prompt: fillPrompt(program, row, shots) };
    },
  };
}

/** Adds a code that no text contains, so that none can end the section it stands in. */
function withBoundary({ values, said }: JudgeValues): Row {
  const texts = Object.values(values).map(formatValue);
  const all = [...texts, ...Object.values(said).map(formatValue)];
  let boundary = '';
  for (
    let attempt = 0;
    boundary === '' || all.some((text) => text.includes(boundary));
    attempt += 1
  ) {
    const hash = createHash('sha256').update(JSON.stringify([attempt, texts]));
    boundary = hash.digest('hex').slice(0, 12);
  }
  return { ...values, ...said, boundary };
}
