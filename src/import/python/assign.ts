import type { ExprNode } from 'py-ast';
import type { PyValue } from '../../python/values.ts';
import { deleteAttribute, setAttribute } from './attributes.ts';
import { type Context, compileExpression, notAvailable } from './compile-context.ts';
import { deleteName, type Frame, storeName } from './frame.ts';
import { machine, raise } from './machine.ts';
import { deleteItem, setItem, toList } from './operations.ts';
import { type Node, placeOf } from './syntax.ts';

export type Store = (frame: Frame, value: PyValue) => void;

/** The names that an assignment to this target binds. */
export function namesIn(target: ExprNode): string[] {
  if (target.nodeType === 'Name') return [target.id];
  if (target.nodeType === 'Starred') return namesIn(target.value);
  return target.nodeType === 'Tuple' || target.nodeType === 'List'
    ? target.elts.flatMap(namesIn)
    : [];
}

export function compileTarget(target: ExprNode, context: Context): Store {
  const place = placeOf(context.unit, target);
  switch (target.nodeType) {
    case 'Name':
      return storeName(context.scope, target.id);
    case 'Subscript': {
      const [container, key] = [
        compileExpression(target.value, context),
        compileExpression(target.slice, context),
      ];
      return (frame, value) => {
        const [owner, index] = [container(frame), key(frame)];
        machine.at = place;
        setItem(owner, index, value);
      };
    }
    case 'Attribute': {
      const owner = compileExpression(target.value, context);
      return (frame, value) => {
        const found = owner(frame);
        machine.at = place;
        setAttribute(found, target.attr, value);
      };
    }
    case 'Tuple':
    case 'List':
      return compileUnpacking(target, context);
    default:
      throw notAvailable(context, target, `an assignment to \`${target.nodeType}\``);
  }
}

function compileUnpacking(target: Node<'Tuple'> | Node<'List'>, context: Context): Store {
  const place = placeOf(context.unit, target);
  const { elts } = target;
  const star = elts.findIndex(({ nodeType }) => nodeType === 'Starred');
  const stores = elts.map((part) =>
    compileTarget(part.nodeType === 'Starred' ? part.value : part, context),
  );
  return (frame, value) => {
    machine.at = place;
    const items = toList(value);
    const least = star < 0 ? stores.length : stores.length - 1;
    if (items.length < least) {
      raise(
        'ValueError',
        `not enough values to unpack (expected ${star < 0 ? '' : 'at least '}${least}, got ${items.length})`,
      );
    }
    if (star < 0 && items.length > least)
      raise('ValueError', `too many values to unpack (expected ${least})`);
    const after = stores.length - 1 - star;
    for (const [index, store] of stores.entries()) {
      if (index === star) store(frame, items.slice(star, items.length - after));
      else {
        const at = star < 0 || index < star ? index : items.length - (stores.length - index);
        store(frame, items[at] as PyValue);
      }
    }
  };
}

export function compileDelete(target: ExprNode, context: Context): (frame: Frame) => void {
  const place = placeOf(context.unit, target);
  const placed = (work: (frame: Frame) => void) => (frame: Frame) => {
    machine.at = place;
    work(frame);
  };
  switch (target.nodeType) {
    case 'Name':
      return placed(deleteName(context.scope, target.id));
    case 'Subscript': {
      const [container, key] = [
        compileExpression(target.value, context),
        compileExpression(target.slice, context),
      ];
      return placed((frame) => deleteItem(container(frame), key(frame)));
    }
    case 'Attribute': {
      const owner = compileExpression(target.value, context);
      return placed((frame) => deleteAttribute(owner(frame), target.attr));
    }
    case 'Tuple':
    case 'List': {
      const parts = target.elts.map((part) => compileDelete(part, context));
      return (frame) => {
        for (const part of parts) part(frame);
      };
    }
    default:
      throw notAvailable(context, target, `\`del\` of \`${target.nodeType}\``);
  }
}
