import { hintForName } from '../base/nearest-name.ts';
import type { Compat } from '../compat/compat.ts';
import { cleaners, rowJudges } from '../compat/scoring/registry.ts';
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
  {
    source,
    error,
    compat,
  }: { readonly source: ConfigPath; readonly error: unknown; readonly compat?: Compat | undefined },
): unknown {
  const path = [...source, 'eval_cfg'];
  const unknown = [
    ...unknownTypes(locateAll(evaluator, [...path, 'evaluator']), {
      types: compat
        ? { ...evaluatorTypes, ...rowJudges, CascadeEvaluator: 0, MATHVerifyEvaluator: 0 }
        : evaluatorTypes,
      others: opencompassEvaluators,
      theirs: rowJudges,
    }),
    ...[
      ...locateAll(predPostprocessor, [...path, 'pred_postprocessor']),
      ...locateAll(datasetPostprocessor, [...path, 'dataset_postprocessor']),
    ].flatMap((located) =>
      unknownTypes([located], {
        types: compat ? { ...postprocessorTypes, ...cleaners } : postprocessorTypes,
        others: opencompassPostprocessorNames,
        theirs: cleaners,
      }),
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
  /** Names that compat modes know. */
  readonly theirs: object;
}

function unknownTypes(
  located: readonly LocatedComponent[],
  { types, others, theirs }: Names,
): ConfigError[] {
  return located.flatMap(({ component: { type }, path }) => {
    if (Object.hasOwn(types, type)) return [];
    const other = Object.hasOwn(others, type) ? others[type] : undefined;
    const isTheirs = Object.hasOwn(theirs, type);
    const names = Object.keys(types);
    const exact = isTheirs ? ' `compat: opencompass` scores exactly as it does there.' : '';
    return [
      new ConfigError(
        'config.unknown_type',
        `${formatPath(path)} has the unknown type \`${type}\``,
        {
          path: [...path, 'type'],
          hint:
            other === undefined
              ? exact.trim() || hintForName(type, { names, kind: 'Available' })
              : `Use ${other} instead of OpenCompass's \`${type}\`; docs/reference/scoring.md lists all evaluators.${exact}`,
        },
      ),
    ];
  });
}
