import type { EpisodeGroup } from '#engine/robot-logs/index';
import type { FolderScope } from '#features/folders/index';

/** A file of an import whose object was imported before, with its earlier ingest. */
export type SkippedFile = { key: string; ingestId: string };

export type IngestStatus = 'created' | 'transferring' | 'uploaded' | 'processing' | 'completed' | 'partial' | 'failed';

/** Roles and labels that a caller stated, by channel name. Guessed roles are not stored. */
export type ChannelRoles = {
  frontChannel: string | null;
  channelRoles: Record<string, string>;
  channelLabels: Record<string, string>;
};

export const NO_ROLES: ChannelRoles = { frontChannel: null, channelRoles: {}, channelLabels: {} };

export type McapIngest = {
  id: string;
  orgId: string;
  ownerId: string;
  scope: FolderScope;
  folderId: string | null;
  importId: string | null;
  objectKey: string | null;
  /** Object of a bucket and its version, to detect repeated imports; null for an uploaded file. */
  objectId: string | null;
  objectVersion: string | null;
  filename: string;
  sourceUri: string;
  /** Size in bytes. */
  sizeBytes: number | null;
  /** Bytes of the organization's quota that are reserved for the file until its videos exist. */
  reservedBytes: number;
  sha256: string | null;
  chunkSizeS: number | null;
  status: IngestStatus;
  problem: { code: string; message: string } | null;
  storageKey: string | null;
  /** Episodes of a dataset of LeRobot, whose files are stored with the suffixes `-0`, `-1`, …; null for MCAP. */
  episodes: EpisodeGroup | null;
  roles: ChannelRoles;
  survey: Survey | null;
  createdAt: Date;
  completedAt: Date | null;
};

/** Stored content of a recording. Times are seconds by the recorder's clock, since 1970 or since it started. */
export type Survey = {
  start_s: number | null;
  end_s: number | null;
  indexed: boolean;
  channels: { name: string; topic: string; schema: string; messages: number | null; pictures: boolean }[];
  /** Channel of each telemetry measure. */
  telemetry: Record<string, string>;
  notes: string[];
  lost: LostRange[];
};

export type LostRange = { channel: string | null; from_s: number | null; until_s: number | null; reason: string };

/** The video of a channel, or of one part of it. `deleted`: it was completed and is no longer in the library. */
export type ChannelVideo = {
  channel: string;
  part: number;
  videoId: string | null;
  status: 'processing' | 'completed' | 'failed' | 'deleted';
  problem: { code: string; message: string } | null;
  facts: ChannelVideoFacts | null;
};

/** Stored facts about a video. Times are seconds by the common clock of the recording. */
export type ChannelVideoFacts = {
  frame_count: number;
  start_s: number;
  end_s: number;
  copied: boolean;
  drift_ppm: number | null;
  gaps: { start_s: number; end_s: number }[];
  notes: string[];
};

/** Converts nanoseconds to seconds, to a microsecond. */
export const toSeconds = (ns: bigint): number => Number(ns / 1000n) / 1e6;
