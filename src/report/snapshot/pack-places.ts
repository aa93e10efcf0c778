/** A value in which each place of a template is told once: spans have its number. */
export interface PackedPlaces {
  readonly value: unknown;
  readonly places: readonly unknown[];
}

/** Takes the places out of the spans of a value; what else is called `at`, such as in a request, stays. */
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
  const packed = mapPlaces(value, (at) =>
    typeof at === 'object' && at !== null ? numberOf(at) : at,
  );
  return { value: packed, places };
}

/** Puts the places back. */
export function unpackPlaces({ value, places }: PackedPlaces): unknown {
  return mapPlaces(value, (at) => (typeof at === 'number' ? places[at] : at));
}

function mapPlaces(value: unknown, change: (at: unknown) => unknown): unknown {
  return mapSpans(value, (span) => ('at' in span ? { ...span, at: change(span.at) } : span));
}

export type SpanLike = Readonly<Record<string, unknown>>;

/** A value with other spans: those of a text, or of each message. */
export function mapSpans(value: unknown, change: (span: SpanLike) => SpanLike): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSpans(item, change));
  if (!isObject(value) || !Array.isArray(value.spans)) return value;
  const changeOne = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(changeOne);
    if (!isObject(item)) return item;
    return Array.isArray(item.spans) ? mapSpans(item, change) : change(item);
  };
  return { ...value, spans: value.spans.map(changeOne) };
}

function isObject(value: unknown): value is SpanLike {
  return typeof value === 'object' && value !== null;
}
