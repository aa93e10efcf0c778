/** Writes the types of what commands print with `--json` as JSON Schema. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

type Schema = Record<string, unknown>;

const file = fileURLToPath(new URL('../src/terminal/output-types.ts', import.meta.url));

/** The schema of `CommandOutput`. */
export function outputSchema(): Schema {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const exported = source && checker.getSymbolAtLocation(source);
  const symbols = exported ? checker.getExportsOfModule(exported) : [];
  const all = symbols.find(({ name }) => name === 'CommandOutput');
  const union = all && checker.getDeclaredTypeOfSymbol(all);
  if (!union?.isUnion()) throw new Error('there is no union CommandOutput');
  const aliases = symbols.filter(({ flags }) => flags & ts.SymbolFlags.TypeAlias);
  const writer = new SchemaWriter(
    checker,
    new Map(aliases.map((one) => [checker.getDeclaredTypeOfSymbol(one), one.name])),
  );
  const outputs = union.types.map((type) => writer.schemaOf(type));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What Typecase commands print with --json',
    anyOf: outputs,
    $defs: Object.fromEntries([...writer.defs].sort(([a], [b]) => a.localeCompare(b))),
  };
}

class SchemaWriter {
  readonly defs = new Map<string, Schema>();
  readonly #checker: ts.TypeChecker;
  readonly #aliases: ReadonlyMap<ts.Type, string>;
  readonly #names = new Map<ts.Type, string>();

  constructor(checker: ts.TypeChecker, aliases: ReadonlyMap<ts.Type, string>) {
    this.#checker = checker;
    this.#aliases = aliases;
  }

  schemaOf(type: ts.Type): Schema {
    if (type.isUnion()) return this.#union(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    const { flags } = type;
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { const: this.#checker.typeToString(type) === 'true' };
    }
    if (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.#object(type);
    return {};
  }

  #union(types: readonly ts.Type[]): Schema {
    const defined = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const choices = defined.map((type) => this.schemaOf(type));
    const literals = choices.flatMap((choice) => ('const' in choice ? [choice.const] : []));
    const others = choices.filter((choice) => !('const' in choice));
    const isBoolean = literals.includes(true) && literals.includes(false);
    const rest = isBoolean ? literals.filter((one) => typeof one !== 'boolean') : literals;
    const all = [
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...(rest.length > 0 ? [rest.length === 1 ? { const: rest[0] } : { enum: rest }] : []),
      ...others,
    ];
    const [only] = all;
    return all.length === 1 && only ? only : { anyOf: all };
  }

  #object(type: ts.Type): Schema {
    const checker = this.#checker;
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', prefixItems: items.map((item) => this.schemaOf(item)) };
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', ...(item && { items: this.schemaOf(item) }) };
    }
    const alias = this.#aliases.get(type);
    const name = alias ?? type.aliasSymbol?.name ?? type.symbol?.name;
    const isNamed =
      name !== undefined &&
      /^[A-Z]\w+$/.test(name) &&
      (alias !== undefined || type.isClassOrInterface());
    if (!isNamed) return this.#members(type);
    const known = this.#names.get(type);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const free = this.defs.has(name) ? `${name}${this.defs.size}` : name;
    this.#names.set(type, free);
    this.defs.set(free, {});
    this.defs.set(free, this.#members(type));
    return { $ref: `#/$defs/${free}` };
  }

  #members(type: ts.Type): Schema {
    const checker = this.#checker;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const value = checker.getTypeOfSymbol(symbol);
      if (value.getCallSignatures().length > 0) continue;
      const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const description = text.replaceAll(/\s+/g, ' ').trim();
      properties[symbol.name] = {
        ...(description !== '' && { description }),
        ...this.schemaOf(value),
      };
      const isOptional = Boolean(symbol.flags & ts.SymbolFlags.Optional);
      if (!isOptional && !this.#mayBeUndefined(value)) required.push(symbol.name);
    }
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.schemaOf(index) }),
    };
  }

  #mayBeUndefined(type: ts.Type): boolean {
    return type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
  }
}
