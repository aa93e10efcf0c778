import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { isDeeperThan, maxNesting, tooDeep } from '../../data/json-reader.ts';
import { type ConfigPath, TypecaseError } from '../../errors.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import { type Code, importCode, isCodeFile } from './import-code.ts';
import { keptIfPartial, renderedVariables } from './promptfoo-variables.ts';
import {
  filePath,
  filesOf,
  parseData,
  type Reading,
  readText,
  refuse,
  refuseKeys,
  render,
  renderAll,
} from './reading.ts';

/** A prompt of the config: a text with variables, or a function of them. */
export interface PromptSource {
  readonly label?: string | undefined;
  readonly raw?: string | undefined;
  readonly code?: Code | undefined;
  readonly path: ConfigPath;
}

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** Reads `prompts`: texts, files, and lists of them. */
export async function readPrompts(reading: Reading, given: unknown): Promise<PromptSource[]> {
  const at = ['prompts'];
  const isList = Array.isArray(given);
  const list = isList ? given : given === undefined ? [] : [given];
  if (list.length === 0) refuse(reading, [], { what: 'has no `prompts`' });
  const found: PromptSource[] = [];
  for (const [index, entry] of list.entries()) {
    found.push(...(await readPrompt(reading, entry, isList ? [...at, index] : at)));
  }
  return found;
}

async function readPrompt(
  reading: Reading,
  entry: unknown,
  path: ConfigPath,
): Promise<PromptSource[]> {
  if (typeof entry === 'string') return readSource(reading, entry, path);
  const mapping = asPlain(entry);
  if (!mapping) {
    refuse(reading, path, { what: 'is neither a text nor a mapping' });
    return [];
  }
  refuseKeys(reading, mapping, { path, known: ['id', 'raw', 'label', 'display'] });
  const text = mapping.raw ?? mapping.id;
  const label = mapping.label ?? mapping.display;
  if (typeof text !== 'string') {
    refuse(reading, path, { what: 'has neither a text `raw` nor an `id`' });
    return [];
  }
  const read = await readSource(reading, text, path);
  const named = label === undefined ? {} : { label: String(label) };
  return read.map((prompt) => ({ ...prompt, ...(read.length === 1 && named) }));
}

const fileEndings = ['.txt', '.md', '.j2', '.json', '.jsonl', '.yaml', '.yml'];

/** A text, or the prompts of the file that it names. */
async function readSource(
  reading: Reading,
  text: string,
  path: ConfigPath,
): Promise<PromptSource[]> {
  const isPath = !/[\n{]/.test(text) && /^[^\s]+\.\w{1,5}(?::\w+)?$/.test(text);
  const bare = isPath && existsSync(resolve(reading.folder, text)) ? text : undefined;
  const name = filePath(text) ?? bare;
  if (text.startsWith('exec:')) {
    refuse(reading, path, {
      what: 'runs a command, which is not supported',
      hint: 'Write the prompt as a function in a JavaScript or TypeScript file.',
    });
    return [];
  }
  if (name === undefined) return [{ raw: text, path }];
  const found: PromptSource[] = [];
  for (const file of filesOf(reading, name, path))
    found.push(...(await readPromptFile(reading, file, path)));
  return found;
}

async function readPromptFile(
  reading: Reading,
  name: string,
  path: ConfigPath,
): Promise<PromptSource[]> {
  if (isCodeFile(name)) {
    const code = await importCode(reading, name, path);
    return code ? [{ code, label: name, path }] : [];
  }
  const ending = extname(name).toLowerCase();
  if (!fileEndings.includes(ending)) {
    refuse(reading, path, {
      what: `names a prompt file of an unsupported kind: ${name}`,
      hint: `Prompt files are ${fileEndings.join(', ')}, and code in JavaScript and TypeScript.`,
    });
    return [];
  }
  const content = readText(reading, name, path);
  return content === undefined
    ? []
    : promptsIn(content, ending, reading).map((raw) => ({ raw, path }));
}

/** A file of plain text may hold several prompts, with lines of `---` between them. */
function promptsIn(content: string, ending: string, { file }: Reading): string[] {
  if (ending === '.txt') {
    return content
      .split(/^---[ \t]*$/m)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  if (ending === '.jsonl') return content.split('\n').filter((line) => line.trim() !== '');
  if (ending === '.yaml' || ending === '.yml') return [JSON.stringify(parseData(content, file))];
  return [content];
}

/** What is sent for a prompt and the variables of a test. */
export function messagesOf(
  reading: Reading,
  { raw, path }: { readonly raw: string; readonly path: ConfigPath },
  vars: Plain,
): readonly ChatMessage[] {
  const parsed = parsedJson(raw);
  if (isDeeperThan(maxNesting, parsed)) {
    refuse(reading, path, { what: `cannot be read: ${tooDeep}` });
    return [];
  }
  const text =
    parsed === undefined
      ? render(reading, keptIfPartial(raw), { vars: renderedVariables(reading, vars, path), path })
      : JSON.stringify(renderAll(reading, parsed, { vars, path }), null, 2);
  return chatMessages(reading, text, path);
}

/** A text is what the user says, unless it is a list of messages in JSON or YAML. */
function chatMessages(reading: Reading, text: string, path: ConfigPath): readonly ChatMessage[] {
  const found = text.trimStart().startsWith('- role:') ? yamlOf(text, reading) : parsedJson(text);
  if (!Array.isArray(found)) {
    if (typeof found === 'object' && found !== null) {
      refuse(reading, path, { what: 'gives a JSON object, not a list of messages' });
    }
    return [{ role: 'user', content: text }];
  }
  const isChat = found.every(
    (message) => typeof message?.role === 'string' && typeof message.content === 'string',
  );
  if (isChat) return found.map(({ role, content }) => ({ role, content }));
  refuse(reading, path, {
    what: 'has messages without a role and text',
    hint: 'Content parts and tool calls in messages are not supported.',
  });
  return [];
}

function yamlOf(text: string, { file }: Reading): unknown {
  try {
    return parseData(text, file);
  } catch (error) {
    if (TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
