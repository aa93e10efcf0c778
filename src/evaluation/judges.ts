import { randomUUID } from 'node:crypto';
import { contentHash } from '../base/content-hash.ts';
import { hintForName } from '../base/nearest-name.ts';
import type { Config, DatasetConfig, ModelConfig, Price } from '../config/config.ts';
import type { MediaSettings } from '../data/media/read-media.ts';
import {
  ConfigError,
  type ConfigPath,
  DataError,
  formatPath,
  JudgeError,
  TypecaseError,
} from '../errors.ts';
import { shownUrl } from '../model/endpoint-address.ts';
import { type Model, requireAbilities } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { ModelFormat } from '../prompt/format.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { TraceJudgePrompt } from '../score/judge/judge-prompt.ts';
import type { Ask, JudgeModel } from '../score/judge/judge-scorer.ts';
import { isUnfit } from '../score/row-score.ts';
import type { ScoreInput, Scorer } from '../score/scorer.ts';
import type { Thinking } from '../score/split-thought.ts';
import type { JudgeRequest, NamedJudge, Pace } from './evaluation.ts';
import { requestKey } from './key.ts';
import {
  encoderOf,
  type KnownModel,
  openModel,
  type Purpose,
  paceOf,
  withKwargs,
} from './open-model.ts';
import type { EvaluationPrompts } from './prompt-setup.ts';
import { compatOf, formatOfModel } from './setup-of-config.ts';

export type JudgeNamed = (name: string, path: ConfigPath) => JudgeModel;

/** The models of a config as judges; each is opened when it is first needed. */
export interface Judges {
  readonly judgeNamed: JudgeNamed;
  /** The only model of the config that is there to judge, if there is one. */
  readonly onlyJudge?: string | undefined;
  /** Refuses a judge that is to be shown media and takes none. */
  readonly requireVision: (name: string) => Promise<void>;
  /** What may be wrong with how the prompts of a judge begin. */
  readonly remarksOn: (name: string) => Promise<readonly Diagnostic[]>;
  /** Says what judges are asked about an answer, by a scorer of its own; they are not asked. */
  readonly collector: (
    openScorer: (judgeNamed: JudgeNamed) => Promise<Scorer>,
  ) => (input: ScoreInput) => Promise<JudgeRequest[]>;
  /** What tells the verdicts of a judge from those of another, as far as the config says it. */
  readonly identityOf: (name: string) => Promise<unknown>;
  /** The same for the record of a run, without what may be secret. */
  readonly describe: (name: string) => Promise<NamedJudge>;
  readonly close: () => Promise<void>;
}

/** A model in place of another, to count what is asked of it. */
export type Meter = (model: Model, config: ModelConfig, encode: Encode | undefined) => Model;

export interface JudgeOptions {
  readonly purpose: Purpose;
  readonly known?: ReadonlyMap<string, KnownModel> | undefined;
  readonly meter: Meter;
  /** Left out where judges are not to be asked. */
  readonly askJudge?: AskJudge | undefined;
}

/** The way in which a judge is asked. */
export type AskJudge = (model: Model, judge: JudgeDetails) => Promise<Ask>;

export interface JudgeDetails {
  /** Its `abbr`. */
  readonly name: string;
  readonly pace: Pace;
  readonly price?: Price | undefined;
  /** How it marks its thoughts. */
  readonly thinking?: Thinking | undefined;
}

interface AskedPrompt {
  readonly model: ModelConfig;
  readonly prompt: Prompt;
  readonly trace: TraceJudgePrompt;
}

export async function openJudges(
  config: Config,
  { purpose, known, meter, askJudge }: JudgeOptions,
): Promise<Judges> {
  const formats = new Map<string, ModelFormat | Error>();
  const models = config.judges ?? config.models;
  for (const model of models) formats.set(model.abbr, await formatOrError(config, model));
  const opened = new Map<string, Promise<Model>>();
  const askers = new Map<string, Promise<Ask>>();
  const openJudge = async (model: ModelConfig): Promise<Model> => {
    const encode = await encoderOf(config, model);
    const stop = model.stop ?? (await stopsOfJudge(formats.get(model.abbr), config, model));
    const opened = await openModel(config, withKwargs({ ...model, ...(stop && { stop }) }), {
      purpose,
      needsLikelihood: false,
      choosesExamples: false,
      encode,
      identify: purpose === 'plan' || known !== undefined,
      known: known?.get(model.abbr),
    });
    return meter(opened, { ...model, judge: true }, encode);
  };
  const modelOf = (model: ModelConfig): Promise<Model> => {
    const ready = opened.get(model.abbr) ?? openJudge(model);
    opened.set(model.abbr, ready);
    return ready;
  };
  const openAsker = async (model: ModelConfig): Promise<Ask> => {
    const { abbr: name } = model;
    if (!askJudge) throw notAsked(name);
    const opened = await modelOf(model).catch((error: unknown) => {
      throw unusableJudge(name, error);
    });
    const { price, thinking } = model;
    return askJudge(opened, { name, pace: paceOf(model), price, thinking });
  };
  const askerOf = (model: ModelConfig): Promise<Ask> => {
    const asker = askers.get(model.abbr) ?? openAsker(model);
    askers.set(model.abbr, asker);
    return asker;
  };
  const find = (name: string, path: ConfigPath) => {
    const model = models.find(({ abbr }) => abbr === name);
    if (!model) throw noJudge(name, { path, names: models.map(({ abbr }) => abbr) });
    const format = formats.get(name);
    if (format instanceof Error) throw format;
    return { model, format };
  };
  const requestOf = async ({
    model: config,
    prompt,
    trace,
  }: AskedPrompt): Promise<JudgeRequest> => {
    const model = await modelOf(config);
    const key = requestKey(model.encode({ prompt }), contentHash(model.identity));
    return { judge: config.abbr, model, prompt, key, trace };
  };
  const start = randomUUID();
  const askedOf = async (name: string) => {
    const judge = models.find(({ abbr }) => abbr === name);
    if (!judge) return undefined;
    const { type, path, model, version, baseUrl, metaTemplate, chatTemplate } = judge;
    const { maxOutLen, stop, generationKwargs, thinking } = judge;
    const isGiven = judge.generate || judge.file !== undefined || judge.object;
    return {
      model: {
        ...{ type, path, model, baseUrl, metaTemplate, chatTemplate },
        ...(isGiven && (await import('./open-given-model.ts')).identifyGiven(config, judge, start)),
        ...(version !== undefined && { version }),
      },
      settings: { maxOutLen, stop, generationKwargs, ...(thinking && { thinking }) },
    };
  };
  const thereToJudge = models.filter(({ judge }) => judge).map(({ abbr }) => abbr);
  return {
    ...(thereToJudge.length === 1 && { onlyJudge: thereToJudge[0] }),
    judgeNamed(name, path) {
      const { model, format } = find(name, path);
      return {
        name,
        format,
        ask: async (...asked) => (await askerOf(model))(...asked),
      };
    },
    async requireVision(name) {
      const { model } = find(name, []);
      requireAbilities(await modelOf(model), ['vision'], 'a judge prompt with media');
    },
    async remarksOn(name) {
      const { model, format } = find(name, []);
      if (model.type !== 'OpenAICompletions' || !format || format.type === 'plain') return [];
      const { judgeBeginning } = await import('./format-diagnostics.ts');
      return judgeBeginning({ model, format, encode: await encoderOf(config, model) });
    },
    collector(openScorer) {
      let asked: AskedPrompt[] = [];
      const noteNamed: JudgeNamed = (name, path) => {
        const { model, format } = find(name, path);
        const ask: JudgeModel['ask'] = async (prompt, _signal, trace) => {
          asked.push({ model, prompt, trace });
          return { text: '' };
        };
        return { name, format, ask };
      };
      let opened: Promise<Scorer> | undefined;
      const collect = async (input: ScoreInput) => {
        asked = [];
        opened ??= openScorer(noteNamed);
        const asking = { ...input, onlyJudges: true } as const;
        const score = await (await opened).scoreLater?.(asking, new AbortController().signal);
        if (asked.length === 0 && score?.type === 'unscored' && isUnfit(score.reason)) {
          throw new DataError('data.missing_column', score.reason);
        }
        return Promise.all(asked.map(requestOf));
      };
      // One after the other: the scorer does not say which answer it asks about.
      let last: Promise<unknown> = Promise.resolve();
      return (input) => {
        const next = last.then(() => collect(input));
        last = next.catch(() => undefined);
        return next;
      };
    },
    async identityOf(name) {
      const asked = await askedOf(name);
      return asked ? [asked.model, asked.settings] : null;
    },
    async describe(name) {
      const { model, settings } = (await askedOf(name)) ?? {};
      const baseUrl = model?.baseUrl === undefined ? undefined : shownUrl(model.baseUrl);
      const price = models.find(({ abbr }) => abbr === name)?.price;
      return { name, identity: { ...model, baseUrl, ...settings }, ...(price && { price }) };
    },
    async close() {
      for (const opening of opened.values()) {
        // One that could not be opened was reported by whoever needed it.
        const model = await opening.catch(() => undefined);
        await model?.close();
      }
      opened.clear();
      askers.clear();
    },
  };
}

/** Judges that are shown media as the model is: from the folder of the data, by what they hold. */
export function seeingMedia(judgeNamed: JudgeNamed, settings: MediaSettings): JudgeNamed {
  let settler: Promise<(prompt: Prompt) => Promise<Prompt>> | undefined;
  const openSettler = async () => (await import('./media/with-media.ts')).mediaSettler(settings);
  return (name, path) => {
    const judge = judgeNamed(name, path);
    return {
      ...judge,
      ask: async (prompt, ...rest) => {
        if (isTextAlone(prompt)) return judge.ask(prompt, ...rest);
        settler ??= openSettler();
        return judge.ask(await (await settler)(prompt), ...rest);
      },
    };
  };
}

/** Says what of the prompts of a judge is not sent as it is written. */
export function judgeRemarks({ judge }: Scorer): Diagnostic[] {
  return (judge?.diagnostics ?? []).map((diagnostic) => ({
    ...diagnostic,
    message: `in the prompt of the judge \`${judge?.name}\`, ${diagnostic.message}`,
  }));
}

/** Says that a judge is told what was asked, and is not shown the media of it. */
export function unseenMedia(
  { showsMedia }: Pick<EvaluationPrompts, 'showsMedia'>,
  {
    scorer,
    dataset,
  }: { readonly scorer: Scorer; readonly dataset: Pick<DatasetConfig, 'abbr' | 'source'> },
): Diagnostic[] {
  const { judge } = scorer;
  if (!showsMedia || !judge || judge.showsMedia || !judge.showsQuestion) return [];
  return [
    {
      code: 'judge.media_not_shown',
      message: `the judge \`${judge.name}\` of ${dataset.abbr} sees the question but not the media: tags such as \`<image>\` are sent to it as text`,
      hint: "To show them, give it a `prompt` with media parts: `{ type: MMPromptTemplate, template: { round: [{ role: HUMAN, prompt_mm: { image: '{image}', text: … } }] } }`.",
      path: [...dataset.source, 'eval_cfg', 'evaluator'],
    },
  ];
}

function isTextAlone(prompt: Prompt): boolean {
  return (
    prompt.type === 'text' || prompt.messages.every(({ content }) => typeof content === 'string')
  );
}

/** Where a verdict ends by the format of the judge; compat modes send none that nobody wrote. */
async function stopsOfJudge(
  format: ModelFormat | Error | undefined,
  config: Config,
  model: ModelConfig,
): Promise<readonly string[] | undefined> {
  if (!format || format instanceof Error || format.type === 'plain') return undefined;
  if (compatOf(config, model)) return undefined;
  if (format.type === 'chat' && format.meta.stop.length === 0) return undefined;
  const { formatStops } = await import('../prompt/format-stops.ts');
  const stops = formatStops(format);
  return stops.length > 0 ? stops : undefined;
}

/** What is wrong with the format of a model is said when that model has to judge. */
async function formatOrError(config: Config, model: ModelConfig): Promise<ModelFormat | Error> {
  try {
    return await formatOfModel(config, model);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function notAsked(name: string): ConfigError {
  return new ConfigError('config.no_judge', `The judge \`${name}\` cannot be asked here`, {
    hint: 'Judges are asked by `evaluate`, `sweep` and `rescore`.',
  });
}

function unusableJudge(name: string, cause: unknown): JudgeError {
  const { message, hint, path } = TypecaseError.isInstance(cause)
    ? cause
    : { message: String(cause), hint: undefined, path: undefined };
  return new JudgeError('judge.unusable', `The judge \`${name}\` cannot be asked: ${message}`, {
    cause,
    hint,
    path,
    endsRun: true,
  });
}

function noJudge(
  name: string,
  { path, names }: { readonly path: ConfigPath; readonly names: readonly string[] },
): ConfigError {
  return new ConfigError(
    'config.unknown_model',
    `${formatPath(path)} is \`${name}\`, which is not a model of this config`,
    { path, hint: hintForName(name, { names, kind: 'Models' }) },
  );
}
