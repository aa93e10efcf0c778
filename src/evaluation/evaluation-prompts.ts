import { createShotPool } from '../prompt/render.ts';
import {
  type LabelLosses,
  type Retriever,
  type RetrieverContext,
  zeroRetriever,
} from '../retrieve/retriever.ts';
import {
  type EvaluationPrompts,
  mediaDefaults,
  type PromptData,
  type PromptSetup,
} from './prompt-setup.ts';
import {
  arrange,
  compilePrograms,
  type OpenRetriever,
  promptsOf,
  rememberLast,
} from './task-prompts.ts';

/** Compiles the templates of a task once and hands out its prompts. */
export async function openPrompts(task: PromptSetup, data: PromptData): Promise<EvaluationPrompts> {
  if (task.shotsAs !== undefined && !task.arrangement)
    return openPrompts(await arrange(task), data);
  const prompts = await (task.compat ? compatPromptsOf(task, data) : makePrompts(task, data));
  if (!prompts.showsMedia) return prompts;
  const { withMedia } = await import('./media/with-media.ts');
  const settings = task.media ?? { folder: '.', ...mediaDefaults };
  return withMedia(prompts, { ...settings, isVerbatim: task.compat !== undefined });
}

/** Errors of the original have no place of their own. */
async function compatPromptsOf(task: PromptSetup, data: PromptData): Promise<EvaluationPrompts> {
  const { placed, placeErrors } = await import('./place-errors.ts');
  const path = (task.promptTemplate ?? task.iceTemplate)?.source ?? task.retriever.source;
  const prompts = await makePrompts(task, data).catch((error: unknown) =>
    placed(path, (): EvaluationPrompts => {
      throw error;
    }),
  );
  return placeErrors(prompts, path);
}

async function makePrompts(task: PromptSetup, data: PromptData): Promise<EvaluationPrompts> {
  if (typeof task.promptTemplate?.config.template !== 'function') {
    return promptsOf(task, data, openRetriever);
  }
  const { functionPrompts } = await import('./function-prompts.ts');
  return functionPrompts(task, data, rememberLast(await openRetriever(task, data)));
}

const openRetriever: OpenRetriever = async (task, data) =>
  task.examplesOf ??
  retrieverOf(task, {
    ...task,
    pool: data.train,
    path: task.retriever.source,
    labelLosses: await lossesFor(task, data),
  });

/** What chooses examples; there are many ways, of which a task needs one. */
async function retrieverOf(
  { retriever, compat }: PromptSetup,
  context: RetrieverContext,
): Promise<Retriever> {
  if (compat !== undefined) {
    const { createCompatRetriever } = await import(
      '../compat/retrieval/create-compat-retriever.ts'
    );
    const { placed } = await import('./place-errors.ts');
    return placed(context.path, () => createCompatRetriever(retriever, { ...context, compat }));
  }
  if (retriever.type === 'ZeroRetriever') return zeroRetriever;
  const { createRetriever } = await import('../retrieve/create-retriever.ts');
  return createRetriever(retriever, context);
}

/** MDL needs the loglikelihoods of a row's labels before its prompts are made. */
async function lossesFor(task: PromptSetup, data: PromptData): Promise<LabelLosses | undefined> {
  const { loglikelihoodModel, retriever, inferencer } = task;
  if (!loglikelihoodModel || retriever.type !== 'MDLRetriever') return undefined;
  const labels = retriever.labels ?? inferencer.labels;
  const ofLabels = { ...task, inferencer: { ...inferencer, labels, type: 'PPLInferencer' } };
  const pool = { test: data.train, train: data.train };
  const { labelLosses, labelTexts } = await import('./mdl-label-losses.ts');
  if (task.compat) {
    const { compatLabelTexts } = await import('./compat-prompts.ts');
    return labelLosses(loglikelihoodModel, compatLabelTexts(ofLabels, pool));
  }
  const programs = compilePrograms(ofLabels, pool).map(({ program }) => ({
    program,
    pool: createShotPool(program, data.train),
  }));
  return labelLosses(loglikelihoodModel, labelTexts(ofLabels, programs));
}
