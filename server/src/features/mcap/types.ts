import type { FolderScope } from '#features/folders/index';

/** A file of an import whose object was imported already, as that ingest. */
export type SkippedFile = { key: string; ingestId: string };

export type IngestStatus = 'created' | 'transferring' | 'uploaded' | 'processing' | 'completed' | 'partial' | 'failed';

/** What a caller said of channels, by their names: kept as it was said, guesses are made anew. */
export type Roles = {
  frontChannel: string | null;
  channelRoles: Record<string, string>;
  channelLabels: Record<string, string>;
};

export const NO_ROLES: Roles = { frontChannel: null, channelRoles: {}, channelLabels: {} };

export type Ingest = {
  id: string;
  orgId: string;
  ownerId: string;
  scope: FolderScope;
  folderId: string | null;
  importId: string | null;
  objectKey: string | null;
  /** Which object of a bucket it is and in which version, to know it again; null of an uploaded file. */
  objectId: string | null;
  objectVersion: string | null;
  filename: string;
  sourceUri: string;
  /** Bytes. */
  sizeBytes: number | null;
  /** How much of the organisation's space is held for the file, until its videos are there. */
  reservedBytes: number;
  sha256: string | null;
  partS: number | null;
  status: IngestStatus;
  problem: { code: string; message: string } | null;
  storageKey: string | null;
  roles: Roles;
  survey: Survey | null;
  createdAt: Date;
  completedAt: Date | null;
};

/** What a recording holds, as it is kept: times are seconds since 1970 or since the recorder started, by its clock. */
export type Survey = {
  start_s: number | null;
  end_s: number | null;
  indexed: boolean;
  channels: { name: string; topic: string; schema: string; messages: number | null; pictures: boolean }[];
  /** Which channel each measure of the telemetry comes from. */
  telemetry: Record<string, string>;
  notes: string[];
  lost: Lost[];
};

export type Lost = { channel: string | null; from_s: number | null; until_s: number | null; reason: string };

/** A channel's video of one stretch of the recording; `deleted`: it was made, and is not in the library any more. */
export type FilmRow = {
  channel: string;
  part: number;
  videoId: string | null;
  status: 'processing' | 'completed' | 'failed' | 'deleted';
  problem: { code: string; message: string } | null;
  film: FilmFacts | null;
};

/** Times are in seconds by the common clock of the recording. */
export type FilmFacts = {
  frame_count: number;
  start_s: number;
  end_s: number;
  copied: boolean;
  drift_ppm: number | null;
  gaps: { start_s: number; end_s: number }[];
  notes: string[];
};

/** Nanoseconds as seconds, good to a microsecond. */
export const secondsOf = (ns: bigint): number => Number(ns / 1000n) / 1e6;
