import type { ObjectTarget } from '../../plan/index.ts';
import type { Span } from '../time/intervals.ts';
import type { TrackEvidence, TrackView } from '../types.ts';

/** Entries of one track in which the object performs the requested action. */
export type ActionInterval = Span & {
  /** Distance from the threshold; 1 is clearly beyond it. Null if the action has no threshold. */
  margin: number | null;
  reason: string;
  /** Highest confidence that the measured precision of its rule and the number of its views support. */
  support?: number;
  /** It falls short of what was requested: a candidate. */
  isNearMiss?: true;
  /** Options that the prompt left open and that are known now. */
  resolved?: Partial<Pick<ObjectTarget, 'direction' | 'from' | 'to'>>;
};

/** Time range of the video, and the motion of its camera. */
export type VideoContext = {
  /** First and last frame that the detector examined. */
  firstS: number;
  lastS: number;
  /** True while the vehicle that carries the camera drives forward. */
  isDriving: (timeS: number) => boolean;
  /** True while the camera stands still. */
  isStandingStill: (timeS: number) => boolean;
  /** Width of the frame, in heights. */
  aspect: number;
};

/** A track that may be the requested object. */
export type Candidate = {
  view: TrackView;
  /** Factor for confidence; 1 if no color was requested. */
  colorFactor: number;
  /** Share of its pixels in the requested colors; null if no color was requested. */
  colorShare: number | null;
  /** Entries in which its place and state are as requested. */
  qualifyingSpans: Span[];
};

/** An action of one track, and the other object that it relates to. */
export type TrackMatch = ActionInterval & {
  candidate: Candidate;
  other: TrackEvidence | null;
  otherConfidence: number;
};
