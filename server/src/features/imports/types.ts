import type { FolderScope } from '#features/folders/index';
import type { ProviderName } from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import type { Selection } from './selection.ts';

export type JobStatus = 'importing' | 'completed' | 'partial' | 'failed' | 'cancelled';
export type RowStatus = 'PROCESSING' | 'UPLOADED' | 'UPLOADING_FAILED';

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
  /** The bucket's server, empty for the provider's own. */
  endpoint: string;
  /** Whether objects that were imported already are imported again. */
  force: boolean;
  /** Whether the bucket is open to all, and read without an integration. */
  public: boolean;
  /** What of the bucket is brought; null: objects were named. */
  selection: Selection | null;
  /** Whether what lies beside a video under the same name comes with it. */
  sidecars: boolean;
  /** Whether its objects are views of sets. */
  multiView: boolean;
  status: JobStatus;
  /** Whether all of its rows are there. */
  listed: boolean;
  listCursor: string | null;
  /** Rows: objects, or sets of views. */
  total: number;
  /** Objects, each view of a set counted. */
  objects: number;
  uploaded: number;
  /** Those of `uploaded` that were imported already, and are not imported again. */
  skipped: number;
  failed: number;
  problem: { code: string; message: string } | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
};

/** An object that becomes a video. */
export type Row = {
  videoId: string;
  jobId: string;
  /** From 1 on without gaps; null of a set's other views. */
  position: number | null;
  /** The video of the set's front view. */
  setId: string | null;
  view: string | null;
  key: string;
  /** See `objectIdOf`. */
  objectId: string;
  /** The video of an object that was imported already; this row has none of its own. */
  knownVideoId: string | null;
  version: string | null;
  /** The version that was brought, where it is another: the object was replaced before it was read. */
  readVersion: string | null;
  sizeBytes: number | null;
  status: RowStatus;
  /** Whether its record is in the library. */
  begun: boolean;
  attempts: number;
  problem: { code: string; message: string } | null;
};

/** What there is to know of an object for whoever takes it in. */
export type Arriving = {
  id: string;
  key: string;
  uri: string;
  objectId: string;
  version: string | null;
  sizeBytes: number | null;
  job: Pick<ImportJob, 'id' | 'orgId' | 'ownerId' | 'scope' | 'folderId' | 'provider' | 'sidecars'>;
};

/** An object in a bucket as it is known again. */
export type ImportedObject = Pick<Row, 'objectId' | 'version' | 'sizeBytes'>;
/** Whose import it is, and who will see what it brings. */
export type Viewer = Pick<ImportJob, 'ownerId' | 'scope'>;

/** How an object is read; each call begins anew. */
export type Source = {
  bytes(key: string): AsyncIterable<Buffer>;
  /** The whole of a small object; null when there is none. Throws a Problem when it is larger than `maxBytes`. */
  small(key: string, maxBytes: number): Promise<Buffer | null>;
};

/**
 * What becomes of one kind of object. Videos are one kind; a room that takes in another hands its own to `createImports`, and all that holds for
 * rows (leases, tries, limits, cancelling) holds for it.
 */
export type ObjectKind<Brought = unknown> = {
  /** What rows call it. */
  name: string;
  /** Endings of the names of its objects, lower case, with the dot. */
  extensions: readonly string[];
  /** How the record of this id stands: on its way, failed, or, deleted or never made, null. */
  stateOf(id: string): Promise<'arriving' | 'failed' | null>;
  /** Which of the objects the viewer has already: the ids of their records by `objectId`. Failed and deleted ones do not count. */
  known(trx: Transaction, viewer: Viewer, objects: readonly ImportedObject[]): Promise<Map<string, string>>;
  /** Makes the records of objects of one import, under the ids that were given out. */
  begin(trx: Transaction, objects: readonly Arriving[]): Promise<void>;
  /** Takes the object in. Returns what `finish` needs of it. Throws a Problem that says why the object cannot be taken. */
  receive(object: Arriving, source: Source, signal: AbortSignal): Promise<Brought>;
  /** Makes the records of received objects ready, in the transaction that settles their rows. False when one of them is gone. */
  finish(trx: Transaction, received: readonly { id: string; brought: Brought }[]): Promise<boolean>;
  /** Says of the record, if there is one, why it did not come. */
  fail(trx: Transaction, id: string, problem: { code: string; message: string }): Promise<void>;
  /** Takes away the record of a try that failed. */
  discard(id: string): Promise<void>;
};

/** All kinds. The first takes what the names of the others do not say. */
export type Kinds = readonly [ObjectKind, ...ObjectKind[]];
