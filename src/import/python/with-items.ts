import { typeName } from '../../python/values.ts';
import { compileTarget } from './assign.ts';
import { type Context, compileExpression } from './compile-context.ts';
import type { Frame } from './frame.ts';
import { machine, raise } from './machine.ts';
import { PyFile } from './objects.ts';
import { type Node, placeOf } from './syntax.ts';

/** What stands after `with`, and how its value is taken in. */
export function compileWithItems(node: Node<'With'>, context: Context): (frame: Frame) => void {
  const items = node.items.map(({ context_expr, optional_vars }) => ({
    value: compileExpression(context_expr, context),
    store: optional_vars && compileTarget(optional_vars, context),
  }));
  const place = placeOf(context.unit, node);
  return (frame) => {
    for (const { value, store } of items) {
      const entered = value(frame);
      machine.at = place;
      const isManager =
        entered instanceof PyFile || typeName(entered) === '_GeneratorContextManager';
      if (!isManager) {
        raise(
          'TypeError',
          `'${typeName(entered)}' object does not support the context manager protocol`,
        );
      }
      store?.(frame, entered);
    }
  };
}
