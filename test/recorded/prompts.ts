import { answerLead } from '../../src/prompt/answer-lead.ts';
import { checkFields, checkValues } from '../../src/prompt/diagnostics.ts';
import { chatApiFormat, formatOf, type ModelFormat, plainFormat } from '../../src/prompt/format.ts';
import {
  compileLabelPrompts,
  compilePrompt,
  type PromptProgram,
  type PromptSettings,
} from '../../src/prompt/program.ts';
import { plainPromptList, tracePromptList } from '../../src/prompt/prompt-list.ts';
import { createShotPool, fillPrompt, tracePrompt } from '../../src/prompt/render.ts';
import { shotsAs } from '../../src/prompt/shots-as.ts';
import type { ShotsAs } from '../../src/prompt/template.ts';
import { compileTurns, rowOfTurns } from '../../src/prompt/turns.ts';
import type { Row } from '../../src/prompt/values.ts';

/** Templates, the format of a model, and rows: the first is asked, the others are its examples. */
export interface Asked {
  readonly settings: Omit<PromptSettings, 'format' | 'shotsAs'>;
  readonly format?: unknown;
  readonly mode?: 'gen' | 'ppl' | 'labels' | 'turns';
  readonly shotsAs?: ShotsAs;
  readonly rows: readonly Row[];
  readonly labels?: readonly unknown[];
}

/** All that the prompts are and say of themselves; or the message that refuses them. */
export function promptsOf(asked: Asked): unknown {
  const { mode = 'gen', labels, rows } = asked;
  const [row = {}] = rows;
  return attempt(() => {
    const settings: PromptSettings = {
      ...asked.settings,
      format: readFormat(asked.format),
      ...(asked.shotsAs && { shotsAs: shotsAs(asked.shotsAs) }),
    };
    if (mode === 'labels') {
      return compileLabelPrompts(settings, labels).map(({ label, program }) => [
        label,
        showAll(program, rows),
      ]);
    }
    if (mode !== 'turns') return showAll(compilePrompt(settings, mode), rows);
    return (['model', 'data'] as const).map((earlier) => {
      const program = compileTurns(settings, earlier);
      const whole = rowOfTurns(row, { columns: program.columns, turns: 2, media: program.media });
      return [
        program.columns,
        program.saysAnswers,
        ...[0, 1].map((turn) => showAll(program.programOf(turn, whole), [whole])),
      ];
    });
  });
}

function showAll(program: PromptProgram, [row = {}, ...examples]: readonly Row[]): unknown {
  const named = { id: 0, row };
  const pool = createShotPool(
    program,
    examples.map((example, index) => ({ id: index + 1, row: example })),
  );
  const shots = pool?.take(examples.map((_, index) => index));
  return {
    diagnostics: [
      program.diagnostics,
      checkFields(program, Object.keys(row)),
      checkValues(program, row),
    ].map((list) => JSON.parse(JSON.stringify(list))),
    filled: attempt(() => fillPrompt(program, row, shots)),
    spans: attempt(() => tracePrompt(program, named, shots)),
    lead: attempt(() => answerLead(program, named, shots)),
    list: attempt(() => plainPromptList(tracePromptList(program, named, shots))),
    dropped: program.droppedSpaces,
  };
}

function readFormat(format: unknown): ModelFormat {
  if (format === undefined || format === 'plain') return plainFormat;
  if (format === 'chat') return chatApiFormat;
  if (format === 'prefill') return { ...chatApiFormat, prefill: true } as ModelFormat;
  return formatOf({ takes: 'text', metaTemplate: format, path: ['meta_template'] } as never);
}

function attempt(step: () => unknown): unknown {
  try {
    return step();
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
