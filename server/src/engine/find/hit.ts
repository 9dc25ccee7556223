import type { Track } from '../observe/observations.ts';
import type { What } from '../plan/index.ts';

/** A frame's presentation time, in seconds and as the exact stamp. */
export type Moment = { timeS: number; pts: number };

export type TrackUse = {
  track: Track;
  role: 'subject' | 'other';
  /** Entries of the track that the hit rests on, both included. */
  from: number;
  to: number;
};

export type SignalUse = { name: string; value: number; threshold: number; unit: string };

/** One place where a step of a plan holds, with what shows it. */
export type Hit = {
  /** What was found, as exact as it is known: the direction that was asked openly is filled in. */
  what: What;
  negated: boolean;
  start: Moment;
  end: Moment;
  best: Moment;
  confidence: number;
  tracks: TrackUse[];
  signals: SignalUse[];
  /** How many of the subject at the same time. */
  count: number;
  /** Half sentences with the numbers that led to it. */
  because: string[];
  /** For a sequence: its steps. */
  parts: Hit[];
};

/** What became of looking for one step. */
export type Looked =
  | {
      hits: Hit[];
      by: string[];
      /** Within what limits it was looked for. */
      limits: string[];
      /** The domain for "it was not so": everything that was looked at. */
      domain: Domain;
      /** How far "not found" means "not there", 0 to 1; 1 when left out. */
      recall?: number;
    }
  | { unavailable: string };

/** The frames that were looked at. */
export type Domain = { timeS: Float64Array; pts: Float64Array };

export const round = (value: number, digits = 2) => {
  const scale = 10 ** digits;
  const rounded = Math.round(value * scale) / scale;
  return Object.is(rounded, -0) ? 0 : rounded;
};

/** A value with its unit, as a person would write it. */
export const measured = (value: number, unit: string) =>
  unit.startsWith('share of ')
    ? `${round(value * 100, 1)} %`
    : unit === 'luma'
      ? `${round(value, value < 1 ? 3 : 1)}`
      : `${value} ${unit}`;
