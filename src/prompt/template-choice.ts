import { formatPath, TemplateError } from '../errors.ts';
import type { LineEnds } from './format.ts';
import type { ShotsAs, Template } from './template.ts';

export interface Templates {
  readonly promptTemplate?: Template | undefined;
  readonly iceTemplate?: Template | undefined;
}

/** Puts the examples of templates into one of their forms. */
export interface ShotArrangement {
  readonly form: ShotsAs;
  readonly arrange: (templates: Templates, options: ArrangeOptions) => Templates;
}

export interface ArrangeOptions {
  /** Without examples no system text is made for them. */
  readonly hasShots: boolean;
  readonly outputColumn: string | undefined;
  /** What stands between the lines of a system text. */
  readonly lineEnds: LineEnds;
}

/**
 * The template that writes the test row: `prompt_template`, or `ice_template` where that is left
 * out. If there are examples it has to say where they go.
 */
export function chooseTemplate(
  { promptTemplate, iceTemplate }: Templates,
  hasShots: boolean,
): Template {
  const template = promptTemplate ?? iceTemplate;
  if (!template) {
    throw new TemplateError(
      'template.missing',
      'there is neither a prompt_template nor an ice_template',
      {
        hint: 'Add `prompt_template: {type: PromptTemplate, template: …}` to infer_cfg.',
      },
    );
  }
  if (!hasShots) return template;
  if (!iceTemplate) {
    throw new TemplateError(
      'template.ice_template_missing',
      'the retriever gives examples, but there is no ice_template for them',
      { path: template.path, hint: 'Add `ice_template`, or use ZeroRetriever.' },
    );
  }
  if (template.body.type === 'messages' || template.iceToken !== undefined) return template;
  throw new TemplateError(
    'template.ice_token_missing',
    `${formatPath(template.path)} does not say where the examples go`,
    { path: template.path, hint: 'Set `ice_token: "</E>"` and write `</E>` where they go.' },
  );
}
