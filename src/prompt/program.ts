import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { type AnswerSlot, bindAnswer } from './answer.ts';
import { lastNodes } from './before-answer.ts';
import { type Diagnostic, lintTemplates } from './diagnostics.ts';
import { lineEndsOf, type ModelFormat, plainFormat } from './format.ts';
import { hasMedia, layOutOpen, type Mode } from './lay-out.ts';
import { parseTemplate } from './parse-template.ts';
import {
  type Compiled,
  type Plan,
  type Silent,
  type Varied,
  withoutShotTurns,
  withVariants,
} from './plan.ts';
import { nullValue } from './row-errors.ts';
import { checkShotPositions, makeShotStyle } from './shot-style.ts';
import type { ShotStyle } from './shots.ts';
import type { SingleBody, Template, TemplateConfig } from './template.ts';
import { chooseTemplate, type ShotArrangement, type Templates } from './template-choice.ts';
import { formatValue } from './values.ts';

/** What a prompt is made from, as a config says it. */
export interface PromptSettings {
  readonly promptTemplate?: TemplateConfig | undefined;
  readonly iceTemplate?: TemplateConfig | undefined;
  readonly format?: ModelFormat;
  readonly inputColumns?: readonly string[];
  readonly outputColumn?: string | undefined;
  /** Whether the retriever gives examples. */
  readonly hasShots?: boolean;
  /** The form of the examples; as the templates have it by default. */
  readonly shotsAs?: ShotArrangement | undefined;
  readonly iceSeparator?: string | undefined;
  readonly iceEosToken?: string | undefined;
  /** What stands in place of the hidden answer; nothing by default. */
  readonly maskToken?: string | undefined;
  /** Sends the spaces before the hidden answer, which are left to the model by default. */
  readonly keepTrailingSpaces?: boolean | undefined;
  /** Says more of what the template holds, before it is laid out. */
  readonly changeBody?: (<Body extends SingleBody>(body: Body) => Body) | undefined;
  /** Where the templates stand in the config, for locations in messages and traces. */
  readonly paths?: { readonly promptTemplate?: ConfigPath; readonly iceTemplate?: ConfigPath };
}

/** Templates and model format compiled into one thing that only waits for rows. */
export interface PromptProgram extends Varied<PromptProgram> {
  readonly mode: Mode;
  readonly format: ModelFormat;
  /** The data side alone, with the answer hidden: what the prompt list shows. */
  readonly body: SingleBody;
  readonly plan: Plan;
  readonly shotStyle: ShotStyle | undefined;
  readonly iceTemplate: Template | undefined;
  readonly template: Template;
  readonly outputColumn: string | undefined;
  /** The plan with all that is written around the hidden answer. */
  readonly whole?: Plan | undefined;
  /** The spaces before the hidden answer that are left to the model. */
  readonly droppedSpaces: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LabelProgram {
  readonly label: unknown;
  readonly program: PromptProgram;
}

/**
 * Compiles a prompt for generation (`gen`: up to where the model answers) or for scoring the
 * whole text (`ppl`). In both the answer is hidden.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'Q: {q}\nA: {a}' }, outputColumn: 'a' });
 * fillPrompt(program, { q: '1+1?', a: '2' }); // { type: 'text', text: 'Q: 1+1?\nA:' }
 */
export function compilePrompt(settings: PromptSettings, mode: Mode = 'gen'): PromptProgram {
  const parsed = parseSettings(settings);
  const { template } = parsed;
  if (template.body.type === 'labels') {
    throw new TemplateError(
      'template.labels_need_ppl',
      `${formatPath(template.path)} has one template per label, but the task asks for one prompt`,
      {
        path: [...template.path, 'template'],
        hint: 'Use PPLInferencer, or write a single template.',
      },
    );
  }
  const slot: AnswerSlot = { type: 'masked', token: settings.maskToken ?? '' };
  return compileBody(parsed, { body: template.body, slot, mode });
}

/**
 * Compiles one prompt per label, each in full. The labels are those given, else the keys of a
 * label template, else those found in the data. `{output_column}` shows the label under test,
 * never the row's own answer.
 *
 * @example
 * const settings = { promptTemplate: { template: '{text}: {label}' }, outputColumn: 'label' };
 * const programs = compileLabelPrompts(settings, ['good', 'bad']);
 * programs.map(({ program }) => fillPrompt(program, { text: 'Fine', label: 'good' }));
 * // [{ type: 'text', text: 'Fine: good' }, { type: 'text', text: 'Fine: bad' }]
 */
export function compileLabelPrompts(
  settings: PromptSettings,
  labels?: readonly unknown[],
  labelsInData?: readonly unknown[],
): LabelProgram[] {
  const parsed = parseSettings(settings);
  const { body, path } = parsed.template;
  const ownLabels = body.type === 'labels' ? body.labels.map(({ label }) => label) : undefined;
  const wanted = labels ?? ownLabels ?? labelsInData;
  if (!wanted) {
    throw new TemplateError(
      'template.labels_missing',
      `${formatPath(path)} is a single template, and there are no labels to compare`,
      { path, hint: 'Write one template per label, or set `labels` on the inferencer.' },
    );
  }
  if (wanted === labelsInData && wanted.includes(null)) {
    throw nullValue(settings.outputColumn ?? 'output_column');
  }
  return wanted.map((label) => {
    const slot: AnswerSlot = { type: 'label', text: formatValue(label) };
    const own = body.type === 'labels' ? bodyOfLabel(parsed.template, label) : body;
    return { label, program: compileBody(parsed, { body: own, slot, mode: 'ppl' }) };
  });
}

/**
 * Whether a prompt may show media.
 *
 * @example
 * const round = [{ role: 'HUMAN', prompt_mm: { text: '{q}', image: '{image}' } }];
 * const promptTemplate = { type: 'MMPromptTemplate', template: { round } };
 * showsMedia(compilePrompt({ promptTemplate, format: chatApiFormat })); // true
 */
export function showsMedia({ body, iceTemplate }: PromptProgram): boolean {
  return hasMedia(body) || (iceTemplate !== undefined && hasMedia(iceTemplate.body));
}

interface ParsedSettings {
  readonly settings: PromptSettings;
  readonly template: Template;
  readonly iceTemplate: Template | undefined;
  readonly format: ModelFormat;
  readonly shotStyle: ShotStyle | undefined;
}

function parseSettings(settings: PromptSettings): ParsedSettings {
  const { paths, shotsAs } = settings;
  const written: Templates = {
    promptTemplate:
      settings.promptTemplate &&
      parseTemplate(settings.promptTemplate, paths?.promptTemplate ?? ['prompt_template']),
    iceTemplate:
      settings.iceTemplate &&
      parseTemplate(settings.iceTemplate, paths?.iceTemplate ?? ['ice_template']),
  };
  const hasShots = settings.hasShots ?? false;
  const format = settings.format ?? plainFormat;
  const { promptTemplate, iceTemplate } = shotsAs
    ? shotsAs.arrange(written, {
        hasShots,
        outputColumn: settings.outputColumn,
        lineEnds: lineEndsOf(format),
      })
    : written;
  const template = chooseTemplate({ promptTemplate, iceTemplate }, hasShots);
  const { outputColumn, iceSeparator, iceEosToken } = settings;
  const shotStyle =
    hasShots && iceTemplate
      ? makeShotStyle({
          iceTemplate,
          format,
          outputColumn,
          iceSeparator,
          iceEosToken,
          shotsAs: shotsAs?.form,
        })
      : undefined;
  return { settings, template, iceTemplate, format, shotStyle };
}

interface CompiledBody {
  readonly body: SingleBody;
  readonly slot: AnswerSlot;
  readonly mode: Mode;
}

function compileBody(parsed: ParsedSettings, { body, slot, mode }: CompiledBody): PromptProgram {
  return withVariants(
    (silent) => {
      const said = silent.shots ? withoutShotTurns(body) : body;
      return compileVariant(parsed, { body: said, slot, mode }, silent);
    },
    { body },
  );
}

function compileVariant(
  { settings, template, iceTemplate, format, shotStyle }: ParsedSettings,
  { body, slot, mode }: CompiledBody,
  { columns: empty }: Silent,
): Compiled<PromptProgram> {
  const turns = shotStyle?.turns ?? false;
  checkShotPositions(template, body, turns);
  const hidden = bindAnswer(body, settings.outputColumn, slot);
  const bound = settings.changeBody?.(hidden) ?? hidden;
  const keepSpaces = settings.keepTrailingSpaces ?? false;
  const options = { format, extent: mode, shotsAreTurns: turns, keepSpaces, empty };
  const { plan, whole, dropped, tail } = layOutOpen(bound, options);
  const program: PromptProgram = {
    mode,
    format,
    body: bound.type === 'string' ? { ...bound, nodes: lastNodes(plan) } : bound,
    plan,
    whole,
    shotStyle,
    iceTemplate: shotStyle && iceTemplate,
    template,
    outputColumn: settings.outputColumn,
    droppedSpaces: dropped,
    diagnostics: lintTemplates({
      ...{ template, iceTemplate, body: bound, format, mode, plan },
      hasShots: shotStyle !== undefined,
    }),
  };
  return { program, tail };
}

function bodyOfLabel(template: Template, label: unknown): SingleBody {
  const { body } = template;
  const labels = body.type === 'labels' ? body.labels : [];
  const found =
    labels.find((entry) => Object.is(entry.label, label)) ??
    labels.find((entry) => formatValue(entry.label) === formatValue(label));
  if (found) return found.body;
  throw new TemplateError(
    'template.unknown_label',
    `${formatPath(template.path)} has no template for the label \`${formatValue(label)}\``,
    {
      path: [...template.path, 'template'],
      hint: `Labels: ${labels.map((entry) => formatValue(entry.label)).join(', ')}.`,
    },
  );
}
