import pLimit from 'p-limit';
import { type Bucket, type ObjectInfo, type ProviderName, toObjectUri } from '#features/integrations/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from '../problems.ts';
import type { SourceBucket, SourceBuckets } from '../source-bucket.ts';
import { toShownVideoId } from '../transfer/row-store.ts';
import type { DirectoryFormat, DirectoryRecording, ImportJob } from '../types.ts';
import type { ImportStarter } from './import-starter.ts';
import type { NamedRow, NamedRows } from './named-rows.ts';

/** Directories that are listed concurrently. */
const CONCURRENCY = 16;
/** Pages of up to 1,000 objects that are read of a directory. */
const MAX_PAGES = 20;
const MAX_RECORDINGS = 10_000;

/** A directory that contains the files of one recording. */
export type RecordingDirectory = { sourceUri: string; name: string | null; folderId: string | null };
export type RecordingsRequest = {
  format: string;
  scope: ImportJob['scope'] | null;
  directories: readonly RecordingDirectory[];
};
/** `videoId`: id of the file's ingest. */
export type StartedRecording = { videoId: string; sourceUri: string };
type Directory = RecordingDirectory & { prefix: string };
type Deps = {
  database: Database;
  sources: Pick<SourceBuckets, 'withRequested'>;
  starter: Pick<ImportStarter, 'resolveDestination' | 'createJob'>;
  namedRows: NamedRows;
  formats: Readonly<Record<string, DirectoryFormat>>;
};

/** Starts imports of recordings by directory: each recording becomes a row, and all ids exist at once. */
export function createDirectoryStarter({ database, sources, starter, namedRows, formats }: Deps) {
  async function insertJob(
    caller: Caller,
    source: SourceBucket,
    request: Pick<RecordingsRequest, 'format'> & Pick<ImportJob, 'scope'>,
    rows: NamedRow[],
  ): Promise<{ jobId: string; recordings: StartedRecording[] }> {
    return database.transaction(async (trx) => {
      const settings = {
        folderId: null,
        sidecars: false,
        force: false,
        selection: null,
        multiView: false,
        syncId: null,
      };
      const job = await starter.createJob(trx, caller, source, { ...settings, ...request });
      const inserted = await namedRows.insert(trx, job, rows);
      const recordings = inserted.map((row) => ({
        videoId: toShownVideoId(row),
        sourceUri: toObjectUri(source.provider, source.bucketName, row.key),
      }));
      return { jobId: job.id, recordings };
    });
  }

  /**
   * Throws `recording_format_unknown`, `import_invalid` or `import_nothing_found` (400): nothing is imported then. A
   * recording that was imported before keeps its name and folder.
   */
  return async (
    caller: Caller,
    { format, scope: requestedScope, directories }: RecordingsRequest,
    signal: AbortSignal,
  ): Promise<{ jobId: string; recordings: StartedRecording[] }> => {
    const reader = Object.hasOwn(formats, format) ? formats[format]! : null;
    if (!reader) {
      throw problems.recording_format_unknown(
        `The \`source_format\` "${format}" is not supported. This service imports recordings in: ${Object.keys(formats).join(', ')}.`,
      );
    }
    const { provider, bucket, parsed } = parseDirectories(directories);
    let scope = requestedScope;
    for (const folderId of new Set(parsed.map((directory) => directory.folderId))) {
      const place = await starter.resolveDestination(caller, { folderId, scope });
      // Videos of one import have one scope: that of the first folder, if none was requested.
      if (folderId !== null) scope ??= place.scope;
    }
    const findRecordings = async (bucket: Bucket, directory: Directory, orgId: string, signal: AbortSignal) => {
      const objects = await listFiles(bucket, directory, signal);
      const { prefix, sourceUri } = directory;
      const found = await reader.findRecordings({ bucket, prefix, objects, orgId }, signal);
      if (found.length > 0) return found;
      throw problems.import_nothing_found(
        `The directory "${sourceUri}" contains no recording in the format "${format}".`,
      );
    };
    return sources.withRequested(caller, { provider, bucket, integrationId: null }, async (source) => {
      const limit = pLimit(CONCURRENCY);
      const listed = await limit.map(parsed, async (directory) => ({
        directory,
        recordings: await findRecordings(source.bucket, directory, caller.orgId, signal),
      }));
      const rows = listed.flatMap(toRows).map((row, i) => ({ ...row, position: i + 1 }));
      if (rows.length > MAX_RECORDINGS) {
        throw problems.import_invalid(
          `The directories contain ${rows.length} recordings; an import has at most ${MAX_RECORDINGS}. Send fewer of them.`,
        );
      }
      return insertJob(caller, source, { format, scope: scope ?? 'user' }, rows);
    });
  };
}

/** Throws `import_invalid` (400) for directories of several buckets, and for one that contains another. */
function parseDirectories(directories: readonly RecordingDirectory[]) {
  const parsed = directories.map((directory) => {
    const [, scheme, bucket, path] = /^(gs|s3):\/\/([^/]+)\/(.+?)\/*$/.exec(directory.sourceUri) ?? [];
    if (!scheme || !bucket || !path) {
      throw problems.import_invalid(`"${directory.sourceUri}" is not a directory of a bucket: gs://bucket/directory/.`);
    }
    const provider: ProviderName = scheme === 'gs' ? 'gcs' : 's3';
    return { ...directory, provider, bucket, prefix: `${path}/` };
  });
  const [first] = parsed;
  const { provider, bucket } = first!;
  if (parsed.some((other) => other.provider !== provider || other.bucket !== bucket)) {
    throw problems.import_invalid('Each request imports from one bucket; send one request per bucket.');
  }
  // In this order, a directory directly precedes those that it contains.
  const sorted = parsed.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1));
  const nested = sorted.find(({ prefix }, i) => i > 0 && prefix.startsWith(sorted[i - 1]!.prefix));
  if (nested) {
    throw problems.import_invalid(`"${nested.sourceUri}" is named twice, or is inside another of the directories.`);
  }
  return { provider, bucket, parsed };
}

/** Files in a directory and below it. Throws `import_invalid` (400) if there are too many. */
async function listFiles(bucket: Bucket, { prefix, sourceUri }: Directory, signal: AbortSignal): Promise<ObjectInfo[]> {
  const files: ObjectInfo[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await bucket.list({ prefix, cursor }, signal);
    files.push(...listed.objects.filter(({ size }) => size > 0));
    cursor = listed.cursor;
    if (cursor === null) return files;
  }
  throw problems.import_invalid(
    `The directory "${sourceUri}" has more than ${MAX_PAGES * 1_000} objects. Name directories of single recordings.`,
  );
}

/** Rows of the recordings of a directory. If there are several, their names start with that of the directory. */
function toRows({
  directory,
  recordings,
}: {
  directory: Directory;
  recordings: DirectoryRecording[];
}): Omit<NamedRow, 'position'>[] {
  const base = directory.name?.trim() || directory.prefix.slice(0, -1).split('/').at(-1)!;
  return recordings.map(({ key, label, version, sizeBytes, content }) => ({
    videoId: newId(),
    setId: null,
    view: null,
    problem: null,
    folderId: directory.folderId,
    key,
    content,
    version,
    sizeBytes,
    name: recordings.length === 1 ? base : `${base} ${label}`,
  }));
}
