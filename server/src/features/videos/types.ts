import type { FolderScope } from '#features/folders/index';
import type { Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Probe } from '#platform/media/index';

/** On its way, there, or not to be had. What analyses make of a video is never said here. */
export type VideoState = 'PREPARE_IN_PROGRESS' | 'UPLOADED' | 'UPLOADING_FAILED';

export type Video = {
  id: string;
  orgId: string;
  ownerId: string;
  /** `user`: the owner sees it; `org`: everyone in the organisation does. */
  scope: FolderScope;
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
  /** What the client said about the video. */
  metadata: Record<string, unknown>;
  createdAt: Date;
};

export type NewVideo = Pick<
  Video,
  'id' | 'orgId' | 'ownerId' | 'scope' | 'folderId' | 'name' | 'source' | 'sourceUri' | 'metadata'
> & {
  /** Whether a connection brings the bytes: it then has to call `touch` every few seconds, or the video is given up. */
  heartbeat: boolean;
};

export type StoredFacts = { probe: Probe; sizeBytes: number; sha256: string };

export type VideoPage = {
  /** Newest first. */
  videos: Video[];
  /** Give it to `list` to get what follows; null at the end. */
  nextCursor: string | null;
};

export interface Videos {
  /** The video, if the caller may see it. Throws `video_not_found` (404) or `video_forbidden` (403). */
  get(caller: Caller, id: string): Promise<Video>;
  /** Those videos in their order, doubles kept, in one query. Throws as `get` does, naming the first id that is wrong. */
  getMany(caller: Caller, ids: readonly string[]): Promise<Video[]>;
  /** For workers, who may see everything. Null for what is unknown or deleted. */
  find(id: string): Promise<Video | null>;
  /** Where videos came from, of those that came from somewhere and are there; who may know is for the caller to say. */
  sourceUris(ids: readonly string[]): Promise<Map<string, string | null>>;
  /** A folder's videos, or without one all the caller sees, newest first. */
  list(
    caller: Caller,
    options: { folder?: string | null; scope?: FolderScope | 'sample' | null; limit: number; cursor?: string | null },
  ): Promise<VideoPage>;

  /** Makes the record before the first byte comes, and counts it in its folder. Returns where the bytes go; all else of a video lies beside them. */
  create(trx: Transaction, video: NewVideo): Promise<{ storageKey: string }>;
  /** What was learnt about a video while it came. False when it is not on its way any more. */
  amend(
    trx: Transaction,
    id: string,
    changes: Partial<Pick<Video, 'name' | 'scope' | 'folderId' | 'metadata'>>,
  ): Promise<boolean>;
  /** A sign of life of the connection that brings the bytes. False when the video is not on its way any more: stop. */
  touch(id: string): Promise<boolean>;
  /** The bytes are there and are a video. Publishes `video.ready`. False when the video is not on its way any more. */
  markReady(trx: Transaction, id: string, facts: StoredFacts): Promise<boolean>;
  /** The bytes will not come, or are no video. Publishes `video.failed`. False when the video is not on its way any more. */
  markFailed(trx: Transaction, id: string, code: string, message: string): Promise<boolean>;
  /** Takes back a video that is not there and that nobody was told of, with all of its files: as if it had never been begun. */
  discard(id: string): Promise<void>;
  /** Deletes it: it is gone for everyone at once, its files go soon after, also when this process dies now. Publishes `video.deleted`. */
  remove(caller: Caller, id: string): Promise<void>;

  /** Gives up the uploads whose connection went silent, and sees to it that what was deleted is erased. Runs every minute on a worker. */
  sweep(): Promise<void>;
  /** Registers the handlers of this room's jobs. */
  work(): void;
}
