import type { ToolCall } from '../../prompt/tool-call.ts';
import { compileSchema, loadSchemaValidator } from '../../score/checks/schema-validator.ts';
import { asPlain } from '../plain-value.ts';

/** The harmonic mean of precision and recall over the names of tools. */
export function callF1(called: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  const matches = [...wanted].filter((name) => called.has(name)).length;
  return matches === 0 ? 0 : (2 * matches) / (called.size + wanted.size);
}

/** The names of the tools that an answer calls, by what it says of them. */
export function calledNames(output: unknown): ReadonlySet<string> {
  if (typeof output === 'string') return namesInText(output);
  const whole = asPlain(output);
  const list = Array.isArray(output) ? output : (whole?.tool_calls ?? [whole]);
  const names = (Array.isArray(list) ? list : []).map((entry) => {
    const call = asPlain(entry);
    const inner = asPlain(call?.function) ?? asPlain(call?.functionCall) ?? call;
    return inner?.name;
  });
  return new Set(names.filter((name): name is string => typeof name === 'string'));
}

/** Calls that stand in the text: all of it, or lines of JSON. */
function namesInText(text: string): ReadonlySet<string> {
  const whole = parsed(text);
  if (whole !== undefined) return typeof whole === 'string' ? new Set() : calledNames(whole);
  const lines = text.split('\n').filter((line) => /^\s*[[{]/.test(line));
  return new Set(lines.flatMap((line) => [...calledNames(parsed(line) ?? null)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with calls of tools, by what the tools take; undefined where nothing is. */
export async function callFault(
  calls: readonly ToolCall[],
  tools: readonly unknown[],
): Promise<string | undefined> {
  if (calls.length === 0) return 'no tool was called';
  await loadSchemaValidator();
  for (const { name, arguments: given } of calls) {
    const known = tools.map((one) => asPlain(asPlain(one)?.function) ?? asPlain(one));
    const schema = asPlain(known.find((one) => one?.name === name)?.parameters);
    if (!schema) return `there is no tool \`${name}\``;
    const [fault] = compileSchema(schema, ['tools'])(given);
    if (fault !== undefined) return `the call of \`${name}\` does not fit: ${fault}`;
  }
  return undefined;
}
