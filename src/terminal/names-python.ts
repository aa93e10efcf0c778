/** Whether arguments name configs of another system, in Python: by file, or by name in a tree. */
export function namesPython(args: readonly string[]): boolean {
  return args.some((argument) => /\.py$/i.test(argument) || /^--root(?:=|$)/.test(argument));
}
