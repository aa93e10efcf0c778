type CamelCase<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

type CamelKeys<Value> = { [Key in keyof Value as CamelCase<Key & string>]: Value[Key] };

/** Gives keys the spelling of the code: `max_out_len` becomes `maxOutLen`. */
export function camelKeys<Value extends object>(value: Value): CamelKeys<Value> {
  const entries = Object.entries(value).map(([key, item]) => [
    key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    item,
  ]);
  return Object.fromEntries(entries);
}
