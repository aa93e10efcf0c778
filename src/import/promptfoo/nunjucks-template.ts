import { createContext, Script } from 'node:vm';
import nunjucks, { type Node, type Root } from 'nunjucks';
import type { Plain } from '../plain-value.ts';
import { boundedEnvironment, boundedRuntime } from './nunjucks-bounds.ts';

/** A text of promptfoo with variables. */
export interface NunjucksTemplate {
  /** Throws an error that says what is wrong with it. */
  render(variables: Plain): string;
}

/** Longer ones are no prompts. */
const longestTemplate = 1_000_000;
const mostMs = 5000;

const compiled = new Map<string, NunjucksTemplate>();
const mostCompiled = 500;

/** Compiles a text as promptfoo does; it reaches its variables alone, and neither files nor the process. */
export function compileNunjucks(source: string): NunjucksTemplate {
  const known = compiled.get(source);
  if (known) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const made = told(() => compile(source));
  compiled.set(source, made);
  return made;
}

function compile(source: string): NunjucksTemplate {
  if (source.length > longestTemplate) throw new Error('it is too long');
  const tree = nunjucks.parser.parse(source, [], boundedEnvironment.opts);
  const parts = new Set<string>();
  look(tree, parts);
  const isProgram = ['For', 'Macro', 'Caller', 'Set', 'FunCall', 'RegExp'].some((part) =>
    parts.has(part),
  );
  const code = nunjucks.compiler.compile(source, [], [], 'template', boundedEnvironment.opts);
  const { root } = new Function(code)() as { readonly root: Root };
  return {
    render(variables) {
      // Methods may change lists, and other prompts have the same ones.
      const own = isProgram ? copied(variables) : variables;
      const run = () => runRoot(root, own);
      return told(isProgram ? () => timed(run) : run);
    },
  };
}

function copied(variables: Plain): Plain {
  try {
    return structuredClone(variables);
  } catch {
    return variables;
  }
}

const files = ['Include', 'Import', 'FromImport', 'Extends', 'TemplateRef'];
const asynchronous = ['AsyncEach', 'AsyncAll', 'IfAsync', 'FilterAsync'];
const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Notes the kinds of nodes, and refuses those that would reach further than variables. */
function look(node: unknown, parts: Set<string>): void {
  if (Array.isArray(node)) {
    for (const one of node) look(one, parts);
    return;
  }
  if (!isNode(node)) return;
  const { typename } = node;
  parts.add(typename);
  if (files.includes(typename))
    throw new Error('it reads another template, which is not supported');
  if (asynchronous.includes(typename)) throw new Error('asynchronous tags are not supported');
  if (node.value instanceof RegExp) parts.add('RegExp');
  if (typename === 'Symbol' && !identifier.test(String(node.value)))
    throw new Error(`\`${node.value}\` is not a name`);
  if (typename === 'FunCall') requirePlainName(node.name);
  for (const field of new Set(['children', ...node.fields])) look(node[field], parts);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'typename' in value;
}

/** What is called stands in the compiled code as a text. */
function requirePlainName(node: unknown): void {
  if (Array.isArray(node)) for (const one of node) requirePlainName(one);
  if (!isNode(node)) return;
  if (node.typename === 'Literal' && /["\\\r\n\u2028\u2029]/.test(String(node.value)))
    throw new Error('it calls something by a text that is not a name');
  for (const field of new Set(['children', ...node.fields])) requirePlainName(node[field]);
}

function runRoot(root: Root, variables: Plain): string {
  const frame = new nunjucks.runtime.Frame();
  frame.topLevel = true;
  let rendered = '';
  root(boundedEnvironment, contextOf(variables), frame, boundedRuntime(), (error, text) => {
    if (error) throw error;
    rendered = text ?? '';
  });
  return rendered;
}

/** Names without a value are nothing, those that every object has too. */
function contextOf(variables: Plain): object {
  const known: Record<string, unknown> = Object.assign(Object.create(null), variables);
  return {
    env: boundedEnvironment,
    lookup: (name: string) => (name in known ? known : boundedEnvironment.globals)[name],
    setVariable(name: string, value: unknown) {
      known[name] = value;
    },
    getVariables: () => known,
    addExport: () => undefined,
  };
}

const context = createContext(Object.create(null));
const script = new Script('run()');

/** Endless loops and patterns are ended. */
function timed(run: () => string): string {
  context.run = run;
  try {
    return script.runInContext(context, { timeout: mostMs }) as string;
  } catch (error) {
    const isTimeout = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isTimeout ? new Error(`it takes more than ${mostMs / 1000} s`) : error;
  }
}

/** An error with one line that says what is wrong. */
function told<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof RangeError || /RangeError/.test(text))
      throw new Error('it is nested too deeply, or too long');
    const line = text
      .replace(/^\(unknown path\)\s*/, '')
      .replace(/^(?:Template render )?[Ee]rror:\s*/, '');
    throw new Error(line.trim().split('\n').join(' '));
  }
}
