import type { News } from '#features/events/index';
import type { FolderScope, StoredScope } from '#features/folders/index';
import type { Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Probe } from '#platform/media/index';
import type { Problem } from '#platform/problem';
import type { Quota } from './space-store.ts';

/** On its way, there, or not to be had. What analyses make of a video is never said here. */
export type VideoState = 'PREPARE_IN_PROGRESS' | 'UPLOADED' | 'UPLOADING_FAILED';

export type Video = {
  id: string;
  orgId: string;
  ownerId: string;
  /** `user`: the owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it. */
  scope: StoredScope;
  folderId: string | null;
  folderName: string | null;
  /** The name it was given, for display; never part of a path. */
  name: string;
  /** How it came: `file`, `video_url`. */
  source: string;
  sourceUri: string | null;
  status: VideoState;
  /** Why it could not be stored. */
  problem: { code: string; message: string } | null;
  storageKey: string;
  sizeBytes: number | null;
  /** Lower-case hex. */
  sha256: string | null;
  /** Seconds of presentation time. */
  durationS: number | null;
  /** Pixels, as shown. */
  width: number | null;
  height: number | null;
  /** Average frames per second, where the file says one. */
  frameRate: number | null;
  probe: Probe | null;
  /** What came with the video, such as what of its sidecar is understood. */
  metadata: Record<string, unknown>;
  /** What users say of it. */
  userMetadata: UserMetadata;
  tags: string[];
  createdAt: Date;
  /** Until when it can be restored, of a deleted one. */
  eraseAfter: Date | null;
};

export type UserMetadata = Record<string, string | number | boolean>;

export type NewVideo = Pick<
  Video,
  'id' | 'orgId' | 'ownerId' | 'scope' | 'folderId' | 'name' | 'source' | 'sourceUri' | 'metadata'
> & {
  /** Whether a connection brings the bytes: it then has to call `touch` every few seconds, or the video is given up. */
  heartbeat: boolean;
  /** How many bytes of the organisation's space are held free for it; default: none, and what comes is counted once it is there. */
  reserveBytes?: number;
};

/** How many videos and bytes an organisation may have; null: as many as it likes. */
export type SpaceLimits = { videos: number | null; bytes: number | null };

export type StoredFacts = { probe: Probe; sizeBytes: number; sha256: string };

/** What a user may change. Left out: stays; a `folderId` of null takes it out of its folder; metadata is merged, and null drops a name. */
export type VideoChanges = {
  name?: string | null;
  folderId?: string | null;
  tags?: readonly string[] | null;
  metadata?: Record<string, UserMetadata[string] | null> | null;
};

/** What became of one of many: done, or why not. */
export type Outcome = { videoId: string; problem: Problem | null };

export type Sort = 'created_at' | '-created_at' | 'name' | '-name';

export type ListOptions = {
  /** Name of a folder; a personal one comes first. */
  folder?: string | null;
  folderId?: string | null;
  scope?: FolderScope | 'sample' | null;
  status?: VideoState | null;
  nameContains?: string | null;
  tag?: string | null;
  source?: string | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
  /** Those that can be restored, instead of those that are there. */
  deleted?: boolean | null;
  /** A minus: descending. Without it newest first. */
  sort?: Sort | null;
  limit: number;
  cursor?: string | null;
};

export type VideoPage = {
  videos: Video[];
  /** Give it to `list` to get what follows; null at the end. */
  nextCursor: string | null;
};

export interface Videos {
  /** The video, if the caller may see it. Throws `video_not_found` (404) or `video_forbidden` (403). */
  get(caller: Caller, id: string): Promise<Video>;
  /** Those videos in their order, doubles kept, in one query. Throws as `get` does, naming the first id that is wrong. */
  getMany(caller: Caller, ids: readonly string[]): Promise<Video[]>;
  /** The same for who wants to change it. Throws `video_read_only` (403) for samples. */
  getWritable(caller: Caller, id: string): Promise<Video>;
  /** Of these ids those of videos that the caller sees. */
  seenOf(caller: Caller, ids: readonly string[]): Promise<Set<string>>;
  /** For workers, who may see everything. Null for what is unknown or deleted. */
  find(id: string): Promise<Video | null>;
  /** Whether the caller's key reaches the folders of all these videos, as far as they are still known, deleted or not. */
  reachesAll(caller: Caller, ids: readonly string[]): Promise<boolean>;
  /** Where videos came from, of those that came from somewhere and are there; who may know is for the caller to say. */
  sourceUris(ids: readonly string[]): Promise<Map<string, string | null>>;
  /**
   * The videos that the caller sees, of a folder or of all, page by page. Throws what the folder's room says of the folder, or
   * `cursor_invalid` (400).
   */
  list(caller: Caller, options: ListOptions): Promise<VideoPage>;

  /**
   * Makes the record before the first byte comes, and counts it in its folder. Returns where the bytes go. Throws `quota_exceeded` (403).
   */
  create(trx: Transaction, video: NewVideo): Promise<{ storageKey: string }>;
  /** The same for several of one organisation. */
  createAll(trx: Transaction, videos: readonly NewVideo[]): Promise<void>;
  /** What was learnt about a video while it came. False when it is not on its way any more. */
  amend(
    trx: Transaction,
    id: string,
    changes: Partial<Pick<Video, 'name' | 'scope' | 'folderId' | 'metadata'>>,
  ): Promise<boolean>;
  /** A sign of life of the connection that brings the bytes. False when the video is not on its way any more: stop. */
  touch(id: string): Promise<boolean>;
  /** Notes what came beside a video, on its way or there, in place of what was. Publishes `video.sidecar`. False when it is deleted. */
  setSidecar(trx: Transaction, id: string, summary: Record<string, unknown>): Promise<boolean>;
  /** Holds this much of the organisation's space free for a video on its way, in place of what was. Throws `quota_exceeded` (403). */
  reserve(trx: Transaction, id: string, bytes: number): Promise<void>;
  /**
   * The bytes are there and are a video; the same bytes of another video of the organisation are kept once. Publishes `videos.ready`. False
   * when the video is not on its way any more. Throws `quota_exceeded` (403).
   */
  markReady(trx: Transaction, id: string, facts: StoredFacts): Promise<boolean>;
  /** The same for several of one organisation. Returns the ids of those that were on their way. */
  markAllReady(trx: Transaction, videos: readonly ({ id: string } & StoredFacts)[]): Promise<string[]>;
  /** The bytes will not come, or are no video. Publishes `video.failed`. False when the video is not on its way any more. */
  markFailed(trx: Transaction, id: string, code: string, message: string): Promise<boolean>;
  /** The same in a transaction of its own, after its files are removed. */
  giveUp(id: string, problem: { code: string; message: string }): Promise<void>;
  /** Takes back a video that is not there and that nobody was told of, with all of its files: as if it had never been begun. */
  discard(id: string): Promise<void>;
  /**
   * Renames, moves, tags or describes it. A video in a folder has the folder's scope. Throws as `get` does, or `video_shared` (409) when a
   * video that others see would go into a personal folder, or `video_metadata_invalid` (400).
   */
  change(caller: Caller, id: string, changes: VideoChanges): Promise<Video>;
  /** Moves each into the folder, or out of its own; doubles once, in their order. Throws what the folder's room says of the folder. */
  moveMany(caller: Caller, ids: readonly string[], folderId: string | null): Promise<Outcome[]>;
  /**
   * Deletes it: it is gone for everyone at once. Its files go when the time to restore it is over, or soon when `erase` asks for that or
   * it never arrived; also when this process dies now. Publishes `video.deleted`. Returns until when it can be restored, if it can.
   */
  remove(caller: Caller, id: string, options?: { erase?: boolean | null }): Promise<{ restorableUntil: Date | null }>;
  /** Deletes each; doubles once, in their order. */
  removeMany(caller: Caller, ids: readonly string[], options?: { erase?: boolean | null }): Promise<Outcome[]>;
  /** Brings a deleted video back with what was found in it, into its folder if that is there still and keeps it. Publishes `video.restored`. Throws as `get` does when it is not deleted, or erased. */
  restore(caller: Caller, id: string): Promise<Video>;
  /** Restores each; doubles once, in their order. */
  restoreMany(caller: Caller, ids: readonly string[]): Promise<Outcome[]>;
  /**
   * Holds so much more, or less, of the organisation's space for what is no video and becomes some. Locks the organisation's row: do it last.
   * Throws `quota_exceeded` (403).
   */
  holdSpace(trx: Transaction, orgId: string, bytes: number): Promise<void>;
  /** What the organisation takes up, and the limits that hold for it; null: none. */
  quota(orgId: string): Promise<Quota>;
  /** A folder goes: its videos leave it, or go too. */
  onFolderDeleted(trx: Transaction, news: News['folder.deleted']): Promise<void>;

  /** Gives up uploads whose connection went silent, deletes what its folder keeps no longer, and sees that what was deleted is erased. Runs every minute on a worker. */
  sweep(): Promise<void>;
  /** Registers the handlers of this room's jobs. */
  work(): void;
}
