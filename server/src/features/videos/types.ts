import type { DomainEvents } from '#features/events/index';
import type { FolderScope, StoredScope } from '#features/folders/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Caller, Domain, Person } from '#platform/http/index';
import type { Probe } from '#platform/media/index';
import type { Problem } from '#platform/problem';
import type { CalendarFilter } from './clock/calendar.ts';
import type { OwnSource } from './clock/clock.ts';
import type { ClockComparison, ClockPoint, ClockReading, RecordingTime, StoredClock } from './clock/types.ts';
import type { VideoFacets as FacetsResource } from './listing/facets-schema.ts';

/** State of the upload. Analyses never change it. */
export type VideoState = 'PREPARE_IN_PROGRESS' | 'UPLOADED' | 'UPLOADING_FAILED';

export type Video = {
  id: string;
  orgId: string;
  ownerId: string;
  /**
   * `user`: visible to its owner; `org`: visible to the organization; `sample`: visible to the organization,
   * read-only.
   */
  scope: StoredScope;
  folderId: string | null;
  folderName: string | null;
  /** Camera that it is a recording of; null for other videos. */
  cameraId: string | null;
  /** Display name; never part of a path. */
  name: string;
  /** Entry point it came through, such as `file` or `video_url`. */
  source: string;
  sourceUri: string | null;
  status: VideoState;
  /** Reason of `UPLOADING_FAILED`; null in the other states. */
  problem: { code: string; message: string } | null;
  storageKey: string;
  sizeBytes: number | null;
  /** Lower-case hex. */
  sha256: string | null;
  /** Seconds of presentation time. */
  durationS: number | null;
  /** Pixels, after rotation. */
  width: number | null;
  height: number | null;
  /** Average frames per second; null if the file does not state one. */
  frameRate: number | null;
  probe: Probe | null;
  /** Metadata of the service, such as the summary of the sidecar file. */
  metadata: Record<string, unknown>;
  /** Metadata that users add. */
  userMetadata: UserMetadata;
  tags: string[];
  createdAt: Date;
  /** Instant of the first frame; null if nothing says it. */
  recordedAt: Date | null;
  /** IANA name or offset of the place where it was recorded; null if it is unknown. */
  timeZone: string | null;
  /** Sources and settings of `recordedAt`; null until they are read. */
  clock: StoredClock | null;
  /** For a deleted video: end of the period in which it can be restored. */
  eraseAfter: Date | null;
  /** Legal hold: nothing deletes the video. */
  hold: Hold | null;
};

/** Legal hold of a video: since when, the user who set it, and why. */
export type Hold = { since: Date; by: string; reason: string };

/** Rules that delete videos without a request for them. */
export type DeletionRule = 'folder_deleted' | 'folder_retention' | 'camera_retention' | 'stream_retention';

export type DeletionOptions = {
  /** True: erase at once, also what was deleted before. */
  erase?: boolean | null;
  /** The reason, for the audit log. */
  reason?: string | null;
  /** The rule that deletes it on behalf of the caller. */
  rule?: DeletionRule;
};

export type UserMetadata = Record<string, string | number | boolean>;

export type NewVideo = Pick<
  Video,
  'id' | 'orgId' | 'ownerId' | 'scope' | 'folderId' | 'name' | 'source' | 'sourceUri' | 'metadata'
> & {
  /**
   * True if a connection sends the bytes: it must call `heartbeat` every few seconds, or the upload is marked as
   * failed.
   */
  heartbeat: boolean;
  cameraId?: string | null;
  /** Bytes of the organization's quota to reserve for it. Default 0: its size is counted when it is ready. */
  reserveBytes?: number;
};

/** Largest number of videos and of bytes that an organization may have; null: no limit. */
export type QuotaLimits = { videos: number | null; bytes: number | null };

/** Usage of an organization and its own limits; a limit of null is the default of the service. */
export type Quota = { videos: number; bytes: number; maxVideos: number | null; maxBytes: number | null };

/** A file that was stored completely and is readable as a video. */
export type InspectedFile = {
  probe: Probe;
  sizeBytes: number;
  sha256: string;
  /** When it was recorded, if the room that stores it knows. */
  recording?: RecordingTime;
};

/**
 * Changes by a user. An absent field is unchanged; `folderId: null` removes the video from its folder; metadata is
 * merged, and null removes a name.
 */
export type VideoChanges = {
  name?: string | null;
  folderId?: string | null;
  tags?: readonly string[] | null;
  metadata?: Record<string, UserMetadata[string] | null> | null;
} & Pick<ClockChanges, 'recordedAt' | 'timeZone' | 'points'>;

/** Changes of a clock. An absent field is unchanged. */
export type ClockChanges = {
  /** Instant of the first frame; null: by what the file says. */
  recordedAt?: Date | null;
  /** IANA name or offset; null: by what the file says. */
  timeZone?: string | null;
  /** Seconds that are added to what the file says. */
  shiftS?: number | null;
  /** True: the file states local time as UTC. */
  localHeader?: boolean | null;
  /** Two points of the video; null: none. */
  points?: readonly ClockPoint[] | null;
  /** Two comparisons of the clock of a camera; null: none. */
  comparisons?: readonly ClockComparison[] | null;
};

/** Changes of the clocks of a folder. */
export type FolderClockChanges = ClockChanges & {
  /** Where dates and times are in the paths of its videos; empty: nowhere. */
  pathPattern?: string | null;
  /** True if new videos start with these settings; absent: unchanged. */
  newVideos?: boolean | null;
};

/** Result for one video of a bulk operation; `problem` is null on success. */
export type VideoResult = { videoId: string; problem: Problem | null };

/** Field by which a list is ordered; with a minus, from the largest on. */
export type VideoSort = VideoSortField | `-${VideoSortField}`;
export type VideoSortField = 'created_at' | 'name' | 'duration_s' | 'recorded_at';

/** Filters of a list; all of them must match. */
export type VideoFilters = CalendarFilter & {
  status?: VideoState | null;
  nameContains?: string | null;
  tag?: string | null;
  source?: string | null;
  cameraId?: string | null;
  /** Whether the video is on legal hold. */
  held?: boolean | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
  /** Duration in seconds: at least the one, and less than the other. */
  minDurationS?: number | null;
  maxDurationS?: number | null;
  /** Whether the video has an analysis that the caller may read. */
  queried?: boolean | null;
};

export type VideoListOptions = VideoFilters & {
  /** Name of a folder; a personal folder takes precedence over one of the organization. */
  folder?: string | null;
  folderId?: string | null;
  scope?: FolderScope | 'sample' | null;
  /** True: deleted videos that can be restored, instead of the others. */
  deleted?: boolean | null;
  /** A leading minus means descending. Default: newest first. */
  sort?: VideoSort | null;
  limit: number;
  cursor?: string | null;
};

/** Where a selection looks: a folder that the caller may see, or all that it may see of a scope. */
export type LibraryPlace = { folderId: string | null; scope: FolderScope | null };

/** A span of time; null: without a limit on that side. */
export type InstantSpan = { from: Date | null; to: Date | null };

/** Facts about a video before it is chosen. */
export type SelectableVideo = Pick<Video, 'id' | 'name' | 'recordedAt' | 'timeZone' | 'clock' | 'durationS'>;

export type LibrarySelectionOptions = {
  caller: Person;
  place: LibraryPlace;
  filters: VideoFilters;
  /** The time at which videos must have been recorded, besides the filters; null: at any, or it is not known when. */
  span: InstantSpan | null;
  /** The oldest recordings go first. */
  oldestFirst: boolean;
  /** Chooses among videos that match; `without`: those that are left out because they have no clock. */
  choose: (videos: readonly SelectableVideo[]) => {
    chosen: readonly SelectableVideo[];
    without: readonly SelectableVideo[];
  };
  /** Most videos that are chosen. */
  limit: number;
};

/** Videos of a selection, and how many of those that match its other filters were not chosen, by the reason. */
export type SelectedVideos = {
  videos: Video[];
  summary: {
    considered: number;
    chosen: number;
    /** Recorded at another time. */
    outside: number;
    /** It is not known when they were recorded. `noClockVideos`: the first of them by name. */
    noClock: number;
    noClockVideos: { videoId: string; name: string }[];
    /** Above the limit, and between which times they start. */
    leftOut: number;
    leftOutFrom: Date | null;
    leftOutUntil: Date | null;
  };
};

export type VideoPage = {
  videos: Video[];
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
};

export type VideoFacets = Domain<typeof FacetsResource>;

export interface Videos {
  /** Returns the video if the caller may see it. Throws `video_not_found` (404) or `video_forbidden` (403). */
  get(caller: Caller, id: string): Promise<Video>;
  /**
   * Returns the videos in the order of `ids`, duplicates included, with one query. Throws as `get` does for the first
   * invalid id.
   */
  getMany(caller: Person, ids: readonly string[]): Promise<Video[]>;
  /** Returns the video if the caller may change it. Throws as `get` does, or `video_read_only` (403) for a sample. */
  getWritable(caller: Caller, id: string): Promise<Video>;
  /** Returns those of the ids whose videos the caller may see. */
  filterVisible(caller: Caller, ids: readonly string[]): Promise<Set<string>>;
  /** Returns the video without an access check, for workers. Null if it is unknown or deleted. */
  find(id: string, on?: Queryable): Promise<Video | null>;
  /**
   * True if the caller's key covers the folders of all these videos, deleted ones included; erased ones are ignored.
   */
  canReachAll(caller: Caller, ids: readonly string[]): Promise<boolean>;
  /** Returns the names by video id, also of deleted videos, without an access check. */
  names(ids: readonly string[], on?: Queryable): Promise<Map<string, string>>;
  /** Returns the source URIs by video id, without an access check. */
  sourceUris(ids: readonly string[]): Promise<Map<string, string | null>>;
  /**
   * Returns a page of the videos that the caller may see, of one folder or of all.
   * Throws the problems of the folders room for the folder, or `cursor_invalid` (400).
   */
  list(caller: Caller, options: VideoListOptions): Promise<VideoPage>;
  /**
   * Place of a selection; null if its folder and scope exclude each other. Throws the problems of the folders room for
   * the folder.
   */
  findPlace(
    caller: Person,
    place: Pick<VideoListOptions, 'folder' | 'folderId'> & { scope?: FolderScope | null },
  ): Promise<LibraryPlace | null>;
  /** Chooses uploaded videos of the library, in the transaction of what is started on them. */
  select(trx: Transaction, options: LibrarySelectionOptions): Promise<SelectedVideos>;
  /**
   * Counts the videos of a list by field, the newest ones of a large library. Throws the problems of the folders room
   * for the folder.
   */
  facets(caller: Caller, options: Omit<VideoListOptions, 'sort' | 'limit' | 'cursor'>): Promise<VideoFacets>;

  /**
   * Inserts the record before the first byte is received, and counts it in its folder. Returns the storage key for
   * the file. Throws `quota_exceeded` (403).
   */
  create(trx: Transaction, video: NewVideo): Promise<{ storageKey: string }>;
  /** Does the same for several videos of one organization. */
  createAll(trx: Transaction, videos: readonly NewVideo[]): Promise<void>;
  /** Updates a video while it is uploaded. Returns false if its upload has ended. */
  updatePending(
    trx: Transaction,
    id: string,
    changes: Partial<Pick<Video, 'name' | 'scope' | 'folderId' | 'metadata'>>,
  ): Promise<boolean>;
  /**
   * Heartbeat of the connection that sends the bytes. Returns false if the upload has ended: the connection must
   * stop.
   */
  heartbeat(id: string): Promise<boolean>;
  /** Replaces the summary of the sidecar file. Publishes `video.sidecar`. Returns false if the video is deleted. */
  setSidecar(trx: Transaction, id: string, summary: Record<string, unknown>): Promise<boolean>;
  /**
   * Replaces the summary of the subtitle file; null removes it. Publishes `video.subtitles`. Returns false if the video
   * is deleted.
   */
  setSubtitles(trx: Transaction, id: string, summary: Record<string, unknown> | null): Promise<boolean>;
  /** Replaces the number of bytes that are reserved for a pending video. Throws `quota_exceeded` (403). */
  reserveFor(trx: Transaction, id: string, bytes: number): Promise<void>;
  /**
   * Marks a pending video as uploaded; equal files of an organization are stored once. Publishes `videos.ready`.
   * Returns false if its upload has ended. Throws `quota_exceeded` (403).
   */
  markReady(trx: Transaction, id: string, file: InspectedFile): Promise<boolean>;
  /** Does the same for several videos of one organization. Returns the ids of those that were pending. */
  markAllReady(trx: Transaction, videos: readonly ({ id: string } & InspectedFile)[]): Promise<string[]>;
  /** Marks a pending video as failed. Publishes `video.failed`. Returns false if its upload has ended. */
  markFailed(trx: Transaction, id: string, code: string, message: string): Promise<boolean>;
  /** Removes the files of a pending video and marks it as failed, in its own transaction. */
  fail(id: string, problem: { code: string; message: string }): Promise<void>;
  /** Removes the record and the files of a video that is not uploaded and that no client knows yet. */
  discard(id: string): Promise<void>;
  /**
   * Renames, moves, tags or describes a video. A video in a folder has the folder's scope. Throws as `get` does,
   * `video_shared` (409) for a shared video and a personal folder, or `video_metadata_invalid` (400).
   */
  update(caller: Caller, id: string, changes: VideoChanges): Promise<Video>;
  /**
   * Moves each video into the folder, or out of its own if null. Returns one result per distinct id, in order. Throws
   * for the folder only.
   */
  moveMany(caller: Caller, ids: readonly string[], folderId: string | null): Promise<VideoResult[]>;
  /** Changes the clocks of videos. Returns one result per distinct id, in order. Throws `time_zone_invalid` (400). */
  setClocks(caller: Caller, ids: readonly string[], changes: ClockChanges): Promise<VideoResult[]>;
  /** Changes the clocks of all videos of a folder; returns their number. Throws as `setClocks`, and for the folder. */
  setClocksOfFolder(caller: Caller, folderId: string, changes: FolderClockChanges): Promise<number>;
  /** Replaces what a source that is no file says about a video; null removes it. */
  setClockReading(trx: Transaction, id: string, source: OwnSource, reading: ClockReading | null): Promise<void>;
  /**
   * Deletes a video; it disappears at once for everyone. A job erases its files after the restore period, or at once
   * with `erase` or if the video was never uploaded. Publishes `video.deleted`. Returns the end of the restore
   * period; null if it cannot be restored. Throws as `getWritable`, or `video_held` (409).
   */
  remove(caller: Caller, id: string, options?: DeletionOptions): Promise<{ restorableUntil: Date | null }>;
  /** Deletes each video. Returns one result per distinct id, in order. */
  removeMany(caller: Caller, ids: readonly string[], options?: DeletionOptions): Promise<VideoResult[]>;
  /**
   * Puts each uploaded video on legal hold, also deleted ones: until its release, nothing deletes or erases it.
   * Replaces the reason of an earlier hold. Returns one result per distinct id, in order: `video_not_uploaded` (409).
   */
  holdMany(caller: Caller, ids: readonly string[], reason: string): Promise<VideoResult[]>;
  /**
   * Releases each video from its hold; the restore period of a deleted one starts again. Returns one result per
   * distinct id, in order: `video_not_held` (409).
   */
  releaseMany(caller: Caller, ids: readonly string[]): Promise<VideoResult[]>;
  /**
   * Restores a deleted video with its analyses, into its folder if that still exists and its retention period is not
   * over. Publishes `video.restored`. Throws as `get` does, or `video_not_restorable` (404).
   */
  restore(caller: Caller, id: string): Promise<Video>;
  /** Restores each video. Returns one result per distinct id, in order. */
  restoreMany(caller: Caller, ids: readonly string[]): Promise<VideoResult[]>;
  /**
   * Adds `bytes` (negative to release) to the organization's reserved space, for data that is not a video yet.
   * Locks the organization's row: call it last in the transaction. Throws `quota_exceeded` (403).
   */
  reserveSpace(trx: Transaction, orgId: string, bytes: number): Promise<void>;
  /** Returns the usage of the organization and the limits in force; a limit of null means unlimited. */
  getQuota(orgId: string): Promise<Quota>;
  /** Moves the videos of a deleted folder out of it, or deletes them. Throws `video_held` (409) if one may not be. */
  onFolderDeleted(trx: Transaction, event: DomainEvents['folder.deleted']): Promise<void>;

  /**
   * Fails stalled uploads, deletes videos past their folder's retention period, and retries overdue erasures. Runs
   * every minute.
   */
  cleanUp(): Promise<void>;
  /** Registers the job handlers of this room. */
  registerJobs(): void;
}
