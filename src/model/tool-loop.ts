import { toPlain } from '../prompt/mapping.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import type { ToolCall, WireToolCall } from '../prompt/tool-call.ts';
import type { Row } from '../prompt/values.ts';
import type {
  AnswerStep,
  GenerateOptions,
  GenerateRequest,
  GenerateResult,
  Model,
  ToolResult,
} from './model.ts';
import type { ToolLoop } from './tool.ts';
import type { Usage } from './usage.ts';

/** Asks until the model calls no more tools, or as often as it may. */
export async function askWithTools(
  model: Model,
  { loop, ...request }: GenerateRequest & { readonly loop: ToolLoop },
  options: GenerateOptions,
): Promise<GenerateResult> {
  const steps: AnswerStep[] = [];
  const startedAt = performance.now();
  let last: GenerateResult;
  let asked: GenerateRequest = request;
  for (;;) {
    last = await model.generate(asked, options);
    const { text, finishReason, toolCalls, usage, totalMs } = last;
    const step = { text, finishReason, toolCalls, usage, ms: Math.round(totalMs) };
    const isOver = !goesOn(toolCalls, loop) || steps.length + 1 >= loop.maxTurns;
    if (isOver || !toolCalls) {
      steps.push(step);
      break;
    }
    const results = await Promise.all(
      toolCalls.map((call) => runTool(call, { loop, row: request.row, signal: options.signal })),
    );
    options.signal.throwIfAborted();
    steps.push({ ...step, results });
    asked = requestAfter(request, steps);
    await options.onRequest?.();
  }
  if (steps.length === 1) return last;
  const toolCalls = steps.flatMap((step) => step.toolCalls ?? []);
  return {
    ...last,
    toolCalls,
    usage: sumOf(steps),
    totalMs: performance.now() - startedAt,
    steps,
  };
}

/** What is asked once tools have given their results: the request with these steps below it. */
export function requestAfter(
  request: GenerateRequest,
  steps: readonly AnswerStep[],
): GenerateRequest {
  const messages = [messagesOf(request.prompt), ...steps.map(messagesOfStep)].flat();
  return { ...request, prompt: { type: 'messages', messages }, body: undefined };
}

function messagesOfStep({ text, toolCalls = [], results = [] }: AnswerStep): readonly Message[] {
  const calls = wireCalls(toolCalls);
  return [
    { role: 'assistant', content: text, tool_calls: calls },
    ...results.map(
      ({ content }, index): Message => ({
        ...{ role: 'tool', content, tool_call_id: calls[index]?.id ?? '' },
      }),
    ),
  ];
}

/** A tool that nobody named is answered with an error; one without a function ends the answer. */
function goesOn(calls: readonly ToolCall[] | undefined, { tools }: ToolLoop): boolean {
  if (!calls || calls.length === 0) return false;
  return calls.every(({ name }) => {
    const tool = tools.find((one) => one.name === name);
    return !tool || tool.run !== undefined;
  });
}

interface Running {
  readonly loop: ToolLoop;
  readonly row: Row | undefined;
  readonly signal: AbortSignal;
}

async function runTool(
  { name, arguments: given }: ToolCall,
  { loop, row = {}, signal }: Running,
): Promise<ToolResult> {
  const tool = loop.tools.find((one) => one.name === name);
  if (!tool?.run) {
    const names = loop.tools.map((one) => one.name).join(', ');
    return { name, content: `Error: unknown tool ${name}, only ${names}`, failed: true };
  }
  try {
    const value = await tool.run(given as never, { row: toPlain(row) as Row, signal });
    return { name, content: typeof value === 'string' ? value : JSON.stringify(value ?? null) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { name, content: `Error: ${reason}`, failed: true };
  }
}

function messagesOf(prompt: Prompt): readonly Message[] {
  return prompt.type === 'messages' ? prompt.messages : [{ role: 'user', content: prompt.text }];
}

/** The calls as they are sent back, in the message of the assistant that made them. */
function wireCalls(calls: readonly ToolCall[]): readonly WireToolCall[] {
  return calls.map(({ id, name, arguments: given }, index) => ({
    id: id ?? `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
}

/** What all requests took; nothing of a kind that one of them does not tell. */
function sumOf(steps: readonly AnswerStep[]): Usage | undefined {
  const sum = (of: (usage: Usage) => number | undefined) =>
    steps.reduce<number | undefined>((total, { usage }) => {
      const own = usage && of(usage);
      return total === undefined || own === undefined ? undefined : total + own;
    }, 0);
  const inputTokens = sum((usage) => usage.inputTokens);
  const outputTokens = sum((usage) => usage.outputTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedTokens: sum((usage) => usage.cachedTokens) };
}
