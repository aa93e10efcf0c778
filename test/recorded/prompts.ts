import { loadChatTemplate } from '../../src/chat-template/load.ts';
import { answerLead } from '../../src/prompt/answer-lead.ts';
import { type ChatProgram, chatOfMessages, chatOfTemplate } from '../../src/prompt/chat.ts';
import {
  checkFields,
  checkInput,
  checkValues,
  kindOf,
  namedFields,
  requiredFieldNames,
} from '../../src/prompt/diagnostics.ts';
import { chatApiFormat, formatOf, type ModelFormat, plainFormat } from '../../src/prompt/format.ts';
import { formatStops } from '../../src/prompt/format-stops.ts';
import { parseTemplate } from '../../src/prompt/parse-template.ts';
import {
  type Content,
  contentText,
  identifyMessages,
  plainParts,
  textOnly,
} from '../../src/prompt/parts/content.ts';
import { showPromptTags, showTracedTags } from '../../src/prompt/parts/hidden-tags.ts';
import {
  compileLabelPrompts,
  compilePrompt,
  type PromptProgram,
  type PromptSettings,
  showsMedia,
} from '../../src/prompt/program.ts';
import { type Prompt, untrace } from '../../src/prompt/prompt.ts';
import { plainPromptList, tracePromptList } from '../../src/prompt/prompt-list.ts';
import { createShotPool, fillPrompt, tracePrompt } from '../../src/prompt/render.ts';
import { shotsAs } from '../../src/prompt/shots-as.ts';
import type { ShotsAs } from '../../src/prompt/template.ts';
import { afterSpaces, compileTurns, rowOfTurns } from '../../src/prompt/turns.ts';
import type { Row } from '../../src/prompt/values.ts';
import { plain, refusal, short } from './lines.ts';

/** Templates, the format of a model, and rows: the first is asked, the others are its examples. */
export interface Asked {
  readonly settings: Omit<PromptSettings, 'format' | 'shotsAs'>;
  readonly format?: unknown;
  readonly mode?: 'gen' | 'ppl' | 'labels' | 'turns' | 'chat';
  readonly shotsAs?: ShotsAs;
  readonly rows: readonly Row[];
  readonly labels?: readonly unknown[];
  /** The roles of a chat that stands in a column, instead of turns of the template. */
  readonly roles?: readonly string[];
}

/** All that the prompts are and say of themselves; or the message that refuses them. */
export function promptsOf(asked: Asked): unknown {
  const { mode = 'gen', labels, rows } = asked;
  return attempt(() => {
    const settings: PromptSettings = {
      ...asked.settings,
      format: readFormat(asked.format),
      ...(asked.shotsAs && { shotsAs: shotsAs(asked.shotsAs) }),
    };
    const stops = formatStops(
      settings.format ?? plainFormat,
      asked.settings.promptTemplate?.template,
    );
    if (mode === 'labels') {
      return compileLabelPrompts(settings, labels).map(({ label, program }) => [
        label,
        showAll(program, rows),
      ]);
    }
    if (mode === 'turns') return [stops, ...showTurns(settings, rows)];
    if (mode === 'chat') return [stops, ...showChat(settings, asked)];
    return [stops, showAll(compilePrompt(settings, mode), rows)];
  });
}

function showTurns(settings: PromptSettings, [row = {}]: readonly Row[]): unknown[] {
  return (['model', 'data'] as const).map((earlier) => {
    const program = compileTurns(settings, earlier);
    const whole = rowOfTurns(row, { columns: program.columns, turns: 2, media: program.media });
    return [
      program.columns,
      program.saysAnswers,
      ...[0, 1].map((turn) => showAll(program.programOf(turn, whole), [whole])),
    ];
  });
}

function showChat(settings: PromptSettings, { roles, rows: [row = {}] }: Asked): unknown[] {
  const { outputColumn, maskToken, keepTrailingSpaces, format = plainFormat } = settings;
  const template = parseTemplate(settings.promptTemplate ?? {}, ['prompt_template']);
  const chat = { template, format, outputColumn, maskToken, keepTrailingSpaces };
  const program: ChatProgram = roles
    ? chatOfMessages(chat, { column: 'list', roles })
    : chatOfTemplate(chat, 2);
  const columns = ['list', ...Object.keys(row)];
  const whole = rowOfTurns(row, { columns, turns: Math.max(2, roles?.length ?? 0) });
  const answered = program.answers.map(({ field }, index) => [field, `  said ${index}`]);
  const said = { ...whole, ...Object.fromEntries(answered) };
  return program.answers.map(({ field, turn, said: printed, isGold }, answer) => [
    field,
    turn,
    isGold,
    attempt(() => fillPrompt(printed, whole)),
    ...(['model', 'data'] as const).map((earlier) =>
      showAll(program.programOf(answer, earlier), [earlier === 'model' ? said : whole]),
    ),
  ]);
}

function showAll(program: PromptProgram, [row = {}, ...examples]: readonly Row[]): unknown {
  const named = { id: 0, row };
  const pool = createShotPool(
    program,
    examples.map((example, index) => ({ id: index + 1, row: example })),
  );
  const shots = pool?.take(examples.map((_, index) => index));
  const remarks = [
    program.diagnostics,
    checkFields(program, Object.keys(row)),
    checkValues(program, row),
    checkInput(program),
  ];
  const part = (step: () => unknown) => short(plain(attempt(step)), 400);
  return {
    diagnostics: short(JSON.parse(JSON.stringify(remarks)), 1500),
    notes: remarks.flat().filter((remark) => kindOf(remark) === 'note').length,
    names: [namedFields(program), requiredFieldNames(program.body), showsMedia(program)],
    filled: short(plain(attempt(() => showPromptTags(fillPrompt(program, row, shots)))), 1500),
    spans: part(() => showTracedTags(tracePrompt(program, named, shots))),
    said: part(() => saidBy(untrace(tracePrompt(program, named, shots)))),
    fewer: shots && part(() => fillPrompt(program, row, pool?.take([0]))),
    none: part(() => fillPrompt(program, row, pool?.take([]))),
    lead: part(() => answerLead(program, named, shots)),
    list: part(() => plainPromptList(tracePromptList(program, named, shots))),
    dropped: [program.droppedSpaces, afterSpaces('  an answer', program)],
  };
}

/** What a prompt says, in each of the ways in which prompts are shown and told from each other. */
function saidBy(prompt: Prompt): unknown {
  if (prompt.type === 'text') return prompt;
  const forms = ({ content }: { readonly content: Content }) => [
    contentText(content),
    ...(typeof content === 'string' ? [] : [textOnly(content), plainParts(content)]),
  ];
  return [prompt.messages.map(forms), identifyMessages(prompt.messages), Object.keys(prompt)];
}

function readFormat(format: unknown): ModelFormat {
  if (format === undefined || format === 'plain') return plainFormat;
  if (format === 'chat') return chatApiFormat;
  if (format === 'prefill') return { ...chatApiFormat, prefill: true } as ModelFormat;
  const { jinja, chat, ...rest } = Object(format) as Record<string, unknown>;
  if (chat) return formatOf({ takes: 'messages', metaTemplate: rest, path: ['meta_template'] });
  if (typeof jinja !== 'string') {
    return formatOf({ takes: 'text', metaTemplate: format, path: ['meta_template'] });
  }
  const template = loadChatTemplate({ chat_template: jinja, bos_token: '<s>', eos_token: '</s>' });
  const { meta, ...others } = rest;
  return formatOf({
    takes: 'text',
    path: ['meta_template'],
    metaTemplate: meta,
    chatTemplate: { template, ...others },
  });
}

function attempt(step: () => unknown): unknown {
  try {
    return step();
  } catch (error) {
    return refusal(error);
  }
}
