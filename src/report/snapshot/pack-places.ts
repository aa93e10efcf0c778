/** A value in which each place of a template is told once: spans have its number. */
export interface PackedPlaces {
  readonly value: unknown;
  readonly places: readonly unknown[];
}

/** Takes the places out of a value, wherever `at` stands in it. */
export function packPlaces(value: unknown): PackedPlaces {
  const numbers = new Map<string, number>();
  const places: unknown[] = [];
  const numberOf = (place: unknown) => {
    const key = JSON.stringify(place);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, places.length);
    return places.push(place) - 1;
  };
  const packed = mapAt(value, (at) => (typeof at === 'object' && at !== null ? numberOf(at) : at));
  return { value: packed, places };
}

/** Puts the places back. */
export function unpackPlaces({ value, places }: PackedPlaces): unknown {
  return mapAt(value, (at) => (typeof at === 'number' ? places[at] : at));
}

function mapAt(value: unknown, change: (at: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapAt(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'at' ? change(item) : mapAt(item, change),
    ]),
  );
}
