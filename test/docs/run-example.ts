import ts from 'typescript';

type Check = (actual: unknown, expected: unknown, isPart: boolean) => void;

const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/** Runs an example and checks every expression that has its value in a comment behind it. */
export async function runExample(
  code: string,
  { scope, check }: { readonly scope: Readonly<Record<string, unknown>>; readonly check: Check },
): Promise<void> {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.Latest, true);
  const statements = source.statements.map((statement) => {
    const text = statement.getText();
    const comment = ts.isExpressionStatement(statement) && commentBehind(code, statement.end);
    if (!comment) return text;
    return `check(${text.replace(/;$/, '')}, ${JSON.stringify(comment)});`;
  });
  const { outputText } = ts.transpileModule(statements.join('\n'), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const own = {
    ...scope,
    check: (actual: unknown, text: string) => checkText(check, actual, text),
  };
  await new AsyncFunction(...Object.keys(own), outputText)(...Object.values(own));
}

/** On the same line, or on one of its own below. */
function commentBehind(code: string, end: number): string | undefined {
  return /^;?\s*\/\/ (.*)/.exec(code.slice(end))?.[1];
}

/** `0.12…` and `'abc…'` say how a value begins; `{ a: 1, … }` has more keys. */
function checkText(check: Check, actual: unknown, text: string): void {
  const isPart = text.includes(', … }');
  const written = text.replaceAll(', … }', ' }').replaceAll(/-?\d+\.\d+…/g, "'$&'");
  check(actual, withBeginnings(new Function(`return (${written})`)()), isPart);
}

function withBeginnings(value: unknown): unknown {
  if (typeof value === 'string' && value.endsWith('…')) {
    return matcher((actual) => String(actual).startsWith(value.slice(0, -1)));
  }
  if (typeof value === 'number' && !Number.isInteger(value)) {
    return matcher((actual) => typeof actual === 'number' && Math.abs(actual - value) < 1e-9);
  }
  if (Array.isArray(value)) return value.map(withBeginnings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBeginnings(one)]));
}

function matcher(asymmetricMatch: (actual: unknown) => boolean) {
  return { asymmetricMatch, toString: () => 'Beginning' };
}
