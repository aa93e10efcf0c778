import type { ConfigPath } from '../errors.ts';
import { toPlain } from '../prompt/mapping.ts';
import { buildScorer, type CompileOptions, noScorer, type ScorerConfig } from './build-scorer.ts';
import { asChecks, type Component } from './component/component.ts';
import { accuracyEvaluators, basicEvaluators } from './evaluators/basic-evaluators.ts';
import type { EvaluatorTypes } from './evaluators/scoring-parts.ts';
import type { Scorer } from './scorer.ts';

/** As `compileScorer`; most evaluators are loaded only where they are used. */
export async function openScorer(
  config: ScorerConfig | undefined,
  options?: CompileOptions,
): Promise<Scorer> {
  if (!config) return noScorer;
  const evaluator = asChecks(config.evaluator);
  return buildScorer({ ...config, evaluator }, await evaluatorsWith(evaluator), options);
}

const lightEvaluators = { ...basicEvaluators, ...accuracyEvaluators };

async function evaluatorsWith({ type }: Component): Promise<EvaluatorTypes> {
  if (Object.hasOwn(lightEvaluators, type)) return lightEvaluators;
  return (await import('./evaluators/evaluator-types.ts')).evaluatorTypes;
}

/**
 * Loads what a scorer needs: dictionaries, interpreters. To be waited for before it scores.
 * Gives what the record of a run should say of it.
 *
 * @example
 * await prepareScorer({ evaluator: { type: 'exact' } }); // []
 */
export async function prepareScorer(
  config: ScorerConfig | undefined,
  { source = [] }: Pick<CompileOptions, 'source'> = {},
): Promise<readonly string[]> {
  return config ? prepare(config.evaluator, [...source, 'eval_cfg', 'evaluator']) : [];
}

async function prepare(written: Component, path: ConfigPath): Promise<readonly string[]> {
  const evaluator = asChecks(written);
  if (evaluator.type === 'checks') return prepareChecks(evaluator, path);
  if (evaluator.type === 'json-schema') {
    const { compileSchema, isSchema, loadSchemaValidator } = await import(
      './checks/schema-validator.ts'
    );
    await loadSchemaValidator();
    const schema = toPlain(evaluator.schema);
    // What is none is refused when the evaluator is made.
    if (isSchema(schema)) compileSchema(schema, [...path, 'schema']);
  }
  const language = languageOf(evaluator);
  if (language !== undefined) {
    const { hasDictionary, loadSegmenter } = await import('./segment/segmenter.ts');
    if (hasDictionary(language)) await loadSegmenter(language);
  }
  if (evaluator.type !== 'code') return [];
  const { languageNames } = await import('./code/languages.ts');
  const programs = languageNames.find((name) => name === evaluator.language);
  if (!programs) return [];
  const { prepareLanguage } = await import('./code/prepare-language.ts');
  return [(await prepareLanguage(programs)).notes];
}

/** What each of several checks needs. */
async function prepareChecks(evaluator: Component, path: ConfigPath): Promise<readonly string[]> {
  const { readCheck } = await import('./checks/read-check.ts');
  const checks = Array.isArray(evaluator.checks) ? evaluator.checks : [];
  const notes: string[] = [];
  for (const [index, check] of checks.entries()) {
    const place = [...path, index];
    notes.push(...(await prepare(readCheck(check, place).component, place)));
  }
  return notes;
}

/** The language whose words an evaluator needs to know. */
function languageOf({ type, tokenize, language }: Component): string | undefined {
  if (type === 'JiebaRougeEvaluator') return 'zh';
  if (tokenize === 'ja') return 'ja';
  return typeof language === 'string' ? language : undefined;
}
