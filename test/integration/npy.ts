/** Vectors as numpy.save writes them, in float32. */
export function npyOf(vectors: readonly ArrayLike<number>[]): Buffer {
  const shape = `(${vectors.length}, ${vectors[0]?.length ?? 0})`;
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117);
  const start = `\x93NUMPY\x01\0${String.fromCharCode(header.length + 1)}\0${header}\n`;
  const rows = vectors.map((vector) => Buffer.from(Float32Array.from(vector).buffer));
  return Buffer.concat([Buffer.from(start, 'latin1'), ...rows]);
}
