import { compileScorer } from '../score/compile-scorer.ts';
import { evaluatorTypes } from '../score/evaluators/evaluator-types.ts';
import { postprocessorTypes } from '../score/extract/postprocessors.ts';
import {
  opencompassEvaluators,
  opencompassPostprocessorNames,
} from '../score/opencompass-names.ts';
import { asPlain, lastName, type Plain, pickKeys } from './plain-value.ts';

/** What of a config has no exact counterpart, and what became of it. */
export interface Note {
  /** What it is about: the class or key. */
  readonly name: string;
  readonly text: string;
  /** Other prompts are sent than the config means. */
  readonly changesPrompts?: true;
}

interface ComponentKind {
  readonly kind: 'evaluator' | 'post-processor';
  readonly known: Readonly<Record<string, { readonly options: { readonly shape: object } }>>;
  readonly similar: Readonly<Record<string, string>>;
}

const evaluators: ComponentKind = {
  kind: 'evaluator',
  known: evaluatorTypes as unknown as ComponentKind['known'],
  similar: opencompassEvaluators,
};
const postprocessors: ComponentKind = {
  kind: 'post-processor',
  known: postprocessorTypes as unknown as ComponentKind['known'],
  similar: opencompassPostprocessorNames,
};

interface ScoringOptions {
  readonly notes: Note[];
  /** Whether what is near to an evaluator may stand in for it. */
  readonly approximate?: boolean | undefined;
}

/** How answers are scored, where there is a counterpart. */
export function nativeScoring(
  evalCfg: Plain,
  { notes, approximate = false }: ScoringOptions,
): Plain | undefined {
  const own: Note[] = [];
  const mapped = {
    evaluator: nativeComponent(evalCfg.evaluator, evaluators, own),
    pred_postprocessor: nativeComponent(evalCfg.pred_postprocessor, postprocessors, own),
    dataset_postprocessor: nativeComponent(evalCfg.dataset_postprocessor, postprocessors, own),
  };
  const isScored = mapped.evaluator !== undefined && (own.length === 0 || approximate);
  notes.push(...own.map((note) => (isScored ? note : unscoredNote(note, mapped.evaluator))));
  if (!isScored) return undefined;
  const scoring = Object.fromEntries(
    Object.entries(mapped).filter(([, component]) => component !== undefined),
  ) as Readonly<Record<string, Plain>> & { readonly evaluator: Plain };
  try {
    compileScorer({
      evaluator: scoring.evaluator as { type: string },
      ...(scoring.pred_postprocessor && {
        predPostprocessor: scoring.pred_postprocessor as { type: string },
      }),
    });
    return scoring;
  } catch {
    notes.push({
      name: scoring.evaluator.type as string,
      text: 'needs settings that the config does not have in this form: answers are not scored',
    });
    return undefined;
  }
}

/** What keeps answers from being scored, and what would score them all the same. */
function unscoredNote({ name, text }: Note, evaluator: Plain | undefined): Note {
  if (!evaluator) return { name, text };
  return { name, text: `${text}: answers are not scored; \`--approximate\` scores them so` };
}

function nativeComponent(value: unknown, kind: ComponentKind, notes: Note[]): Plain | undefined {
  const given = asPlain(value);
  const type = lastName(given?.type);
  if (!given || type === '') return undefined;
  const own = kind.known[type];
  if (own) {
    const keys = Object.keys(own.options.shape).filter((key) => key !== 'type');
    noteDropped(given, keys, { type, notes });
    return { type, ...pickKeys(given, keys) };
  }
  const similar = /^`([\w-]+)`$/.exec(kind.similar[type] ?? '')?.[1];
  if (similar !== undefined) {
    notes.push({ name: type, text: `is not here, and \`${similar}\` is near to it` });
    return { type: similar };
  }
  const hint = kind.similar[type];
  notes.push({
    name: type,
    text:
      kind.kind === 'evaluator'
        ? `has no counterpart: answers are not scored${hint ? `; see ${hint}` : ''}`
        : `has no counterpart${hint ? ` (see ${hint})` : ''}, and answers would be scored without it`,
  });
  return undefined;
}

function noteDropped(
  given: Plain,
  keys: readonly string[],
  { type, notes }: { readonly type: string; readonly notes: Note[] },
): void {
  const dropped = Object.keys(given).filter((key) => key !== 'type' && !keys.includes(key));
  if (dropped.length > 0)
    notes.push({ name: type, text: `would be used without \`${dropped.join('`, `')}\`` });
}
