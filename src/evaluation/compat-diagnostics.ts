import { baseColumns } from '../compat/data/base-columns.ts';
import { TemplateError } from '../errors.ts';
import { bindAnswer } from '../prompt/answer.ts';
import {
  checkFields,
  type Diagnostic,
  noInput,
  unknownTokenColumns,
} from '../prompt/diagnostics.ts';
import { entriesOf, isMapping } from '../prompt/mapping.ts';
import type { FieldNode, Node } from '../prompt/node.ts';
import { parseColumnTokens, parseTemplate } from '../prompt/parse-template.ts';
import { scan } from '../prompt/scan.ts';
import type { SingleBody } from '../prompt/template.ts';
import { answerHoles } from './answer-place.ts';
import {
  columnsOf,
  comparesLabels,
  type LocatedTemplate,
  type PromptData,
  type PromptSetup,
} from './prompt-setup.ts';

/** What may be wrong with templates that other systems fill in without a word. */
export function compatDiagnostics(task: PromptSetup, data: PromptData): Diagnostic[] {
  const asked = task.promptTemplate ?? task.iceTemplate;
  if (!asked || data.test.length === 0) return [];
  const known = [columnsOf(data), baseColumns, task.inputColumns, task.outputColumn ?? []];
  const columns = [...new Set(known.flat())];
  const templates = [...new Set([asked, task.iceTemplate])].filter((one) => one !== undefined);
  const found = templates.flatMap((template) => namesIn(template, columns, task.outputColumn));
  const fillsNothing = !fieldsOf(asked).some(({ name }) => name !== task.outputColumn);
  return [
    ...found,
    ...(fillsNothing && !isChat(task) ? [noInput(asked.source)] : []),
    ...(comparesLabels(task) || isChat(task) ? [] : holesIn(asked, task)),
  ];
}

/** Chats are in the data, whole. */
function isChat({ inferencer }: PromptSetup): boolean {
  return inferencer.type === 'ChatInferencer';
}

/** Parts of media stand for what the row's own tags name. */
const slots: ReadonlySet<string> = new Set(['question', 'text', 'image', 'audio', 'video']);

function namesIn(
  template: LocatedTemplate,
  columns: readonly string[],
  outputColumn: string | undefined,
): Diagnostic[] {
  const hasSlots = template.config.type === 'MMPromptTemplate';
  const nodes = nodesIn(template).filter(
    (node) => !(hasSlots && node.type === 'field' && slots.has(node.name)),
  );
  const body = { type: 'string', nodes } as const;
  const { source: path } = template;
  return [
    ...checkFields(
      { template: { body, path, iceToken: undefined }, iceTemplate: undefined, body, outputColumn },
      columns,
    ),
    ...unknownTokenColumns({ columnTokens: tokensOf(template), path }, columns),
  ];
}

function fieldsOf(template: LocatedTemplate): FieldNode[] {
  return nodesIn(template).filter((node) => node.type === 'field');
}

function tokensOf({ config, source }: LocatedTemplate) {
  const iceToken = typeof config.ice_token === 'string' ? config.ice_token : undefined;
  return parseColumnTokens(config.column_token_map, iceToken, [...source, 'column_token_map']);
}

/** All texts of a template, cut at columns in braces and at tokens that stand for columns. */
function nodesIn(template: LocatedTemplate): Node[] {
  const { config, source } = template;
  const columnTokens = tokensOf(template);
  const key = config.messages === undefined ? 'template' : 'messages';
  return [...textsIn(config[key], [...source, key])].flatMap(({ text, path }) => [
    ...scan(text, path, {}),
    ...(columnTokens ? scan(text, path, { columnTokens }) : []),
  ]);
}

function* textsIn(
  value: unknown,
  path: LocatedTemplate['source'],
): Generator<{ readonly text: string; readonly path: LocatedTemplate['source'] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value)) {
    for (const [index, own] of value.entries()) yield* textsIn(own, [...path, index]);
  } else if (isMapping(value)) {
    for (const [key, own] of entriesOf(value)) yield* textsIn(own, [...path, String(key)]);
  }
}

/** Turns whose answer is hidden, where our own rules can read the template. */
function holesIn({ config, source }: LocatedTemplate, task: PromptSetup): Diagnostic[] {
  if (config.type === 'MultiTurnPromptTemplate') return [];
  let body: SingleBody;
  try {
    const parsed = parseTemplate(config, source).body;
    if (parsed.type === 'labels') return [];
    body = parsed;
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
  const token = task.inferencer.genFieldReplaceToken ?? '';
  const hidden = bindAnswer(body, task.outputColumn, { type: 'masked', token });
  return answerHoles(hidden);
}
