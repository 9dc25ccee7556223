import type { Approval } from '#features/analyses/index';
import type { SplitShares } from '../splits.ts';

/** Which events of a dataset a version has; null: all. All conditions must hold. */
export type VersionFilter = {
  approval: Approval | null;
  labels: string[] | null;
  types: string[] | null;
  minConfidence: number | null;
};

/** A version of a dataset as it is stored, without its content. */
export type DatasetVersion = {
  id: string;
  datasetId: string;
  number: number;
  name: string;
  createdBy: string;
  filter: VersionFilter;
  splits: SplitShares | null;
  status: 'processing' | 'ready' | 'failed';
  /** Videos, events and clips when it was frozen. */
  videoCount: number;
  eventCount: number;
  clipCount: number;
  /** Of the file as it was frozen, lower-case hex. */
  sha256: string | null;
  sizeBytes: number | null;
  createdAt: Date;
  frozenAt: Date | null;
};

/** A version with the number of its videos that are deleted now, whose rows its file lacks. */
export type DatasetVersionState = DatasetVersion & { missingVideos: number };

/**
 * Texts of a version besides its rows: JSON of the dataset, and of each of its batches. `hasClips` is absent in
 * versions from before datasets had clips, whose files stay as they were.
 */
export type VersionHead = { dataset: string; batches: string[]; hasClips?: true };

/**
 * A result of a batch, or, without `batchPosition`, a video without analyses or a clip, as JSON text. Rows are in
 * this order.
 */
export type VersionRow = { position: number; batchPosition: number | null; isClip: boolean; content: string };
