import * as z from 'zod';
import { toPython } from '../../../python/convert.ts';
import { pyStr } from '../../../python/repr.ts';
import {
  isList,
  isText,
  listItems,
  numberOf,
  PyDict,
  type PyValue,
} from '../../../python/values.ts';
import { amount, nonEmptyText, trueOrFalse } from '../../../score/component/option-kinds.ts';
import { judgeWith } from './row-judge.ts';

type Box = readonly [number, number, number, number];

const options = {
  iou_threshold: amount.optional(),
  coord_scale: amount.optional(),
  reference_bbox_key: nonEmptyText.optional(),
  image_width_key: nonEmptyText.optional(),
  image_height_key: nonEmptyText.optional(),
  metric_prefix: nonEmptyText.optional(),
  clip_to_image: trueOrFalse.optional(),
  smart_resize_cfg: z
    .object({
      factor: amount.optional(),
      min_pixels: amount.optional(),
      max_pixels: amount.optional(),
    })
    .nullable()
    .optional(),
};

type Options = z.output<z.ZodObject<typeof options>>;

/** Whether a box covers the right one: their intersection as a share of their union. */
export const boxJudge = judgeWith(options, (read) => {
  const threshold = read.iou_threshold ?? 0.5;
  return {
    metric: `${read.metric_prefix ?? 'Accuracy'}@${threshold}`,
    judge(got, want) {
      const gold = isText(want) ? readJson(pyStr(want)) : want;
      if (!(gold instanceof PyDict)) return undefined;
      const width = numberAt(gold, read.image_width_key ?? 'image_width');
      const height = numberAt(gold, read.image_height_key ?? 'image_height');
      const right = boxOf(gold.get(read.reference_bbox_key ?? 'bbox') ?? null);
      if (width === undefined || height === undefined || !right) return undefined;
      const box = boxOf(got);
      const scaled = box && scaleBox(box, { width, height }, read);
      return scaled !== undefined && overlap(scaled, right) >= threshold;
    },
  };
});

function readJson(text: string): PyValue {
  try {
    return toPython(JSON.parse(text));
  } catch {
    return null;
  }
}

function numberAt(dict: PyDict, key: string): number | undefined {
  const value = numberOf(dict.get(key) ?? null);
  return value === undefined ? undefined : Number(value);
}

function boxOf(value: PyValue): Box | undefined {
  if (!isList(value)) return undefined;
  const numbers = listItems(value).map((item) => Number(numberOf(item) ?? Number.NaN));
  return numbers.length === 4 && numbers.every(Number.isFinite)
    ? (numbers as unknown as Box)
    : undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function scaleBox(box: Box, { width, height }: Size, read: Options): Box | undefined {
  const scale = read.coord_scale ?? 1000;
  const resized = read.smart_resize_cfg
    ? resizedSize({ width, height }, read.smart_resize_cfg)
    : undefined;
  if (read.smart_resize_cfg && !resized) return undefined;
  const [x, y] = [resized?.width ?? width, resized?.height ?? height];
  const clip = (value: number, most: number) =>
    read.clip_to_image === false ? value : Math.min(Math.max(value, 0), most);
  const [left, top, right, bottom] = [
    clip((box[0] / scale) * x, width),
    clip((box[1] / scale) * y, height),
    clip((box[2] / scale) * x, width),
    clip((box[3] / scale) * y, height),
  ];
  return right <= left || bottom <= top ? undefined : [left, top, right, bottom];
}

/** The size to which a model resizes an image: multiples of a factor, within a number of pixels. */
function resizedSize(
  { width, height }: Size,
  {
    factor = 32,
    min_pixels = 16384,
    max_pixels = 67108864,
  }: NonNullable<Options['smart_resize_cfg']>,
): Size | undefined {
  if (Math.max(width, height) / Math.min(width, height) > 200) return undefined;
  const by = (round: (value: number) => number, value: number) =>
    Math.max(factor, round(value / factor) * factor);
  const near = { width: by(roundHalfEven, width), height: by(roundHalfEven, height) };
  const pixels = near.width * near.height;
  if (pixels > max_pixels) {
    const shrink = Math.sqrt((height * width) / max_pixels);
    return { width: by(Math.floor, width / shrink), height: by(Math.floor, height / shrink) };
  }
  if (pixels >= min_pixels) return near;
  const grow = Math.sqrt(min_pixels / (height * width));
  return { width: by(Math.ceil, width * grow), height: by(Math.ceil, height * grow) };
}

function roundHalfEven(value: number): number {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

function overlap(one: Box, other: Box): number {
  const across = Math.max(0, Math.min(one[2], other[2]) - Math.max(one[0], other[0]));
  const down = Math.max(0, Math.min(one[3], other[3]) - Math.max(one[1], other[1]));
  const area = ([left, top, right, bottom]: Box) =>
    Math.max(0, right - left) * Math.max(0, bottom - top);
  const union = area(one) + area(other) - across * down;
  return union > 0 ? (across * down) / union : 0;
}
