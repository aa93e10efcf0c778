import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { literalEval } from '../python/literal.ts';
import { needleTexts } from './needle-texts.ts';
import { asPlain, lastName, type Plain, toPlain } from './plain-value.ts';
import type { PythonLoader } from './python/load-python.ts';

/** The texts that dataset classes of a tree put into their prompts. */
export type TreeTexts = (entry: Plain) => Plain | undefined;

interface Tree {
  readonly text: (path: string) => string;
  readonly names: (path: string) => Plain;
}

const datasets = 'opencompass/datasets';

/** Settings for classes whose prompts are told by files of the tree beside them, by their names. */
const classTexts: Readonly<Record<string, (tree: Tree, entry: Plain) => Plain | undefined>> = {
  korbenchDataset(tree, { prompt_mode: mode, category }) {
    const path = `${datasets}/korbench/korbench_dataset_config/prompt/${mode}.yaml`;
    const key = mode === 'mixed' ? 'prompt_format' : `${category}_prompt_format`;
    return { template: [asPlain(parse(tree.text(path)))?.[key]].flat()[0] };
  },
  BabiLongDataset(tree, { task }) {
    const names = tree.names(`${datasets}/babilong/prompts.py`);
    const texts = asPlain(asPlain(names.DEFAULT_PROMPTS)?.[String(task)]);
    return { ...texts, template: names.DEFAULT_TEMPLATE };
  },
  LiveMathBenchDataset(tree) {
    const names = tree.names(`${datasets}/livemathbench/prompts.py`);
    return { prompt_en: names.PROMPT_EN, prompt_cn: names.PROMPT_CN };
  },
  NeedleBenchOriginDataset: needleClass,
  NeedleBenchParallelDataset: needleClass,
  NeedleBenchMultiDataset: needleClass,
  AALCRDataset(tree) {
    const source = tree.text('ais_bench/benchmark/datasets/aa_lcr.py');
    const [, text = ''] = /^JUDGE_PROMPT = ("""[\s\S]*?""")/m.exec(source) ?? [];
    return { judge_prompt: literalEval(text)?.value };
  },
  LCBCodeGenerationDataset(tree) {
    const source = tree.text(`${datasets}/livecodebench/prompts.py`);
    return {
      with_code: lineConstant(source, 'FORMATTING_MESSAGE_WITH_STARTER_CODE'),
      without_code: lineConstant(source, 'FORMATTING_WITHOUT_STARTER_CODE'),
    };
  },
};

/** NeedleBench, whose prompts stand in the code of the class, and those of its relatives in `atc.py`. */
function needleClass(tree: Tree, entry: Plain): Plain | undefined {
  const folder = String(entry.type).includes('needlebench_v2') ? 'needlebench_v2' : 'needlebench';
  const kind = /NeedleBench(\w+)Dataset/.exec(lastName(entry.type))?.[1]?.toLowerCase();
  const [source = '', relatives = ''] = [kind, 'atc'].map((name) =>
    tree.text(`${datasets}/${folder}/${name}.py`),
  );
  return needleTexts({ source, relatives, settings: entry });
}

/** The first constant of that name which is written in one line. */
function lineConstant(source: string, name: string): unknown {
  const line = new RegExp(`^\\s*${name} = (.*?)(?:\\s+# noqa.*)?$`, 'm').exec(source)?.[1];
  return line === undefined ? undefined : literalEval(line)?.value;
}

/** Finds them in the tree of a config; nothing where they are not there. */
export function treeTexts(root: string, loader: PythonLoader): TreeTexts {
  const tree: Tree = {
    text: (path) => readFileSync(join(root, path), 'utf8'),
    names: (path) => toPlain(loader.load(path).names) as Plain,
  };
  return (entry) => {
    const name = lastName(entry.type);
    if (!Object.hasOwn(classTexts, name)) return undefined;
    try {
      return classTexts[name]?.(tree, entry);
    } catch {
      return undefined;
    }
  };
}
