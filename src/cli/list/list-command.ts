import { Argument, Command } from 'commander';
import { type NamedFormat, namedFormats } from '../../prompt/catalogue.ts';
import { formatOf } from '../../prompt/format.ts';
import { formatSummaries } from '../../prompt/format-summaries.ts';
import { compilePrompt } from '../../prompt/program.ts';
import { fillPrompt } from '../../prompt/render.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import { compileScorer } from '../../score/compile-scorer.ts';
import { splitAnswer } from '../../score/split-thought.ts';
import { type ListedPart, renderParts } from '../../terminal/list/render-parts.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import {
  type CatalogueEntry,
  type EvaluatorEntry,
  evaluators,
  postprocessors,
  retrievers,
} from './catalogues.ts';
import type { TaskListOptions } from './list-tasks.ts';

type Kind = 'tasks' | 'templates' | 'formats' | 'evaluators' | 'retrievers' | 'prompts';

/** `typecase list`: what configs can name. */
export async function runList(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeList(), args);
  if (!parsed) return 0;
  const [kind, files] = parsed.processedArgs as [Kind, readonly string[]];
  const { json, dialect } = parsed.opts<{ json?: boolean; dialect: string }>();
  const parts = await partsOf(kind, { files, dialect });
  if (json) writeJson('list', jsonParts(parts), 2);
  else {
    const lines = renderParts(parts, describeTerminal(process.stdout));
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return 0;
}

export function describeList(): Command {
  const kinds: readonly Kind[] = [
    'tasks',
    'templates',
    'formats',
    'evaluators',
    'retrievers',
    'prompts',
  ];
  return addExamples(
    new Command('typecase list')
      .description('Lists the names that configs can use, with examples.')
      .addArgument(new Argument('<kind>', 'what to list').choices(kinds))
      .argument(
        '[files...]',
        'tasks, templates: your own files and folders; prompts: Python configs',
      )
      .option('--dialect <name>', 'tasks, templates: upstream release to follow', 'main')
      .option('--json', 'print JSON'),
    [
      ['built-in tasks', 'typecase list tasks'],
      ['evaluators with examples', 'typecase list evaluators'],
    ],
  );
}

async function partsOf(kind: Kind, options: TaskListOptions): Promise<ListedPart[]> {
  switch (kind) {
    case 'prompts':
      return (await import('../../import/list-prompts.ts')).listedPrompts(options.files);
    case 'tasks':
      return (await import('./list-tasks.ts')).listedTasks(options);
    case 'templates':
      return (await import('./list-tasks.ts')).listedTemplates(options);
    case 'formats':
      return [
        { title: 'formats', use: 'meta_template: NAME', entries: namedFormats.map(listedFormat) },
      ];
    case 'evaluators':
      return [
        {
          title: 'evaluators',
          use: 'eval_cfg: { evaluator: { type: NAME } }',
          entries: evaluators.map(listedEvaluator),
        },
        {
          title: 'postprocessors',
          use: 'eval_cfg: { …, pred_postprocessor: { type: NAME } }',
          entries: postprocessors,
        },
      ];
    case 'retrievers':
      return [{ title: 'retrievers', use: 'retriever: { type: NAME }', entries: retrievers }];
  }
}

const dialogue: TemplateConfig = {
  template: {
    begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Be brief.' }],
    round: [
      { role: 'HUMAN', prompt: '1+1=?' },
      { role: 'BOT', prompt: '2' },
      { role: 'HUMAN', prompt: '2+2=?' },
      { role: 'BOT', prompt: '{answer}' },
    ],
  },
};

/** A format with a short dialogue written in it, by the engine itself. */
function listedFormat({ name }: NamedFormat) {
  const format = formatOf({ takes: 'text', metaTemplate: name, path: [] });
  const program = compilePrompt({ promptTemplate: dialogue, format, outputColumn: 'answer' });
  const prompt = fillPrompt(program, { answer: '' });
  const summary = formatSummaries[name] ?? '';
  return { name, summary, example: prompt.type === 'text' ? prompt.text : '' };
}

/** An evaluator with an answer and what it makes of it. */
function listedEvaluator({ example, ...entry }: EvaluatorEntry) {
  if (!example) return entry;
  const { answer, gold, options } = example;
  const scorer = compileScorer({ evaluator: { type: entry.name, ...options } });
  const outcome = scorer.score({ answer: splitAnswer(answer), gold, row: {} });
  const score = outcome.type === 'scored' ? outcome.value : null;
  return { ...entry, scored: { answer, gold, score, ...(options && { options }) } };
}

function jsonParts(
  parts: readonly ListedPart[],
): Record<string, readonly Partial<CatalogueEntry>[]> {
  return Object.fromEntries(parts.map(({ title, entries }) => [title, entries]));
}
