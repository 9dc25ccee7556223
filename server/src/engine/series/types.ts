import type { ObservationKind } from '../observe/observations.ts';
import type { MinMaxSeries } from './min-max.ts';
import type { StoredArrays } from './stored-arrays.ts';

/** The stored observations of a video, by kind; kinds that are missing or damaged are absent. */
export type StoredObservations = ReadonlyMap<ObservationKind, StoredArrays>;

export type SeriesRange = { fromS: number; toS: number };

/** Values over time of one field. */
export type Lane = MinMaxSeries & {
  field: string;
  unit: string;
  /** `sparse`: from single frames some seconds apart. */
  pass: 'dense' | 'sparse';
};

/** A field without values, and why. */
export type UnavailableField = { field: string; reason: UnavailableReason; message: string };
export type UnavailableReason =
  | 'not_observed'
  | 'needs_every_frame'
  | 'no_detector'
  | 'no_audio'
  | 'none_found'
  | 'no_telemetry'
  | 'not_measured';
