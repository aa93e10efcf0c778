import { loadChatTemplate } from '../../../chat-template/load.ts';
import type { TracedRequestText } from '../../../evaluation/inference.ts';
import { inferenceOf } from '../../../evaluation/inference-of.ts';
import type { PromptData, PromptSetup } from '../../../evaluation/prompt-setup.ts';
import type { RepeatedDataset } from '../../../evaluation/repeats.ts';
import { promptsOf } from '../../../evaluation/task-prompts.ts';
import type { Diagnostic } from '../../../prompt/diagnostics.ts';
import type { ModelFormat } from '../../../prompt/format.ts';
import type { TemplateConfig } from '../../../prompt/template.ts';
import type { PositionedRow } from '../../../prompt/trace.ts';
import type { Query, Retriever } from '../../../retrieve/retriever.ts';
import { packValue, unpackValue } from '../pack-row.ts';
import type { ReadTemplates } from './template-text.ts';

/**
 * All that the prompts of one row depend on, as the server found it out: what makes prompts needs
 * nothing else, so that the page makes them itself while somebody types.
 */
export interface PromptKit {
  readonly setup: Omit<PromptSetup, 'model' | 'media' | 'examplesOf' | 'context'> & {
    readonly model: Omit<PromptSetup['model'], 'format'>;
  };
  readonly format: PackedFormat;
  readonly data: PromptData;
  /** The examples of each request, by their places in the pool that is here: each order of a row has its own. */
  readonly shots: readonly (readonly number[])[];
  readonly row: PositionedRow;
  readonly dataset: RepeatedDataset;
}

/** A format whose chat template is a text again. */
export type PackedFormat =
  | Exclude<ModelFormat, { type: 'chat-template' }>
  | (Omit<Extract<ModelFormat, { type: 'chat-template' }>, 'template'> & {
      readonly chatTemplate: {
        readonly source: string;
        readonly file: string;
        readonly specialTokens: Readonly<Record<string, unknown>>;
      };
    });

export interface MadePrompts {
  /** What is sent, a text for each request or label, with its origins. */
  readonly texts: readonly MadeText[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface MadeText extends TracedRequestText {
  readonly part?: { readonly kind: 'turn' | 'sample' | 'order'; readonly name: number };
}

/** The prompts of the row of a kit, by its own templates or by others. */
export async function makePrompts(
  packed: string,
  templates?: ReadTemplates['templates'],
): Promise<MadePrompts> {
  const { setup, format, data, shots, row, dataset } = unpackValue(packed) as PromptKit;
  const task: PromptSetup = {
    ...setup,
    ...(templates && withTemplates(setup, templates)),
    model: { ...setup.model, format: formatOf(format) },
  };
  const prompts = await promptsOf(task, data, async () => givenShots(shots));
  const inference = await inferenceOf(task, prompts, {
    dataset: {
      ...dataset,
      inferCfg: { ...dataset.inferCfg, promptTemplate: task.promptTemplate },
    },
    // Prompts depend on neither.
    scorer: {},
    seed: 0,
  });
  if (inference.type === 'single') {
    const { texts } = inference.trace(row);
    return { texts, diagnostics: prompts.diagnostics };
  }
  const texts: MadeText[] = [];
  const answers: string[] = [];
  for (;;) {
    const requests = inference.traceNext(row, answers);
    if (requests.length === 0) return { texts, diagnostics: prompts.diagnostics };
    for (const { kind, name, texts: own } of requests) {
      answers.push(`⟨answer ${name}⟩`);
      texts.push(...own.map((text) => ({ ...text, part: { kind, name } })));
    }
  }
}

/** Gives the examples of the row, and those of its other orders as they are asked for. */
function givenShots(shots: PromptKit['shots']): Retriever {
  const asked = new Map<string, readonly number[]>();
  return ({ row }: Query) => {
    const key = packValue(row);
    const known = asked.get(key) ?? shots[asked.size] ?? shots[0] ?? [];
    asked.set(key, known);
    return known;
  };
}

function withTemplates(
  setup: PromptKit['setup'],
  { prompt_template: prompt, ice_template: ice }: ReadTemplates['templates'],
): Pick<PromptSetup, 'promptTemplate' | 'iceTemplate'> {
  const source = setup.retriever.source.slice(0, -1);
  const entry = (value: unknown, key: string) =>
    value === undefined || value === null
      ? undefined
      : { config: typed(value as TemplateConfig), source: [...source, key] };
  return {
    promptTemplate: entry(prompt, 'prompt_template'),
    iceTemplate: entry(ice, 'ice_template'),
  };
}

/** As the config has it: a template that names no type has the usual one. */
function typed(config: TemplateConfig): TemplateConfig {
  const usual = config.messages === undefined ? 'PromptTemplate' : 'RawPromptTemplate';
  return { ...config, type: config.type ?? usual };
}

function formatOf(format: PackedFormat): ModelFormat {
  if (!('chatTemplate' in format)) return format;
  const { chatTemplate, ...rest } = format;
  const { additional_special_tokens, ...tokens } = chatTemplate.specialTokens;
  const template = loadChatTemplate(
    {
      chat_template: chatTemplate.source,
      additional_special_tokens,
      extra_special_tokens: tokens,
    },
    { file: chatTemplate.file },
  );
  return { ...rest, type: 'chat-template', template };
}
