import type { ConfigPath } from '../../errors.ts';
import type { Plain } from '../plain-value.ts';
import { type Reading, render } from './reading.ts';

const bareSlot = /\{\{\s*(\w+)\s*\}\}/;
const mostRounds = 5;

/** Variables that name others by nothing but their names have these in their place, as tests and code see them. */
export function resolvedVariables(vars: Plain): Plain {
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(vars))
    resolved[name] = typeof value === 'string' ? value.replace(/\n$/, '') : value;
  for (let round = 0; round < mostRounds; round++) {
    let isDone = true;
    for (const [name, value] of Object.entries(resolved)) {
      const [slot = '', other = ''] = (typeof value === 'string' && bareSlot.exec(value)) || [];
      if (slot === '' || resolved[other] === undefined) continue;
      // A text: `$&` in it has its meaning there as well.
      resolved[name] = (value as string).replace(slot, String(resolved[other]));
      isDone = false;
    }
    if (isDone) break;
  }
  return resolved;
}

/** The variables as prompts in text are given them: those that are templates of known names, rendered. */
export function renderedVariables(reading: Reading, vars: Plain, path: ConfigPath): Plain {
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      typeof value === 'string' && namesKnown(value, vars)
        ? render(reading, keptIfPartial(value), { vars, path: [...path, 'vars', name] })
        : value,
    ]),
  );
}

const named = /\{\{\s*([^{}\s|]+)\s*(?:\|[^}]+)?\}\}|\{%\s*(?:if|for)\s+([^{}\s]+)\s*.*?%\}/g;
const loop = /\{%\s*for\s+(\w+)\s+in\s+(\w+)\s*%\}/g;

/** A text that only looks like a template is left as it is. */
function namesKnown(text: string, vars: Plain): boolean {
  if (!/\{[{%#]/.test(text)) return false;
  const source = text.replace(/\{#[\s\S]*?#\}/g, '');
  const names = new Set(Array.from(source.matchAll(named), ([, slot, tag]) => slot ?? tag ?? ''));
  for (const [, item = '', list = ''] of source.matchAll(loop)) {
    names.delete(item);
    names.add(list);
  }
  const roots = [...names].flatMap((name) => /^[A-Za-z_]\w*/.exec(name)?.[0] ?? []);
  return roots.every((name) => name === 'env' || vars[name] !== undefined);
}

/** A text with a tag that does not end on its line is no template there. */
export function keptIfPartial(text: string): string {
  const isPartial = /(?:\{%[^%]*$|\{\{[^}]*$|\{#[^#]*$)/m.test(text);
  const isRaw = /\{%\s*raw\s*%\}/.test(text) && /\{%\s*endraw\s*%\}/.test(text);
  return isPartial && !isRaw ? `{% raw %}${text}{% endraw %}` : text;
}
