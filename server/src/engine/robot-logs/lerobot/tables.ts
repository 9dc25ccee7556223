import { open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Compressors, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { Problem } from '#platform/problem';
import { recordingProblem } from '../problems.ts';
import { toTasks } from './episode-tasks.ts';
import type { DatasetColumn, EpisodeFrames, EpisodePlace } from './types.ts';

/** Tasks of media processes: tables of datasets are read only there, with their limits on memory and time. */

/** Rows that are decoded at once, and those of a whole table. */
const ROWS_AT_ONCE = 50_000;
const MAX_ROWS = 5_000_000;
const MAX_EPISODE_ROWS = 20_000;
/** Values of all frames that are read of a table. */
const MAX_VALUES = 20_000_000;
/** Latest time in a video file, in seconds. */
const MAX_TIME_S = 1e9;

const unpack =
  (decompress: (input: Uint8Array, options: { maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, outputLength: number) =>
    decompress(input, { maxOutputLength: Math.max(1, outputLength) });
const COMPRESSORS: Compressors = {
  GZIP: unpack(gunzipSync),
  ZSTD: unpack(zstdDecompressSync),
  BROTLI: unpack(brotliDecompressSync),
};

type Row = Record<string, unknown>;

type EpisodeTableArgs = { paths: readonly string[]; cameras: readonly string[] };

/**
 * Reads the table of episodes of a dataset of version 3, ordered by episode, with its places in the videos of
 * `cameras`. Throws `dataset_unreadable` (400).
 */
export async function readEpisodeTable({ paths, cameras }: EpisodeTableArgs): Promise<EpisodePlace[]> {
  const names = new Set(['episode_index', 'tasks', 'data/chunk_index', 'data/file_index']);
  for (const camera of cameras) for (const part of PLACE) names.add(`videos/${camera}/${part}`);
  const rows: EpisodePlace[] = [];
  for (const path of paths) {
    const maxRows = MAX_EPISODE_ROWS - rows.length;
    for await (const row of readTable(path, (name) => names.has(name), maxRows)) {
      rows.push(toEpisodePlace(row, cameras));
    }
  }
  const sorted = rows.sort((a, b) => a.index - b.index);
  const repeated = sorted.find(({ index }, i) => i > 0 && index === sorted[i - 1]!.index);
  if (repeated) throw recordingProblem.dataset_unreadable(`The episode ${repeated.index} is listed twice.`);
  return sorted;
}

/** Columns of the place of an episode in the video of a camera. */
const PLACE = ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'] as const;

function toEpisodePlace(row: Row, cameras: readonly string[]): EpisodePlace {
  const stated = cameras.filter((camera) => `videos/${camera}/chunk_index` in row);
  return {
    index: toIndex(row, 'episode_index'),
    tasks: toTasks(row.tasks),
    data: { chunk: toIndex(row, 'data/chunk_index'), file: toIndex(row, 'data/file_index') },
    views: stated.map((camera) => {
      const [fromS, untilS] = ['from', 'to'].map((end) => toNumber(row[`videos/${camera}/${end}_timestamp`]));
      if (!(fromS! >= 0 && untilS! > fromS! && untilS! < MAX_TIME_S)) {
        throw recordingProblem.dataset_unreadable(
          `The episode ${String(row.episode_index)} has no range in the video of ${camera.slice(0, 100)}.`,
        );
      }
      const [chunk, file] = ['chunk', 'file'].map((part) => toIndex(row, `videos/${camera}/${part}_index`));
      return { camera, chunk: chunk!, file: file!, fromS: fromS!, untilS: untilS! };
    }),
  };
}

function toIndex(row: Row, name: string): number {
  const value = toNumber(row[name]);
  if (Number.isInteger(value) && value >= 0 && value < 1e9) return value;
  throw recordingProblem.dataset_unreadable(`The table of episodes has no usable ${name.slice(0, 200)}.`);
}

const toNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;

/**
 * Reads the frames of these episodes from a table, in the order of their times. Elements that a frame lacks are NaN.
 * Throws `dataset_unreadable` (400).
 */
export async function readFrames({
  path,
  episodes,
  columns,
}: {
  path: string;
  episodes: readonly number[];
  columns: readonly DatasetColumn[];
}): Promise<EpisodeFrames[]> {
  const wanted = new Map(episodes.map((index) => [index, [] as { timeS: number; row: number[] }[]]));
  const names = new Set(['episode_index', 'timestamp', ...columns.map(({ name }) => name)]);
  const width = columns.reduce((sum, { elements }) => sum + elements.length, 1);
  let values = 0;
  for await (const row of readTable(path, (name) => names.has(name))) {
    const frames = wanted.get(toNumber(row.episode_index));
    const timeS = toNumber(row.timestamp);
    if (!frames || !Number.isFinite(timeS)) continue;
    values += width;
    if (values > MAX_VALUES) {
      throw recordingProblem.dataset_unreadable(`A table has more than ${MAX_VALUES} values of the episodes.`);
    }
    frames.push({ timeS, row: columns.flatMap(({ name, elements }) => toElements(row[name], elements.length)) });
  }
  return [...wanted].map(([index, frames]) => {
    const ordered = frames
      .sort((a, b) => a.timeS - b.timeS)
      .filter(({ timeS }, i, all) => i === 0 || timeS > all[i - 1]!.timeS);
    const startS = ordered[0]?.timeS ?? 0;
    let at = 0;
    const ofColumn = ({ elements }: DatasetColumn) =>
      elements.map(() => {
        const position = at++;
        return Float64Array.from(ordered, ({ row }) => row[position]!);
      });
    return {
      index,
      // Tables have times of single precision.
      timeS: Float64Array.from(ordered, ({ timeS }) => Math.round((timeS - startS) * 1e6) / 1e6),
      values: columns.map(ofColumn),
    };
  });
}

function toElements(value: unknown, length: number): number[] {
  const list = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as ArrayLike<unknown>) : [value];
  return Array.from({ length }, (_, i) => toNumber(list[i]));
}

/** Streams the rows of a table, with those of its columns that `isWanted` selects. */
async function* readTable(path: string, isWanted: (name: string) => boolean, maxRows = MAX_ROWS): AsyncGenerator<Row> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const buffer = {
    byteLength: size,
    async slice(start: number, end = size): Promise<ArrayBuffer> {
      const length = Math.max(0, Math.min(end, size) - start);
      const bytes = new ArrayBuffer(length);
      await file.read(new Uint8Array(bytes), 0, length, start);
      return bytes;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(buffer);
    const total = Number(metadata.num_rows);
    if (!(total <= maxRows)) throw new Error(`it states ${total} rows, more than the ${maxRows} that may be read`);
    const columns = topLevelColumns(metadata.schema).filter(isWanted);
    for (let rowStart = 0; rowStart < total; rowStart += ROWS_AT_ONCE) {
      const rowEnd = Math.min(total, rowStart + ROWS_AT_ONCE);
      const how = { file: buffer, metadata, columns, rowStart, rowEnd, compressors: COMPRESSORS };
      yield* (await parquetReadObjects(how)) as Row[];
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { message } = error as Error;
    throw recordingProblem.dataset_unreadable(`A table of the dataset cannot be read: ${message.slice(0, 200)}.`);
  }
}

type SchemaElement = Awaited<ReturnType<typeof parquetMetadataAsync>>['schema'][number];

/** Names of the columns below the root of a schema, which is stored in depth-first order. */
function topLevelColumns(schema: readonly SchemaElement[]): string[] {
  const names: string[] = [];
  const skip = (at: number): number => {
    let next = at + 1;
    for (let child = 0; child < (schema[at]?.num_children ?? 0) && next < schema.length; child++) next = skip(next);
    return next;
  };
  for (let at = 1; at < schema.length; at = skip(at)) names.push(schema[at]!.name);
  return names;
}
