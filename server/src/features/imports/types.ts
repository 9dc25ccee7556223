import type { FolderScope } from '#features/folders/index';
import type { Bucket, ObjectInfo, ProviderName } from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import type { ObjectSelection } from './selection.ts';

export type ImportJobStatus = 'importing' | 'completed' | 'partial' | 'failed' | 'cancelled';
export type ImportRowStatus = 'PROCESSING' | 'UPLOADED' | 'UPLOADING_FAILED';
/** Reason for a failure: an error code of the API and its sentence. */
export type FailureReason = { code: string; message: string };

export type ImportJob = {
  id: string;
  orgId: string;
  ownerId: string;
  scope: FolderScope;
  folderId: string | null;
  folderName: string | null;
  integrationId: string | null;
  syncId: string | null;
  provider: ProviderName;
  bucket: string;
  /** Server of the bucket; empty for the provider's own. */
  endpoint: string;
  /** True if objects that were imported before are imported again. */
  force: boolean;
  /** True if the bucket is read without an integration: it is public, or granted this deployment's account access. */
  public: boolean;
  /** Objects of the bucket to import; null if the request named them. */
  selection: ObjectSelection | null;
  /** True if sidecar files (same name, other extension) are imported with their videos. */
  sidecars: boolean;
  /** True if its objects are views of sets. */
  multiView: boolean;
  /** Format of recordings that are imported by directory; null for other imports. */
  format: string | null;
  status: ImportJobStatus;
  /** True once all rows exist. */
  listed: boolean;
  listCursor: string | null;
  /** Number of rows: objects, or sets of views. */
  total: number;
  /** Number of objects; each view of a set counts. */
  objects: number;
  uploaded: number;
  /** Number of those in `uploaded` that were imported before and are not imported again. */
  skipped: number;
  failed: number;
  problem: FailureReason | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
};

/** An object of an import job, and the video that it becomes. */
export type ImportRow = {
  videoId: string;
  jobId: string;
  /** Counts from 1 without gaps; null for the other views of a set. */
  position: number | null;
  /** Video of the set's front view. */
  setId: string | null;
  view: string | null;
  /** Name and folder of a recording that is imported by directory; null: those of its object and job. */
  name: string | null;
  folderId: string | null;
  key: string;
  /** Files of a recording that consists of several objects, as its format stores them; null: the object `key`. */
  content: RecordingContent | null;
  /** See `toObjectId`. */
  objectId: string;
  /** Video of an object that was imported before; this row then creates none. */
  existingVideoId: string | null;
  version: string | null;
  /** Version that was read, if it differs: the object was replaced before the transfer. */
  importedVersion: string | null;
  sizeBytes: number | null;
  status: ImportRowStatus;
  /** True once its record (a video, or an ingest of a recording) exists. */
  recordCreated: boolean;
  attempts: number;
  problem: FailureReason | null;
};

/** An object to import, with its destination. */
export type SourceObject = {
  id: string;
  /** Name in the library; null: that of the object. */
  name: string | null;
  key: string;
  content: RecordingContent | null;
  uri: string;
  objectId: string;
  version: string | null;
  sizeBytes: number | null;
  job: Pick<ImportJob, 'id' | 'orgId' | 'ownerId' | 'scope' | 'folderId' | 'provider' | 'sidecars'>;
};

/** Which files of the bucket a recording consists of; `files` are keys. Formats add what they need. */
export type RecordingContent = { files: string[] };

/** A recording in a directory. `key` identifies it in the bucket, even if there is no such object. */
export type DirectoryRecording = {
  key: string;
  /** Distinguishes it from the other recordings of the directory. */
  label: string;
  version: string | null;
  sizeBytes: number;
  content: RecordingContent | null;
};

/** A format of recordings that are imported by directory. Other rooms pass theirs to `createImports`. */
export type DirectoryFormat = {
  /**
   * Finds the recordings of a directory among its objects, whose keys start with `prefix`; none if it has none. Throws
   * a Problem (400) if the directory cannot be imported.
   */
  findRecordings(
    directory: { bucket: Bucket; prefix: string; objects: readonly ObjectInfo[]; orgId: string },
    signal: AbortSignal,
  ): Promise<DirectoryRecording[]>;
};

/** Identifies the contents of an object, to find out whether it was imported before. */
export type ObjectVersion = Pick<ImportRow, 'objectId' | 'version' | 'sizeBytes'>;
/** Owner of an import and scope of its videos. */
export type ImportVisibility = Pick<ImportJob, 'orgId' | 'ownerId' | 'scope'>;

/** Reads objects of the source bucket. */
export type ObjectReader = {
  /** Streams the object from its first byte. */
  read(key: string): AsyncIterable<Buffer>;
  /** Reads a small object whole; null if it does not exist. Throws a Problem if it is larger than `maxBytes`. */
  readSmall(key: string, maxBytes: number): Promise<Buffer | null>;
};

/**
 * A kind of object that can be imported. Videos are one kind; other rooms pass theirs to `createImports` and get the
 * leases, retries, limits and cancellation of import rows.
 */
export type ObjectKind<Stored = unknown> = {
  /** Name of the kind in the API. */
  name: string;
  /** Extensions of its object names: lower case, with the dot. */
  extensions: readonly string[];
  /** State of the record with this id; null if it was deleted or never created. */
  getRecordState(id: string): Promise<'pending' | 'failed' | null>;
  /** Ids of existing records by `objectId`, if the importing user may see them. Omits failed and deleted records. */
  findExisting(
    trx: Transaction,
    visibility: ImportVisibility,
    objects: readonly ObjectVersion[],
  ): Promise<Map<string, string>>;
  /** Creates the records of objects of one import, under the given ids. */
  createRecords(trx: Transaction, objects: readonly SourceObject[]): Promise<void>;
  /** Stores the object's bytes. Throws a Problem if the object cannot be imported. */
  store(object: SourceObject, reader: ObjectReader, signal: AbortSignal): Promise<Stored>;
  /** Marks records as ready, in the transaction that completes their rows. Returns false if one was deleted. */
  markReady(trx: Transaction, objects: readonly { id: string; stored: Stored }[]): Promise<boolean>;
  /** Marks the record, if there is one, as failed. */
  markFailed(trx: Transaction, id: string, problem: FailureReason): Promise<void>;
  /** Deletes the record of a failed attempt. */
  discard(id: string): Promise<void>;
  /** Counts those of these records that are still processed after their transfer, and those that failed. */
  countProcessing?(ids: readonly string[]): Promise<Processing>;
  /** Lists the videos that these records became, by record. */
  listVideos?(ids: readonly string[]): Promise<Map<string, string[]>>;
};

export type Processing = { pending: number; failed: number };

/** All kinds. The first one takes objects whose name has no known extension. */
export type ObjectKinds = readonly [ObjectKind, ...ObjectKind[]];

/** Folder and scope of new videos, and import options. */
export type ImportDestination = {
  folderId: string | null;
  scope: FolderScope | null;
  sidecars: boolean;
  force: boolean;
};
/** Objects that a request names: by name, as sets of views by role, or by a selection. */
export type RequestedObjects =
  | { names: readonly string[] }
  | { sets: readonly Record<string, string>[] }
  | { selection: ObjectSelection | null };

export type StartedImport = { job: ImportJob; videoIds: string[] };
export type ImportRowsPage = {
  job: ImportJob;
  /** `kind`: name of the object's kind. `views`: all views of a set. `videoIds`: videos that a recording became. */
  rows: (ImportRow & { kind: string; views: ImportRow[] | null; videoIds: string[] | null })[];
  hasMore: boolean;
};
