import type { LabeledBox } from '#platform/media/index';
import type { Observations, TimeRange, Track } from '../observe/observations.ts';
import type { PlannedSearch, Step, Target } from '../plan/index.ts';
import type { EventVerification } from '../types.ts';
import type { Skeleton } from './actions/poses/skeleton.ts';
import type { FootageKind } from './camera/vehicle-footage.ts';
import type { KnownFact } from './facts/fact-values.ts';
import type { Plausibility } from './plausibility/types.ts';
import type { Span } from './time/intervals.ts';

/** Presentation time of a frame, in seconds and as the exact stamp. */
export type FrameTime = { timeS: number; pts: number };

/** A part of the video, in seconds from its start; infinite where it has no limit. */
export type TimeWindow = { from: number; to: number };

/** Presentation times of consecutive frames. */
export type FrameTimes = { timeS: Float64Array; pts: Float64Array };

/** Part of a track that a match rests on. */
export type TrackEvidence = {
  track: Track;
  role: 'subject' | 'other';
  /** First and last entry of the track, both included. */
  from: number;
  to: number;
};

/** The time in which one object takes part in a match, both frames included. `id` is that of its track. */
export type Presence = {
  id: number;
  start: FrameTime;
  end: FrameTime;
  /** When it counts: what a frame shows lasts until the next frame, and no longer than a window or the video. */
  sinceS: number;
  untilS: number;
};

/** A labeled box in one frame, in fractions of the frame, from its top left corner. */
export type TimedBox = LabeledBox & { timeS: number };

/** A measured value that a match rests on. */
export type SignalEvidence = { name: string; value: number; threshold: number; unit: string };

/** An interval in which a step of a plan holds, with its evidence. */
export type IntervalMatch = {
  /** The condition that holds. Options that the prompt left open, such as the direction, are filled in. */
  what: Target;
  negated: boolean;
  start: FrameTime;
  end: FrameTime;
  best: FrameTime;
  /** 0 to 1. */
  confidence: number;
  tracks: TrackEvidence[];
  signals: SignalEvidence[];
  /** When each of its subjects takes part, for matches of objects; empty for others. Counts are derived from it. */
  presences: Presence[];
  /** True if its objects were seen in sampled frames: those of one sample may be those of the next. */
  isSampled?: boolean;
  /** True where it began before the searched part of the video, or continues after it. */
  clipped?: { before: boolean; after: boolean };
  /** Of a time relative to what was found: that match. */
  momentOf?: IntervalMatch;
  /** The spoken words that were recognized. */
  quote?: string;
  /** Clauses with the numbers that led to the match. */
  reasons: string[];
  /** Boxes in frames of the match that belong to no track, as those of texts. */
  boxes?: TimedBox[];
  /** Matches of the single steps of a sequence; empty otherwise. */
  stepMatches: IntervalMatch[];
  /** Reasons to doubt the match, such as conditions that were not checked. */
  caveats?: string[];
  /** Result of asking a vision-language model about it. */
  verification?: EventVerification;
};

/**
 * The part of a video that a prompt asks about, with the observations of that part alone. Limits are derived from it
 * and never from a scene: seconds outside the request have no bearing on an answer.
 */
export type Excerpt = {
  readonly window: TimeWindow;
  /** Length of the part in seconds. */
  readonly lengthS: number;
  readonly observations: Pick<Observations, ExcerptKind> & { video: Observations['video'] };
  readonly frames: FrameTimes;
  /** Views of the tracks that are in it; each is of the whole track. */
  readonly trackViews: () => readonly TrackView[];
  /** Ranges of it of which every frame was observed. */
  readonly denseRanges: readonly TimeRange[];
};

/** Observations that limits are derived from. `excerpt.ts` has a function that cuts each of them. */
export type ExcerptKind =
  | 'signals'
  | 'objects'
  | 'fineObjects'
  | 'sound'
  | 'speech'
  | 'subtitles'
  | 'telemetry'
  | 'sparsePass';

/** Something that limits a search: why an event may be missed, or be something other than the prompt requests. */
export type Limit = {
  /** A clause for the user; absent where it is not worth one. */
  text?: string;
  /** Times that it is about; absent for all of the searched part. */
  during?: readonly TimeWindow[];
  /** A reason to doubt what was found meanwhile. `decides`: it may be something other than the prompt requests. */
  doubts?: 'slightly' | 'decides';
  /** Probability that an event is found, 0 to 1. */
  recall?: number;
  /** Share of the requested objects that the detector finds, 0 to 1. */
  detectorRecall?: number;
  /** Probability that what was not found meanwhile is not there, 0 to 1. */
  absence?: number;
  /** Words for an object that the prompt presumes and that was never found. */
  missing?: string;
};

/** Derives limits from the part of the video that is searched. */
export type LimitDescriber<What = unknown> = (what: What, part: Excerpt) => readonly Limit[];

/** All limits of a search in a part of the video. */
export type Limits = (part: Excerpt) => readonly Limit[];

/** All matches of one step, or the reason why it could not be evaluated. */
export type StepResult =
  | {
      matches: IntervalMatch[];
      /** Observers that the matches come from. */
      by: string[];
      /** Limits of the evaluation, derived from the part of the video that is searched. */
      limits: Limits;
      /** Frames that were examined; a negated step holds in those without a match. */
      frames: FrameTimes;
      /** The value that a step for a fact asks for. */
      fact?: KnownFact;
    }
  | { unavailable: string };

/** A step result that is available. */
export type StepMatches = Exclude<StepResult, { unavailable: string }>;

/** Outcome of one step of a plan. */
export type StepOutcome = {
  step: Step;
  status: 'looked_for' | 'partly' | 'not_looked_for';
  by: string[];
  /** Reasons why it was not evaluated, or only within limits. */
  reasons: string[];
  matchCount: number;
  /** Probability that an event is found, 0 to 1. */
  recall: number;
  /** Share of the requested objects that the detector finds, 0 to 1. */
  detectorRecall: number;
  /** "no car was found in the video": the prompt presumes it, so that not finding the event decides nothing. */
  missing?: string;
  fact?: KnownFact;
};

export type SearchMatches = {
  /** True if it only states when another search holds: its events are not reported. */
  isReference?: true;
  /** Place of the search in the plan. One that has several readings has several results. */
  at: number;
  search: PlannedSearch;
  matches: IntervalMatch[];
  /** Matches below the requested confidence, the most confident first. */
  candidates: IntervalMatch[];
  outcomes: StepOutcome[];
};

/** A track with derived values. Arrays are parallel to those of the track. */
export type TrackView = {
  track: Track;
  timeS: Float64Array;
  startS: number;
  endS: number;
  /** Number of frames in which the detector found the object. */
  detectionCount: number;
  /** Number of those detections for which its box has moved since the last of them. */
  movedCount: number;
  /** Number of detections that count as independent: repeated ones of an object that stays in place count less. */
  independentCount: number;
  /** True for a single detection that no other frame could confirm: its motion is unknown. */
  isLone: boolean;
  /** Mean detector score over those frames. */
  score: number;
  /** Its plausibility as an object of its class. Computed on the first call. */
  plausibility: () => Plausibility;
  /** Computed on the first call. */
  motion: () => TrackMotion;
  /** Poses of a person, ascending; empty if none was examined, null where poses were not observed. */
  poses: () => readonly PosedView[] | null;
  /** Entries in which the object stands still. */
  stationarySpans: Span[];
};

/** The body of a person at an entry of the track; null if the torso is not seen. */
export type PosedView = { entry: number; skeleton: Skeleton | null };

/** Motion of a track relative to the scene: the motion of the camera is subtracted. */
export type TrackMotion = {
  /** Velocity in frame widths and heights per second. */
  vx: Float64Array;
  vy: Float64Array;
  /** Relative growth of the box per second, beyond the growth of the whole frame. */
  growth: Float64Array;
};

/** Observations with values that several finders derive from them. Each is computed once, on first use. */
export type Scene = {
  readonly observations: Observations;
  /** Reason why there are no objects, if it is known. */
  readonly noDetector?: string;
  /** Scenes of ranges of which every frame was observed, while the rest of the video was sampled. Ascending. */
  readonly denseRanges: readonly Scene[];
  /** All frames with a known presentation time; interval edges are snapped to them. */
  readonly frames: FrameTimes;
  readonly trackViews: () => TrackView[];
  /** The observations at a time: those of the dense range that contains it, or of the whole video. */
  observationsAt(timeS: number): Observations;
  /** The observations that a track belongs to. Ids of tracks are unique in a scene with its dense ranges. */
  observationsOf(track: Pick<Track, 'id'>): Observations;
  /** The kind of footage: from a moving vehicle, other, or unknown. */
  readonly footageKind: () => FootageKind;
  /** Last frame at or before a time, or the first frame of all. */
  frameTimeAt(timeS: number): FrameTime;
  /** First frame at or after a time, or the last frame of all. */
  frameTimeAfter(timeS: number): FrameTime;
};
