import type { Random } from '../../src/base/keyed-random.ts';

/** Pieces that parsers stumble over. */
const pieces = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '`',
    ',',
    ':',
    ';',
    '\\',
    '/',
    '#',
    '&a',
    '*a',
    '<<: *a',
  ],
  ...[
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' ',
    '\0',
    '\uFEFF',
    '\u2028',
    '\u200b',
    '\ud800',
    '\udfff',
    'é',
    '日本',
    '🙂',
  ],
  ...[
    'null',
    'true',
    'NaN',
    '-Infinity',
    '-0',
    '1e999',
    '9'.repeat(40),
    '0x1F',
    '1_000',
    '.5',
    '-',
  ],
  ...[
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '</E>',
    '{question}',
    '{question!r:>9}',
    '{}',
    '{0}',
    '{a.b}',
    '{a[0]}',
  ],
  ...[
    '| ',
    '>-\n ',
    '!!js/function',
    '!!binary',
    '? ',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    '"__proto__"',
    'constructor',
  ],
  ...[
    '{"a":',
    '[[[[[[[[',
    '{% for i in range(9999) %}',
    '{% if x %}',
    "{{ 'x' * 99999 }}",
    '{% macro f() %}{{ f() }}{% endmacro %}',
  ],
  ...[
    '../',
    '/dev/null',
    'file://',
    'http://127.0.0.1:1/',
    'data:image/png;base64,',
    '<image>',
    '\x1b[31m',
  ],
];

/** Changes a text or bytes in a few places. */
export function mutateBytes(input: Buffer, other: Buffer, random: Random): Buffer {
  let bytes = input;
  for (let times = 1 + random.below(4); times > 0; times--)
    bytes = changeOnce(bytes, other, random);
  return bytes.subarray(0, 200_000);
}

function changeOnce(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const length = random.below(random.below(4) === 0 ? 200 : 8) + 1;
  const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
  const piece = Buffer.from(pieces[random.below(pieces.length)] ?? '');
  switch (random.below(9)) {
    case 0:
      return Buffer.concat([before, rest.subarray(length)]);
    case 1:
      return Buffer.concat([before, piece, rest]);
    case 2:
      return Buffer.concat([before, piece, rest.subarray(length)]);
    case 3:
      return Buffer.concat([before, rest.subarray(0, length), rest]);
    case 4: {
      const changed = Buffer.from(bytes);
      if (at < changed.length) changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      return changed;
    }
    case 5: {
      const from = random.below(other.length + 1);
      return Buffer.concat([before, other.subarray(from, from + length * 4), rest]);
    }
    case 6:
      return random.below(4) === 0 ? before : bytes;
    case 7:
      return Buffer.concat([
        before,
        ...Array.from({ length: 1 + random.below(60) }, () => piece),
        rest,
      ]);
    default: {
      const changed = Buffer.from(bytes);
      if (at < changed.length) changed[at] = random.below(256);
      return changed;
    }
  }
}

/** Puts another value somewhere into a tree of lists and mappings, drops a part of it, or moves one. */
export function mutateTree(tree: unknown, random: Random, makeValue: () => unknown): unknown {
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
  const copy = structuredClone(tree);
  const collect = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      collect(holder[key]);
    }
  };
  collect(copy);
  for (let times = 1 + random.below(3); times > 0; times--) {
    const place = places[random.below(Math.max(1, places.length))];
    if (!place) return makeValue();
    const { holder, key } = place;
    const other = places[random.below(places.length)] ?? place;
    switch (random.below(4)) {
      case 0:
        delete holder[key];
        break;
      case 1:
        holder[key] = structuredClone(other.holder[other.key]);
        break;
      case 2:
        holder[other.key] = makeValue();
        break;
      default:
        holder[key] = likeOrOther(holder[key], random, makeValue);
    }
  }
  return copy;
}

/** A text or number much like the one there is, or anything else. */
function likeOrOther(value: unknown, random: Random, makeValue: () => unknown): unknown {
  if (random.below(3) === 0) return makeValue();
  if (typeof value === 'number') return value + random.below(3) - 1;
  if (typeof value !== 'string') return makeValue();
  const bytes = Buffer.from(value);
  return mutateBytes(bytes, bytes, random).toString();
}
