import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { withSwitches } from './compile-switches.ts';
import { mutationsOf } from './mutations.ts';
import * as switches from './switch.ts';

const source = `
export function measure(values: readonly number[], name?: string) {
  let [sum, left] = [0, 10];
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 7;
  while (left > 3) left -= 2;
  const { 0: first = 5 } = values as { 0?: number };
  const kind = name === 'long' ? 'text' : !name ? 'none' : 'other';
  const found = values.length >= 2 && (sum <= 12 || kind !== 'none') && true;
  return [sum - left * first / 4, kind, found, (name ?? '') + kind, values.map((one) => one + 1)];
}
`;
const calls = [[], [4], [1, 2], [3, 4, 5], [Number.NaN, 1]].flatMap((values) =>
  [undefined, '', 'long', 'short'].map((name) => [values, name] as const),
);

/** What the function gives for each call; a loop that does not end gives an error. */
function outcomes(code: string): unknown[] {
  const { outputText } = ts.transpileModule(code.replace(/^import .*/, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS },
  });
  const { $is, $not, $equal, $unequal, $less, $lessOrEqual } = switches;
  const { $more, $moreOrEqual, $plus, $minus, $times, $divided, $sign } = switches;
  const names = { $is, $not, $equal, $unequal, $less, $lessOrEqual, $more, $moreOrEqual };
  const known = { ...names, $plus, $minus, $times, $divided, $sign };
  const exported: { measure?: (...args: readonly unknown[]) => unknown } = {};
  new Function('exports', ...Object.keys(known), outputText)(exported, ...Object.values(known));
  return calls.map((call) => {
    switches.state.steps = 0;
    try {
      return exported.measure?.(...call);
    } catch {
      return 'an error';
    }
  });
}

test('compiled code does what the source does, and with a change what the changed source does', () => {
  const { state } = switches;
  const before = { active: state.active, limit: state.limit };
  onTestFinished(() => void Object.assign(state, before));
  const mutations = mutationsOf('src/a.ts', source);
  const numbered = mutations.map((mutation, index) => ({ ...mutation, number: index + 1 }));
  const compiled = withSwitches('src/a.ts', source, numbered);
  state.limit = 10_000;
  state.active = 0;
  expect(outcomes(compiled)).toEqual(outcomes(source));
  expect(new Set(mutations.map(({ before }) => before)).size).toBeGreaterThan(25);
  for (const [index, { start, end, before, after }] of mutations.entries()) {
    state.active = index + 1;
    const found = outcomes(compiled);
    expect(state.reached[index + 1]).toBe(1);
    if (found.includes('an error')) continue;
    const changed = source.slice(0, start) + after + source.slice(end);
    expect([before, after, start, found]).toEqual([before, after, start, outcomes(changed)]);
  }
});
