import { ConfigError, DataError, formatPath } from '../../errors.ts';
import { checkFields, type Diagnostic } from '../../prompt/diagnostics.ts';
import { hasMedia } from '../../prompt/lay-out.ts';
import { programFor } from '../../prompt/plan.ts';
import { type Prompt, untrace } from '../../prompt/prompt.ts';
import { tracePromptList } from '../../prompt/prompt-list.ts';
import { fillPrompt, tracePrompt } from '../../prompt/render.ts';
import { afterSpaces } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';
import { givesShots, type Query } from '../../retrieve/retriever.ts';
import type { DialogueSoFar } from '../../score/scorer.ts';
import type { PartRequest } from '../inference.ts';
import { columnsOf, type PromptData, type PromptSetup } from '../prompt-setup.ts';
import { type ChatOfRow, chatReader, textOf } from './chat-of-row.ts';
import { turnCombiner } from './combine-turns.ts';
import { type DialogueTurns, spokenAnswer } from './multi-turn-inference.ts';
import { turnRequest } from './turn-request.ts';
import { messagesOf, questionsIn } from './turns-of-row.ts';

/** Asks about the chat that a row holds, at each place where the model is to answer, or at the last one. */
export function chatDialogue(task: PromptSetup, data: PromptData): DialogueTurns {
  refuseExamples(task);
  const { inferMode = 'last', maxOutLens } = task.inferencer;
  const { template, chatOf } = chatReader(task, data);
  const earlier = inferMode === 'every' ? 'model' : 'data';
  const askedIn = ({ program }: ChatOfRow): number[] => {
    const all = program.answers.map((_, index) => index);
    return inferMode === 'last' ? all.slice(-1) : all;
  };
  const rowFor = ({ row, program }: ChatOfRow, answers: readonly string[]): Row => {
    const said = answers.map((answer, index) => [
      program.answers[index]?.field,
      afterSpaces(answer, programFor(program.programOf(index, earlier), row)),
    ]);
    return earlier === 'model' ? { ...row, ...Object.fromEntries(said) } : row;
  };
  const dialogueOf = (chat: ChatOfRow, turn: number, said: SaidSoFar): DialogueSoFar => {
    const messages = chat.messagesBefore?.(turn);
    const questions = questionsIn(messages ?? messagesOf(said.prompt), turn + 1);
    return {
      messages,
      before: chat.program.answers.slice(0, turn).map((answer, place) => ({
        row: chat.rowOf(place),
        gold: chat.goldOf(place, false),
        answer: earlier === 'model' ? (said.answers[place] ?? '') : textOf(answer, chat.row),
        question: questions[place],
      })),
      question: questions[turn],
      isLast: askedIn(chat).at(-1) === turn,
      whole: { row: chat.whole, turns: chat.turns },
    };
  };
  const partOf = (query: Query, { chat, turn, row, answers }: AskedTurn): PartRequest => {
    const prompt = fillPrompt(chat.program.programOf(turn, earlier), row);
    return {
      ...turnRequest(task, { turn, prompt, row: query.row, followsModel: earlier === 'model' }),
      row: chat.rowOf(turn),
      gold: chat.goldOf(turn, inferMode === 'last'),
      dialogue: dialogueOf(chat, turn, { prompt, answers }),
    };
  };
  const nextOf = (query: Query, answers: readonly string[]) => {
    const chat = chatOf(query);
    const turn = askedIn(chat)[answers.length];
    if (turn === undefined) return [];
    const said = answers.map((answer) => spokenAnswer(answer, task.model));
    const row = rowFor(chat, said);
    return [{ chat, turn, row, part: partOf(query, { chat, turn, row, answers: said }) }];
  };
  const promptsOf = (query: Query) => {
    const chat = chatOf(query);
    const row = rowFor(
      chat,
      chat.program.answers.map((_, turn) => `⟨answer ${turn + 1}⟩`),
    );
    return askedIn(chat).map((turn) => fillPrompt(chat.program.programOf(turn, earlier), row));
  };
  /** What the model's format makes of the first chat; one that cannot be read says so when it is asked about. */
  const remarksOf = ({ test: [first] }: PromptData): readonly Diagnostic[] => {
    if (!first) return [];
    try {
      const chat = chatOf({ ...first, position: 0 });
      return askedIn(chat)
        .slice(-1)
        .flatMap((turn) => chat.program.programOf(turn, earlier).diagnostics);
    } catch (error) {
      if (error instanceof DataError) return [];
      throw error;
    }
  };
  return {
    showsMedia: hasMedia(template.body),
    diagnostics: [
      ...remarksOf(data),
      ...(template.body.type === 'labels'
        ? []
        : checkFields(
            {
              template,
              iceTemplate: undefined,
              body: template.body,
              outputColumn: task.outputColumn,
            },
            columnsOf({ test: data.test, train: [] }),
            task.inputColumns.length > 0 ? task.inputColumns : undefined,
          )),
    ],
    promptsOf,
    inference: {
      type: 'composite',
      identityOf: (query) => JSON.stringify({ inferMode, maxOutLens, prompts: promptsOf(query) }),
      next: (query, answers) => nextOf(query, answers).map(({ part }) => part),
      traceNext: (query, answers) =>
        nextOf(query, answers).map(({ chat, turn, row, part }) => {
          const program = chat.program.programOf(turn, earlier);
          const named = { id: query.id, row };
          const prompt = tracePrompt(program, named);
          const request = { ...part.request, prompt: untrace(prompt) };
          const texts = [{ list: tracePromptList(program, named), prompt }];
          return { ...part, request, examples: [], texts };
        }),
      combine: turnCombiner(task.inferencer),
    },
  };
}

interface SaidSoFar {
  readonly prompt: Prompt;
  readonly answers: readonly string[];
}

interface AskedTurn {
  readonly chat: ChatOfRow;
  readonly turn: number;
  readonly row: Row;
  readonly answers: readonly string[];
}

function refuseExamples({ retriever, iceTemplate }: PromptSetup): void {
  if (!givesShots(retriever) && !iceTemplate) return;
  const path = iceTemplate?.source ?? retriever.source;
  throw new ConfigError(
    'template.chat_examples',
    `${formatPath(path)}: ChatInferencer shows no examples`,
    {
      path,
      hint: 'Write them as turns of the chat, or use GenInferencer.',
    },
  );
}
