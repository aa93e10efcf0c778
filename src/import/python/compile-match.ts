import { isTruthy, MutableDict, PyDict, PyTuple, type PyValue } from '../../python/values.ts';
import { isInstance } from './classes.ts';
import {
  type Context,
  compileBlock,
  compileExpression,
  type Execute,
  notAvailable,
} from './compile-context.ts';
import { type Frame, storeName } from './frame.ts';
import { PyClass } from './objects.ts';
import { asList, equals } from './operations.ts';
import type { Node } from './syntax.ts';

type Pattern = Node<'Match'>['cases'][number]['pattern'];
type Test = (frame: Frame, value: PyValue) => boolean;

export function compileMatch(node: Node<'Match'>, context: Context): Execute {
  const subject = compileExpression(node.subject, context);
  const cases = node.cases.map(({ pattern, guard, body }) => ({
    test: compilePattern(pattern, context),
    guard: guard && compileExpression(guard, context),
    run: compileBlock(body, context),
  }));
  return (frame) => {
    const value = subject(frame);
    for (const { test, guard, run } of cases) {
      if (test(frame, value) && (!guard || isTruthy(guard(frame)))) return run(frame);
    }
    return undefined;
  };
}

function compilePattern(pattern: Pattern, context: Context): Test {
  switch (pattern.nodeType) {
    case 'MatchValue': {
      const wanted = compileExpression(pattern.value, context);
      return (frame, value) => equals(value, wanted(frame));
    }
    case 'MatchSingleton': {
      const wanted = (pattern.value ?? null) as PyValue;
      return (_, value) => value === wanted;
    }
    case 'MatchAs': {
      const inner = pattern.pattern && compilePattern(pattern.pattern, context);
      const store = pattern.name ? storeName(context.scope, pattern.name) : undefined;
      return (frame, value) => {
        if (inner && !inner(frame, value)) return false;
        store?.(frame, value);
        return true;
      };
    }
    case 'MatchOr': {
      const choices = pattern.patterns.map((choice) => compilePattern(choice, context));
      return (frame, value) => choices.some((choice) => choice(frame, value));
    }
    case 'MatchSequence':
      return compileSequence(pattern.patterns, context);
    case 'MatchMapping':
      return compileMapping(pattern, context);
    case 'MatchClass': {
      if (pattern.kwd_patterns.length > 0 || pattern.patterns.length > 1) break;
      const type = compileExpression(pattern.cls, context);
      const inner = pattern.patterns.map((choice) => compilePattern(choice, context));
      return (frame, value) => {
        const wanted = type(frame);
        return (
          wanted instanceof PyClass &&
          isInstance(value, wanted) &&
          inner.every((test) => test(frame, value))
        );
      };
    }
    default:
  }
  throw notAvailable(context, pattern, 'this pattern of `match`');
}

function compileSequence(patterns: readonly Pattern[], context: Context): Test {
  const star = patterns.findIndex(({ nodeType }) => nodeType === 'MatchStar');
  const starred = patterns[star];
  const starName = starred?.nodeType === 'MatchStar' ? starred.name : undefined;
  const store = starName ? storeName(context.scope, starName) : undefined;
  const tests = patterns.map((pattern) =>
    pattern.nodeType === 'MatchStar' ? () => true : compilePattern(pattern, context),
  );
  return (frame, value) => {
    const items = asList(value) ?? (value instanceof PyTuple ? value.items : undefined);
    if (!items) return false;
    const spare = items.length - tests.length;
    if (star < 0 ? spare !== 0 : spare < -1) return false;
    const isMatch = tests.every((test, index) => {
      if (index === star) return true;
      const at = star < 0 || index < star ? index : index + spare;
      return test(frame, items[at] as PyValue);
    });
    if (isMatch) store?.(frame, items.slice(star, star + spare + 1));
    return isMatch;
  };
}

function compileMapping(
  pattern: Extract<Pattern, { nodeType: 'MatchMapping' }>,
  context: Context,
): Test {
  const entries = pattern.keys.map((key, index) => ({
    key: compileExpression(key, context),
    test: compilePattern(pattern.patterns[index] as Pattern, context),
  }));
  const store = pattern.rest ? storeName(context.scope, pattern.rest) : undefined;
  return (frame, value) => {
    if (!(value instanceof PyDict)) return false;
    const rest = new MutableDict(value.entries());
    const isMatch = entries.every(({ key, test }) => {
      const name = key(frame);
      const item = value.get(name);
      rest.delete(name);
      return item !== undefined && test(frame, item);
    });
    if (isMatch) store?.(frame, rest);
    return isMatch;
  };
}
