export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part of a vector that must be an object; `{}` when it is left out. */
export function objectAt(vector: JsonObject, key: string): JsonObject {
  const value = vector[key];
  return isObject(value) ? value : {};
}

export function listAt(vector: JsonObject, key: string): readonly Json[] {
  const value = vector[key];
  return isArray(value) ? value : [];
}

export function textAt(vector: JsonObject, key: string): string {
  const value = vector[key];
  return typeof value === 'string' ? value : '';
}
