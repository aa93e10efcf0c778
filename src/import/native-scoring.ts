import { resolve } from 'node:path';
import { cascadeOptions } from '../compat/scoring/cascade-scorer.ts';
import { classProperties } from '../compat/scoring/cleaners/task-cleaners.ts';
import { cleaners, rowJudges } from '../compat/scoring/registry.ts';
import { evaluatorTypes } from '../score/evaluators/evaluator-types.ts';
import { postprocessorTypes } from '../score/extract/postprocessors.ts';
import {
  opencompassEvaluators,
  opencompassPostprocessorNames,
} from '../score/opencompass-names.ts';
import { evalplusTestsIn, publishedFiles } from './dataset-files.ts';
import {
  caseTests,
  hasOwnRows,
  humanEvalTests,
  mbppTests,
  outputColumnOf,
  programTests,
} from './native-code-tests.ts';
import {
  type JudgeContext,
  nativeAtlasJudge,
  nativeJudge,
  nativeLaterJudge,
} from './native-judges.ts';
import {
  anyProgramTests,
  columnTests,
  evalplusTests,
  outputTests,
} from './native-program-tests.ts';
import type { Note } from './note.ts';
import { asPlain, lastName, type Plain, pickKeys } from './plain-value.ts';
import type { TreeTexts } from './tree-texts.ts';

interface ComponentKind {
  readonly kind: 'evaluator' | 'post-processor';
  readonly known: Readonly<Record<string, { readonly options: { readonly shape: object } }>>;
  readonly similar: Readonly<Record<string, string>>;
}

const evaluators: ComponentKind = {
  kind: 'evaluator',
  known: {
    ...evaluatorTypes,
    ...rowJudges,
    CascadeEvaluator: { options: cascadeOptions },
  } as unknown as ComponentKind['known'],
  similar: opencompassEvaluators,
};
const postprocessors: ComponentKind = {
  kind: 'post-processor',
  known: { ...postprocessorTypes, ...cleaners } as unknown as ComponentKind['known'],
  similar: opencompassPostprocessorNames,
};

export interface ScoringContext extends JudgeContext {
  /** Whether what is near to an evaluator may stand in for it. */
  readonly approximate?: boolean | undefined;
  /** Rows that were given, by the abbr of their dataset. */
  readonly data: ReadonlyMap<string, string>;
  readonly dataDir?: string | undefined;
  /** Texts of the tree that prompts are made of. */
  readonly textsOf?: TreeTexts | undefined;
  /** The dataset that is scored. */
  readonly entry: Plain;
}

/** How answers are scored, where there is a counterpart. */
export function nativeScoring(evalCfg: Plain, context: ScoringContext): Plain | undefined {
  const { notes, approximate = false } = context;
  if (context.entry.judge_infer_cfg !== undefined) {
    const evaluator = nativeLaterJudge(evalCfg, context);
    return evaluator && { evaluator };
  }
  const own: Note[] = [];
  const inner = { ...context, notes: own };
  const evaluator = nativeEvaluator(asPlain(evalCfg.evaluator), inner);
  const { pred_postprocessor: nested } = asPlain(evalCfg.evaluator) ?? {};
  const mapped: Plain = {
    ...evaluator,
    answer_as: undefined,
    pred_postprocessor:
      evaluator?.answer_as ??
      nativeComponent(evalCfg.pred_postprocessor ?? nested, postprocessors, own) ??
      evaluator?.pred_postprocessor,
    dataset_postprocessor: nativeComponent(evalCfg.dataset_postprocessor, postprocessors, own),
  };
  if (nested && evalCfg.pred_postprocessor) {
    own.push({
      name: 'pred_postprocessor',
      text: 'is set both in `eval_cfg` and in its evaluator',
    });
  }
  const isScored = evaluator !== undefined && (approximate || own.every((note) => note.isMinor));
  notes.push(...own.map((note) => (isScored ? note : unscoredNote(note, evaluator))));
  if (!isScored) return undefined;
  return Object.fromEntries(Object.entries(mapped).filter(([, part]) => part !== undefined));
}

/** What keeps answers from being scored, and what would score them all the same. */
function unscoredNote(note: Note, evaluator: Plain | undefined): Note {
  if (!evaluator || note.isMinor) return note;
  return {
    ...note,
    text: `${note.text}: answers are not scored; \`--approximate\` scores them this way`,
  };
}

/** The evaluator with what else of `eval_cfg` comes with it. */
function nativeEvaluator(given: Plain | undefined, context: ScoringContext): Plain | undefined {
  const type = lastName(given?.type);
  if (!given || type === '') return undefined;
  const special = specialEvaluators[type];
  if (special) return special(given, context);
  const evaluator = nativeComponent(given, evaluators, context.notes);
  return evaluator && { evaluator };
}

type Special = (given: Plain, context: ScoringContext) => Plain | undefined;

const judged: Special = (given, context) => {
  const evaluator = nativeJudge(given, context, context.entry);
  return evaluator && { evaluator };
};

/** Evaluators that have another form here, or tell from where they come what they do. */
const specialEvaluators: Readonly<Record<string, Special>> = {
  ATLASLLMEvaluator(given, context) {
    const evaluator = nativeAtlasJudge(given, context, context.entry);
    return evaluator && { evaluator };
  },
  LLM4Mat_Evaluator(_, { entry }) {
    const cleaner = asPlain(asPlain(entry.eval_cfg)?.pred_postprocessor);
    const isClass = Object.hasOwn(classProperties, String(cleaner?.property));
    return { evaluator: { type: 'LLM4Mat_Evaluator', kind: isClass ? 'classes' : 'numbers' } };
  },
  CircularOptionSimAccEvaluator(given, { entry }) {
    const options = entry.option_keys as string[];
    const isAll = entry.circular_patterns === 'all_possible';
    return {
      circular: isAll ? 'permutations' : 'rotations',
      evaluator: {
        type: 'CircularOptionSimAccEvaluator',
        options: given.options ?? options,
        text_columns: options,
      },
    };
  },
  ...Object.fromEntries(
    ['cloze', 'subjective', 'correction'].map((kind) => [`GaokaoBenchEvaluator_${kind}`, unjudged]),
  ),
  GenericLLMEvaluator: judged,
  LMEvaluator: judged,
  CascadeEvaluator(given, context) {
    const parts = ['rule_evaluator', 'llm_evaluator'].map((key) => {
      const part = asPlain(given[key]);
      const mapped = part && nativeEvaluator(part, context)?.evaluator;
      const cleaner = nativeComponent(part?.pred_postprocessor, postprocessors, context.notes);
      return mapped && { ...mapped, ...(cleaner && { pred_postprocessor: cleaner }) };
    });
    const [rule, llm] = parts;
    if (!rule || !llm) return undefined;
    const evaluator = { type: 'CascadeEvaluator', rule_evaluator: rule, llm_evaluator: llm };
    return { evaluator: { ...evaluator, ...pickKeys(given, ['parallel']) } };
  },
  NeedleBenchOriginEvaluator: (given) => ({
    evaluator: String(given.type).includes('needlebench_v2')
      ? { type: 'NeedleBenchOriginEvaluatorV2' }
      : { type: 'NeedleBenchOriginEvaluator', ...pickKeys(given, ['use_trim']) },
  }),
  CircularEvaluator(given, { entry }) {
    const columns = circularColumns[lastName(entry.type)];
    if (!columns) return { evaluator: { type: 'CircularRowsEvaluator' } };
    const isAll = (entry.circular_patterns ?? given.circular_pattern) === 'all_possible';
    return {
      circular: isAll ? 'permutations' : 'rotations',
      evaluator: {
        type: 'CircularEvaluator',
        text_columns: (entry.option_keys as string[] | undefined) ?? columns,
        options: [...'ABCDEFGH'].slice(0, columns.length).join(''),
      },
    };
  },
  MATHVerifyEvaluator(_, { notes }) {
    const text = 'is compared with `math`, which evaluates formulas without SymPy';
    notes.push({ name: 'MATHVerifyEvaluator', text, isMinor: true });
    return { evaluator: { type: 'MATHVerifyEvaluator' } };
  },
  HumanEvalEvaluator: humanEvalTests,
  HumanEvalPlusEvaluator(given, context) {
    if (evalplusFile(context)) return evalplusTests();
    const columns = '`prompt`, `test` and `entry_point` of evalplus/humanevalplus';
    return noteMoreTests(given, context, columns) ? humanEvalTests() : undefined;
  },
  MBPPEvaluator(given, context) {
    if (given.metric !== 'MBPPPlus') return mbppTests(outputColumnOf(context.entry));
    return noteMoreTests(given, context, '`test` of evalplus/mbppplus')
      ? mbppTests('test')
      : undefined;
  },
  LCPassKEvaluator: () => anyProgramTests(),
  HumanevalProEvaluator: runHere,
  MBPPProEvaluator: runHere,
  CRUXEvalOEvaluator(given, { entry, notes }) {
    const cleaner = lastName(asPlain(asPlain(entry.eval_cfg)?.pred_postprocessor)?.type);
    if (cleaner === 'cruxeval_o_postprocess') return outputTests(given);
    const text = 'is known with `cruxeval_o_postprocess` alone: answers are not scored';
    notes.push({ name: 'CRUXEvalOEvaluator', text });
    return undefined;
  },
  MBPPPassKEvaluator: () => mbppTests('test_list_2'),
  LCBCodeGenerationEvaluator: (given) => programTests(given),
  TACOEvaluator: () => programTests({ timeout: 4 }, 'input_output'),
  APPSEvaluator: () => programTests({ timeout: 4 }, 'input_output'),
  BigCodeBenchEvaluator(given, { notes }) {
    const text =
      'runs the tests of its rows here, with the packages of this machine: there a server does';
    notes.push({ name: 'BigCodeBenchEvaluator', text, isMinor: true });
    return caseTests(given);
  },
  LiveMathBenchEvaluator(given, { notes }) {
    const asked = ['url', 'extract_url'].find((key) => [given[key] ?? []].flat().length > 0);
    if (asked === undefined) return { evaluator: { type: 'LiveMathBenchEvaluator' } };
    const text = `asks a model at its \`${asked}\`, which has no counterpart here: answers are not scored`;
    notes.push({ name: 'LiveMathBenchEvaluator', text });
    return undefined;
  },
};

/** Questions that only people can judge: they count as wrong there, and here. */
function unjudged(given: Plain, { notes }: ScoringContext): Plain {
  const type = lastName(given.type);
  notes.push({ name: type, text: 'gives 0 to every answer, there and here', isMinor: true });
  return { evaluator: { type } };
}

/** The tests of a column run here, with what this machine has. */
function runHere(given: Plain, { notes }: ScoringContext): Plain {
  const text = 'runs the tests of its rows here: there a server does';
  notes.push({ name: lastName(given.type), text, isMinor: true });
  return columnTests('test_code');
}

/** Whether rows have, or may have, tests that published files lack. */
function noteMoreTests(given: Plain, context: ScoringContext, columns: string): boolean {
  const { data, dataDir, entry, notes } = context;
  if (hasOwnRows(data, entry)) return true;
  const name = lastName(given.type);
  const needs = `provide rows with ${columns} with \`--data ${entry.abbr}=FILE\``;
  const isFound = dataDir !== undefined && publishedFiles(entry, resolve(dataDir)) !== undefined;
  if (isFound && !columns.startsWith('`test`')) {
    const text = `runs tests that are not in the published files: put HumanEvalPlus.jsonl of EvalPlus into the folder evalplus there, or ${needs}; answers are not scored`;
    notes.push({ name, text });
    return false;
  }
  notes.push({ name, text: `runs the tests of its rows: ${needs}`, isMinor: true });
  return true;
}

function evalplusFile({ data, dataDir, entry }: ScoringContext): string | undefined {
  return dataDir === undefined || hasOwnRows(data, entry)
    ? undefined
    : evalplusTestsIn(resolve(dataDir));
}

/** Where the options of dataset classes that ask in all orders stand. */
export const circularColumns: Readonly<Record<string, readonly string[]>> = {
  CircularCEvalDataset: [...'ABCD'],
  CircularMMLUDataset: [...'ABCD'],
  CircularCMMLUDataset: [...'ABCD'],
  CircularCSQADataset: [...'ABCDE'],
  CircularARCDataset: ['textA', 'textB', 'textC', 'textD'],
  CircularHSWAGDataset: [...'ABCD'],
  CircularOBQADataset: [...'ABCD'],
  CircularRaceDataset: [...'ABCD'],
  CircularXiezhiDataset: [...'ABCD'],
  CircularsiqaDataset: [...'ABC'],
  CircularPIQADataset: ['sol1', 'sol2'],
};

function nativeComponent(value: unknown, kind: ComponentKind, notes: Note[]): Plain | undefined {
  const given = asPlain(value);
  const type = lastName(given?.type);
  if (!given || type === '') return undefined;
  const own = Object.hasOwn(kind.known, type) ? kind.known[type] : undefined;
  if (own) {
    const keys = Object.keys(own.options.shape).filter((key) => key !== 'type');
    noteDropped(given, keys, { type, notes });
    return { type, ...pickKeys(given, keys) };
  }
  const similar = /^`([\w-]+)`$/.exec(kind.similar[type] ?? '')?.[1];
  if (similar !== undefined) {
    notes.push({ name: type, text: `has no exact counterpart here; \`${similar}\` is similar` });
    return { type: similar };
  }
  const hint = kind.similar[type];
  notes.push({
    name: type,
    text:
      kind.kind === 'evaluator'
        ? `has no counterpart: answers are not scored${hint ? `; see ${hint}` : ''}`
        : `has no counterpart${hint ? ` (see ${hint})` : ''}, so answers would be scored without it`,
  });
  return undefined;
}

/** What changes no score. */
const idle = [
  'type',
  'pred_postprocessor',
  'keep_predictions',
  'answer_index_modifier',
  'self_consistency_n',
];

function noteDropped(
  given: Plain,
  keys: readonly string[],
  { type, notes }: { readonly type: string; readonly notes: Note[] },
): void {
  const dropped = Object.keys(given).filter((key) => !idle.includes(key) && !keys.includes(key));
  if (dropped.length > 0)
    notes.push({ name: type, text: `would be used without \`${dropped.join('`, `')}\`` });
}
