/** The rooms of the source, from the ground up. A room knows those below it and none beside it. */
export const layers: readonly (readonly string[])[] = [
  ['errors.ts'],
  ['base'],
  ['prompt'],
  ['python'],
  ['chat-template', 'schema'],
  ['data', 'retrieve', 'model', 'score', 'stats'],
  ['compat'],
  ['tasks'],
  ['config'],
  ['evaluation'],
  ['run'],
  ['study', 'queue', 'batch'],
  ['report'],
  ['api'],
  ['exports', 'terminal'],
  ['suites', 'server', 'vitest', 'import'],
  ['index.ts', 'cli'],
];

/** The room that a file stands in. */
export function roomOf(file: string): string {
  return (file.split('/')[0] ?? '').replace('.test.ts', '.ts');
}

export function layerOf(file: string): number {
  return layers.findIndex((rooms) => rooms.includes(roomOf(file)));
}
