import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { nearestName } from '../../../base/nearest-name.ts';
import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { getKey, isMapping, type Mapping } from '../../../prompt/mapping.ts';
import { pyStr } from '../../../python/repr.ts';
import { firstOf, type GqaSample, valueAt } from './sample.ts';

const extensions = ['', '.png', '.jpg', '.jpeg'];

/** Where the images of GQA are kept below a folder: `240/2407890.jpg`. */
export function gqaImagePath(root: string, imageId: string): string {
  const file = `${imageId}.jpg`;
  return imageId.length > 3 ? posix.join(root, imageId.slice(0, 3), file) : posix.join(root, file);
}

/** The hub's config that has the images of a config with instructions. */
export function imageConfigName(config: string): string {
  return config.endsWith('_images') ? config : `${config.replace(/_instructions$/, '')}_images`;
}

/** The path that a sample itself gives for its image. */
export function givenImagePath(sample: GqaSample): string | undefined {
  const given = firstOf(sample, 'imagePath') || firstOf(metadataOf(sample), 'image_path');
  return given === '' ? undefined : pyStr(given);
}

/** The image of a sample: the file that it names, or else one below the root. */
export function findImage(
  sample: GqaSample,
  { root, folder }: { readonly root?: string | undefined; readonly folder: string },
): string | undefined {
  const given = givenImagePath(sample);
  const candidates = [
    ...(given === undefined ? [] : [resolve(folder, given)]),
    ...(root === undefined ? [] : candidatesBelow(root, sample)),
  ];
  return candidates.find(isFile);
}

function candidatesBelow(root: string, sample: GqaSample): string[] {
  const id = pyStr(valueAt(sample, 'imageId'));
  if (id === '') return [];
  const video = pyStr(firstOf(metadataOf(sample), 'video_id'));
  const stems = [...(video === '' ? [] : [join(root, video, id)]), join(root, id)];
  const named = stems.flatMap((stem) => extensions.map((extension) => stem + extension));
  return [...named, gqaImagePath(root, id)];
}

/** Refuses a folder of images that is not there. */
export function checkImageRoot(
  root: string,
  { config, path }: { readonly config: string; readonly path?: ConfigPath | undefined },
): void {
  if (isFolder(root)) return;
  const parent = dirname(resolve(root));
  const folders = isFolder(parent)
    ? readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      )
    : [];
  const near = nearestName(basename(root), folders);
  throw new ConfigError('gqa.no_image_root', `Image folder not found: ${root}`, {
    path,
    hint: near
      ? `Did you mean \`${join(dirname(root), near)}\`?`
      : `Give an existing folder. On the hub, the images of GQA are in the config \`${imageConfigName(config)}\`.`,
  });
}

function metadataOf(sample: GqaSample): Mapping {
  const metadata = getKey(sample, 'metadata');
  return isMapping(metadata) ? metadata : {};
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** Nothing also for names that no file can have. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
