import { hintForName } from '../base/nearest-name.ts';
import { ConfigProblemsError } from '../config/problems.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { ScorerConfig } from '../score/build-scorer.ts';
import { type LocatedComponent, locateAll } from '../score/component/component.ts';
import { evaluatorTypes } from '../score/evaluators/evaluator-types.ts';
import { postprocessorTypes } from '../score/extract/postprocessors.ts';
import {
  opencompassEvaluators,
  opencompassPostprocessorNames,
} from '../score/opencompass-names.ts';

/** All types that an `eval_cfg` names and that there are not, in place of the first one. */
export function scoringProblems(
  { evaluator, predPostprocessor = [], datasetPostprocessor = [] }: ScorerConfig,
  { source, error }: { readonly source: ConfigPath; readonly error: unknown },
): unknown {
  const path = [...source, 'eval_cfg'];
  const unknown = [
    ...unknownTypes(locateAll(evaluator, [...path, 'evaluator']), {
      types: evaluatorTypes,
      others: opencompassEvaluators,
    }),
    ...[
      ...locateAll(predPostprocessor, [...path, 'pred_postprocessor']),
      ...locateAll(datasetPostprocessor, [...path, 'dataset_postprocessor']),
    ].flatMap((located) =>
      unknownTypes([located], { types: postprocessorTypes, others: opencompassPostprocessorNames }),
    ),
  ];
  const [first] = unknown;
  if (!first) return error;
  return unknown.length === 1 ? first : new ConfigProblemsError(unknown);
}

interface Names {
  readonly types: object;
  /** What stands here for names of OpenCompass. */
  readonly others: Readonly<Record<string, string>>;
}

function unknownTypes(
  located: readonly LocatedComponent[],
  { types, others }: Names,
): ConfigError[] {
  return located.flatMap(({ component: { type }, path }) => {
    if (Object.hasOwn(types, type)) return [];
    const other = Object.hasOwn(others, type) ? others[type] : undefined;
    const names = Object.keys(types);
    return [
      new ConfigError(
        'config.unknown_type',
        `${formatPath(path)} is of the unknown type \`${type}\``,
        {
          path: [...path, 'type'],
          hint:
            other === undefined
              ? hintForName(type, { names, kind: 'Available' })
              : `Use ${other} in place of OpenCompass's \`${type}\`; docs/scoring.md has all that there are.`,
        },
      ),
    ];
  });
}
