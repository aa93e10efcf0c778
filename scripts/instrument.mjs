import ts from 'typescript';

const root = new URL('../src/', import.meta.url).href;

/** A loader hook: modules of `src` say when they are evaluated, and functions when they are called. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const [href] = url.split('?');
  if (!href.startsWith(root) || loaded.source === undefined) return loaded;
  return { ...loaded, source: instrument(`${loaded.source}`, href.slice(root.length)) };
}

function instrument(source, file) {
  const tree = ts.createSourceFile('module.mjs', source, ts.ScriptTarget.ESNext, true);
  const shebang = /^#!.*\n/.exec(source)?.[0] ?? '';
  const inserts = [[shebang.length, 'globalThis.moduleStart();']];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && nameOf(node) !== '__name') {
      const name = JSON.stringify(`${file}:${nameOf(node)}:${node.pos}`);
      const note = `globalThis.functionStart(${name})`;
      if (ts.isBlock(node.body)) inserts.push([node.body.getStart(tree) + 1, `${note};`]);
      else inserts.push([node.body.getStart(tree), `(${note},`], [node.body.end, ')']);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  inserts.push([source.length, `\n;globalThis.moduleEnd(${JSON.stringify(file)});`]);
  let from = 0;
  const pieces = [];
  for (const [at, text] of inserts.sort(([a], [b]) => a - b)) {
    pieces.push(source.slice(from, at), text);
    from = at;
  }
  return pieces.join('');
}

function nameOf({ name, parent }) {
  return (name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined))?.text ?? '';
}
