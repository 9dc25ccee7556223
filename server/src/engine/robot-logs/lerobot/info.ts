import { Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { recordingProblem } from '../problems.ts';
import type { DatasetColumn } from './types.ts';

const MAX_CAMERAS = 16;
const MAX_COLUMNS = 64;
const MAX_ELEMENTS = 256;
export const MAX_EPISODES = 10_000;

/** Columns that number frames, and those of reinforcement learning, which describe no state. */
const BOOKKEEPING = /^(timestamp|frame_index|episode_index|index|task_index|next\..*)$/;
const NUMBERS = /^(float|int|uint)\d+$/;

const Path = Type.String({ minLength: 1, maxLength: 500 });
const Info = Type.Object({
  codebase_version: Type.String({ pattern: '^v?[23]\\.[0-9]+' }),
  fps: Type.Number({ exclusiveMinimum: 0, maximum: 1_000 }),
  total_episodes: Type.Integer({ minimum: 1 }),
  chunks_size: Type.Optional(Type.Integer({ minimum: 1 })),
  data_path: Path,
  video_path: Type.Optional(Type.Union([Path, Type.Null()])),
  features: Type.Record(
    Type.String({ maxLength: 200 }),
    Type.Object({
      dtype: Type.String(),
      shape: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 8 }),
      names: Type.Optional(Type.Unknown()),
    }),
  ),
});

export type DatasetInfo = {
  /** Version of the layout: 2 has files for each episode, 3 has files with several. */
  layout: 2 | 3;
  fps: number;
  episodes: number;
  chunkSize: number;
  dataPath: string;
  videoPath: string;
  cameras: string[];
  columns: DatasetColumn[];
};

/** Parses `meta/info.json` of a dataset of LeRobot. Throws `dataset_unreadable` (400) with a reason. */
export function parseDatasetInfo(text: string): DatasetInfo {
  const info = readJson(text);
  if (!Check(Info, info)) {
    const [, [first]] = Errors(Info, info);
    const where = first ? ` (${first.instancePath || 'the document'} ${first.message})` : '';
    throw recordingProblem.dataset_unreadable(
      `meta/info.json does not describe a dataset of LeRobot of the versions 2.0 to 3.0${where.slice(0, 200)}.`,
    );
  }
  const features = Object.entries(info.features);
  const cameras = features.filter(([, { dtype }]) => dtype === 'video').map(([name]) => name);
  if (cameras.length === 0 || !info.video_path) {
    throw recordingProblem.dataset_unreadable(
      'The dataset has no videos. Images that are stored in Parquet files are not read: convert them to videos first.',
    );
  }
  const columns = features
    .filter(([name, { dtype }]) => !BOOKKEEPING.test(name) && NUMBERS.test(dtype))
    .flatMap(([name, { shape, names }]) => toColumn(name, shape, names));
  const limits = [
    [cameras.length, MAX_CAMERAS, 'cameras'],
    [columns.length, MAX_COLUMNS, 'numeric features'],
    [info.total_episodes, MAX_EPISODES, 'episodes'],
  ] as const;
  for (const [count, limit, what] of limits) {
    if (count > limit)
      throw recordingProblem.dataset_unreadable(`The dataset has ${count} ${what}, more than ${limit}.`);
  }
  return {
    layout: /^v?2/.test(info.codebase_version) ? 2 : 3,
    fps: info.fps,
    episodes: info.total_episodes,
    chunkSize: info.chunks_size ?? 1_000,
    dataPath: info.data_path,
    videoPath: info.video_path,
    cameras,
    columns,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw recordingProblem.dataset_unreadable('meta/info.json is not JSON.');
  }
}

/** Only numbers and lists of numbers: matrices are maps or images. */
function toColumn(name: string, shape: readonly number[], names: unknown): DatasetColumn[] {
  const length = shape[0] ?? 1;
  if (shape.length > 1 || length < 1 || length > MAX_ELEMENTS) return [];
  const stated = toNames(names);
  const unique = stated.length === length && new Set(stated).size === length;
  return [{ name, elements: unique ? stated : Array.from({ length }, (_, i) => String(i)) }];
}

/**
 * Names of elements: a list, lists by group (`{motors: [..]}`), or positions by name (`{x: 0}`). None if a name is
 * neither text nor a number.
 */
function toNames(names: unknown): string[] {
  if (typeof names !== 'object' || names === null) return [];
  const values = Object.values(names);
  const listed = Array.isArray(names) ? names : values.every(Array.isArray) ? values.flat() : null;
  if (!(listed ?? values).every((value) => typeof value === 'string' || typeof value === 'number')) return [];
  const ordered =
    listed ??
    Object.entries(names)
      .sort(([, a], [, b]) => Number(a) - Number(b))
      .map(([name]) => name);
  return ordered.map((name) => String(name).slice(0, 100));
}

/** Fills a path such as `data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet`. */
export const fillPath = (template: string, values: Record<string, string | number>): string =>
  template.replaceAll(/\{(\w+)(?::0?(\d)d)?\}/g, (_, name: string, digits: string | undefined) =>
    String(Object.hasOwn(values, name) ? values[name] : '').padStart(Number(digits ?? 0), '0'),
  );
