import { inflateSync } from 'node:zlib';
import type { Pixels } from './pixels.ts';

/** Samples of a pixel by the colour type of the file: grey, RGB, palette, grey and RGB with alpha. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly channels: number;
}

/** Reads a PNG without interlace. What is transparent keeps its colour. */
export function decodePng(file: Buffer): Pixels {
  const chunks = [...chunksOf(file)];
  const bodyOf = (type: string) =>
    Buffer.concat(chunks.flatMap((chunk) => (chunk.type === type ? [chunk.body] : [])));
  const header = readHeader(bodyOf('IHDR'));
  const lines = unfilter(inflateSync(bodyOf('IDAT')), header);
  const { width, height, colorType, channels } = header;
  const palette = bodyOf('PLTE');
  const values = new Uint8ClampedArray(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const sampleAt = (channel: number) => sampleOf(lines, { header, pixel, channel });
    for (let color = 0; color < 3; color++) {
      const isGrey = channels < 3;
      values[pixel * 3 + color] =
        colorType === 3
          ? (palette[sampleAt(0) * 3 + color] ?? 0)
          : scaled(sampleAt(isGrey ? 0 : color), header.depth);
    }
  }
  return { width, height, values };
}

function* chunksOf(file: Buffer): Generator<{ readonly type: string; readonly body: Buffer }> {
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    yield {
      type: file.toString('latin1', at + 4, at + 8),
      body: file.subarray(at + 8, at + 8 + length),
    };
    at += length + 12;
  }
}

function readHeader(body: Buffer): Header {
  if (body.length < 13) throw new Error('it has no header');
  const [depth = 0, colorType = 0, , , interlace] = body.subarray(8);
  const channels = channelsOf[colorType];
  if (channels === undefined) throw new Error(`its colour type is ${colorType}`);
  if (interlace !== 0) throw new Error('it is interlaced');
  return { width: body.readUInt32BE(0), height: body.readUInt32BE(4), depth, colorType, channels };
}

/** Undoes the filters of lines, which tell bytes by those to the left and above. */
function unfilter(data: Buffer, { width, height, depth, channels }: Header): Buffer {
  const step = Math.max(1, (depth * channels) >> 3);
  const size = Math.ceil((width * depth * channels) / 8);
  if (data.length < height * (size + 1)) throw new Error('it is cut off');
  const lines = Buffer.alloc(height * size);
  for (let line = 0; line < height; line++) {
    const filter = data[line * (size + 1)] ?? 0;
    for (let index = 0; index < size; index++) {
      const at = line * size + index;
      const left = index < step ? 0 : (lines[at - step] ?? 0);
      const above = line === 0 ? 0 : (lines[at - size] ?? 0);
      const corner = index < step || line === 0 ? 0 : (lines[at - size - step] ?? 0);
      const told = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter];
      if (told === undefined) throw new Error(`it has the unknown filter ${filter}`);
      lines[at] = (data[line * (size + 1) + 1 + index] ?? 0) + told;
    }
  }
  return lines;
}

/** Of the three neighbours the one nearest to what a plane through them would give. */
function nearest(left: number, above: number, corner: number): number {
  const plane = left + above - corner;
  const [fromLeft, fromAbove, fromCorner] = [left, above, corner].map((value) =>
    Math.abs(plane - value),
  ) as [number, number, number];
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left;
  return fromAbove <= fromCorner ? above : corner;
}

function sampleOf(
  lines: Buffer,
  {
    header,
    pixel,
    channel,
  }: { readonly header: Header; readonly pixel: number; readonly channel: number },
): number {
  const { width, depth, channels } = header;
  const size = Math.ceil((width * depth * channels) / 8);
  const start = Math.floor(pixel / width) * size;
  const number = (pixel % width) * channels + channel;
  if (depth === 8) return lines[start + number] ?? 0;
  if (depth === 16) return lines[start + number * 2] ?? 0;
  const byte = lines[start + ((number * depth) >> 3)] ?? 0;
  return (byte >> (8 - depth - ((number * depth) & 7))) & ((1 << depth) - 1);
}

/** A sample of few bits from 0 to 255; of sixteen bits only the upper eight were read. */
function scaled(sample: number, depth: number): number {
  return depth < 8 ? (sample * 255) / ((1 << depth) - 1) : sample;
}
