import type { LabeledBox } from '#platform/media/index';
import type { StructuredOutput } from './structured/types.ts';

export type Answer = {
  /** One sentence that restates what was understood, and what was not. */
  interpretation: string;
  /** Prompts in similar words that can be searched, where this one was refused for its wording. */
  suggestions?: string[];
  events: VideoEvent[];
  /** Possible events below the requested confidence. Nothing else in the answer counts them as events. */
  candidates: VideoEvent[];
  /** Answer in words to a question ("how many cars", "is anyone there"); null for other prompts. */
  answer: string | null;
  /** One or two sentences on the result and on what could not be searched. */
  summary: string;
  coverage: Coverage[];
  /** The requested fields of the video; absent without a schema of this scope. */
  structured?: StructuredOutput;
  /** Sources of the sentences that a vision-language model wrote; absent without them. */
  citations?: Citation[];
  /** Reasons of the vehicle's actions, by a vision-language model; absent without one, or if it is not believed. */
  causation?: CausationAnnotation[];
  /** Use of the vision-language model; absent if it was not queried. */
  vision?: VisionModelUsage;
};

/** The visible reason of one decision of a driver. */
export type CausationAnnotation = {
  /** Start of the action, in seconds. */
  keyframeS: number;
  /** The measured action. */
  decision: { longitudinal: string | null; lateral: string | null };
  /** Objects that matter most; `location` is `ahead`, `left`, `right`, `oncoming` or null. */
  criticalComponents: { component: string; location: string | null }[];
  /** One sentence. */
  chainOfCausation: string;
};

/** A sentence of an answer in words, with the times and events that it rests on. */
export type Citation = {
  sentence: string;
  /** `verified`: the frames that it cites were shown again and confirmed it, or it repeats what observers measured. */
  status: 'verified' | 'unverified';
  sources: CitedSource[];
};

/** A fact that was seen at a time, or the start of an event. */
export type CitedSource = { timeS: number; text: string; event?: Pick<VideoEvent, 'startPts' | 'endPts' | 'label'> };

/** Calls of a vision-language model and what they took. Replies from the cache take no tokens. */
export type VisionModelUsage = {
  model: string;
  calls: number;
  cachedCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** In the currency of the configured prices. */
  cost: number;
  /** Ranges of the video of which frames were shown, in seconds, and their share of the searched range. */
  shown: [fromS: number, toS: number][];
  shownShare: number;
};

/** Result of showing frames of an event to a vision-language model again. */
export type EventVerification = {
  /** `unverified`: the model could not tell, contradicted itself, or was not queried. */
  status: 'verified' | 'unverified' | 'refuted';
  /** Name of the model. */
  by: string;
  /** Times of the frames that decided, in seconds. */
  framesS: number[];
};

/**
 * Something found in a video, with its evidence. Times are presentation times of frames in seconds from the first
 * frame.
 */
export type VideoEvent = {
  startS: number;
  endS: number;
  startPts: number;
  endPts: number;
  timeBase: [number, number];
  /** Short description, such as "red car enters from the left". */
  label: string;
  /** Kind of event: `object`, `motion`, `light`, `cut`, `sound`, ... */
  category: string;
  severity: 'low' | 'medium' | 'high';
  /** 0 to 1. */
  confidence: number;
  /** One sentence with the figures that led to the event. */
  explanation: string;
  /** Reasons to doubt the event, such as conditions that were not checked; empty if there are none. */
  caveats: string[];
  evidence: EventEvidence;
  /** Absent if no vision-language model was queried about the event. */
  verification?: EventVerification;
  /** Measurements at start and end, if the video has telemetry. */
  overlay?: EventOverlay;
  /** The requested fields; absent without a schema. */
  structured?: StructuredOutput;
  /** The action whose outcome the category states, and the reason; absent for other events. */
  action?: { name: string; reasoning: string };
};

/** Values by name and unit: `gps_lat`, `speed_mps`. */
export type EventOverlay = Record<string, { start: number; end: number }>;

export type EventEvidence = {
  /** Frames that show the event, with boxes to draw: first, best and last, without repeats. */
  frames: EvidenceFrame[];
  /** Tracks of the event: id, class, color, and the path as [time, x, y] of the box center. */
  tracks: { id: number; className: string; color: string | null; path: [number, number, number][] }[];
  /** Signals of the event with value and threshold. */
  signals: { name: string; value: number; threshold: number; unit: string }[];
};

export type EvidenceFrame = { role: 'first' | 'best' | 'last'; timeS: number; pts: number; boxes: LabeledBox[] };

/** Result of one part of the prompt. */
export type Coverage = {
  /** Words of the prompt. */
  text: string;
  status: 'looked_for' | 'partly' | 'not_looked_for';
  /** Observers that were used: `objects (yolox_nano)`, `signals`, `sound`, ... */
  by: string[];
  /** Reason why it was not searched, or limits of the search; null if there are none. */
  reason: string | null;
  /** Number of events. */
  findings: number;
};
