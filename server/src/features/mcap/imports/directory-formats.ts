import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DatasetInfo,
  type EpisodeGroup,
  groupByFile,
  groupEpisodes,
  parseDatasetInfo,
  parseEpisodeTasks,
  type Recordings,
  recordingProblem,
} from '#engine/robot-logs/index';
import { type Bucket, type ObjectInfo, readObject } from '#features/integrations/index';
import type { Storage } from '#platform/storage/index';
import { removeNul } from '../convert/index.ts';

type Directory = { bucket: Bucket; prefix: string; objects: readonly ObjectInfo[]; orgId: string };
type FoundRecording = {
  key: string;
  label: string;
  version: string | null;
  sizeBytes: number;
  content: EpisodeGroup | null;
};
export type DirectoryFormatDeps = {
  recordings: Pick<Recordings, 'readEpisodeTable'>;
  storage: Pick<Storage, 'scratch'>;
};

const INFO = 'meta/info.json';
const TASKS = 'meta/episodes.jsonl';
const MAX_INFO_BYTES = 2 ** 20;
/** Most bytes of the files that list the episodes of a dataset. */
const MAX_TABLE_BYTES = 64 * 2 ** 20;
const MAX_TABLES = 1_000;
/** Most bytes of the file with the tasks of a dataset of version 2, which is parsed here. */
const MAX_TASKS_BYTES = 8 * 2 ** 20;

/** Formats of recordings that are imported by directory. */
export function createDirectoryFormats({ recordings, storage }: DirectoryFormatDeps) {
  /** Reads the table of episodes of a dataset of version 3, in a media process. */
  async function readEpisodes(
    { cameras }: DatasetInfo,
    { bucket, prefix, objects, orgId }: Directory,
    signal: AbortSignal,
  ) {
    const tables = objects.filter(
      ({ key }) => key.startsWith(`${prefix}meta/episodes/`) && key.toLowerCase().endsWith('.parquet'),
    );
    const bytes = tables.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_TABLE_BYTES || tables.length > MAX_TABLES) {
      throw recordingProblem.dataset_unreadable(
        `The tables in meta/episodes have ${bytes} bytes in ${tables.length} files; at most ${MAX_TABLE_BYTES} bytes in ${MAX_TABLES} files are read.`,
      );
    }
    await using folder = await storage.scratch();
    const paths = tables.map((_, i) => join(folder.path, `${i}.parquet`));
    for (const [i, { key }] of tables.entries()) {
      await writeFile(paths[i]!, await readWhole(bucket, key, MAX_TABLE_BYTES, signal));
    }
    return await recordings.readEpisodeTable({ paths, cameras }, { signal, orgId });
  }

  async function groupDataset(info: DatasetInfo, directory: Directory, signal: AbortSignal): Promise<EpisodeGroup[]> {
    const { bucket, prefix, objects } = directory;
    const keys = new Set(objects.map(({ key }) => key));
    const has = (path: string) => keys.has(prefix + path);
    if (info.layout === 3) return groupByFile(info, await readEpisodes(info, directory, signal), has);
    const tasks = has(TASKS)
      ? parseEpisodeTasks(String(await readWhole(bucket, prefix + TASKS, MAX_TASKS_BYTES, signal)), info.episodes)
      : new Map<number, string[]>();
    return groupEpisodes(info, tasks, has);
  }

  const mcap = {
    async findRecordings({ prefix, objects }: Directory): Promise<FoundRecording[]> {
      const files = objects.filter(({ key }) => key.toLowerCase().endsWith('.mcap'));
      return files.map(({ key, version, size }) => ({
        key,
        label: key.slice(prefix.length),
        version: version || null,
        sizeBytes: size,
        content: null,
      }));
    },
  };

  const lerobot = {
    /** Each group of episodes that share files is a recording. Throws `dataset_unreadable` (400). */
    async findRecordings(directory: Directory, signal: AbortSignal): Promise<FoundRecording[]> {
      const { bucket, prefix, objects } = directory;
      const byKey = new Map(objects.map((object) => [object.key, object]));
      const stated = byKey.get(prefix + INFO);
      if (!stated) {
        throw recordingProblem.dataset_unreadable(`The directory has no ${INFO}, so it is not a dataset of LeRobot.`);
      }
      const info = parseDatasetInfo(String(await readWhole(bucket, stated.key, MAX_INFO_BYTES, signal)));
      const groups = await groupDataset(info, directory, signal);
      return groups.map((group) => {
        const files = group.files.map((path) => byKey.get(prefix + path)!);
        // Without the other facts of the dataset: one that grows does not change the recordings that it had.
        const version = createHash('sha256').update(JSON.stringify(group));
        for (const file of files) version.update(`${file.key} ${file.version} ${file.size}\n`);
        return {
          key: `${prefix}${group.label}.lerobot`,
          label: group.label,
          version: version.digest('hex').slice(0, 32),
          sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
          content: removeNul({ ...group, files: files.map(({ key }) => key) }),
        };
      });
    },
  };
  return { mcap, lerobot } as const;
}

async function readWhole(bucket: Bucket, key: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readObject(bucket, key, signal)) {
    size += chunk.length;
    if (size > maxBytes) {
      throw recordingProblem.dataset_unreadable(
        `"${key.slice(0, 200)}" is larger than the limit of ${maxBytes} bytes.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
