import type { ModelEndpoint, Prices, StoredReply, UsageLedger } from '../chat/index.ts';
import type { Observations } from '../observe/observations.ts';
import type { Plan } from '../plan/index.ts';
import type { Citation, Coverage, VideoEvent, VisionModelUsage } from '../types.ts';

/** A vision-language model behind an OpenAI-compatible endpoint, with its limits and prices. */
export type VisionProfile = ModelEndpoint &
  Prices & {
    /** Requests at the same time. */
    concurrency: number;
    /** Longest time of a request in seconds: later replies are canceled. */
    timeoutS: number;
    /** Images in one request. */
    maxImages: number;
    /** Tokens that one request may have; null: no limit is known. */
    contextTokens: number | null;
    /** True if the endpoint accepts clips (`video_url`). */
    videoUrl: boolean;
    /** Additional fields of each request, such as `chat_template_kwargs`. */
    extra: Record<string, unknown>;
  };

/** The frame of a video at a time, with its exact presentation time stamp. */
export type VideoFrame = { timeS: number; pts: number };

/** A part of a frame, in fractions of its width and height from the top left. */
export type FramePart = { x: number; y: number; width: number; height: number };

/** A part of a frame that is shown enlarged beside it: an object that a question is about. */
export type FrameDetail = { frame: VideoFrame; part: FramePart; className: string };

/** Draws frames of one video as JPEG. Rejects if nothing can be decoded there. */
export type FrameSource = {
  frame(timeS: number, maxSide: number): Promise<Buffer>;
  /** A part of a frame, in fractions of its width and height. Absent if parts cannot be drawn. */
  part?(timeS: number, part: FramePart, maxSide: number): Promise<Buffer>;
  /** Joins JPEG images of one size to an MP4 with one frame for each. Absent: frames are shown as images. */
  clip?(images: readonly Buffer[]): Promise<Buffer>;
  /** Frames in rows of `columns`, each scaled to the tile. */
  sheet(times: readonly number[], columns: number, tile: { width: number; height: number }): Promise<Buffer>;
};

/**
 * Cache of replies and account of tokens. Calls are identified by the digest of their pixels, question, model and
 * settings.
 */
export interface CallLedger extends UsageLedger {
  /** Identity of the video that the calls are about. Its pixels never change. Absent: whole results are not cached. */
  readonly videoId?: string;
  find(key: string): Promise<StoredReply | null>;
  /** Caches what was made of replies: it takes no tokens of its own. */
  store(key: string, reply: StoredReply): Promise<void>;
}

/** When events of the observers are verified by the model: those in doubt, all, or none. */
export type VerifyMode = 'auto' | 'always' | 'never';

/** One question to the model. */
export type VisionQuestion = {
  /** Words of the prompt; equals the text of its row in `coverage`. */
  text: string;
  /** The whole prompt, if the text is a part of it. */
  context: string | null;
  /** True if frames in the other order would show something else: "enters", "picks up". */
  isOrdered: boolean;
};

/**
 * Something that an observer found with a confidence, to be verified. `key` identifies it in the result.
 */
export type ReviewItem = {
  key: string;
  text: string;
  frames: readonly VideoFrame[];
  isOrdered: boolean;
  confidence: number;
  /** Enlarged parts of the frames that show it. */
  details?: readonly FrameDetail[];
};

/** Something that the model saw in a frame. */
export type SeenFact = { timeS: number; pts: number; text: string };

export type VisionResult = {
  events: VideoEvent[];
  candidates: VideoEvent[];
  coverage: Coverage[];
  /** Answer in words with its citations; null if none was requested or possible. */
  answer: { text: string; citations: Citation[] } | null;
  usage: VisionModelUsage;
};

/** A video and the account of the calls about it. */
export type CallRequest = {
  observations: Observations;
  source: FrameSource;
  signal?: AbortSignal;
  /** Fraction done, 0 to 1; not called if there is nothing to ask. */
  onProgress?: (fraction: number) => void;
  ledger?: CallLedger;
};

export type VisionSearchRequest = CallRequest & {
  plan: Plan;
  /** Times in seconds of frames whose vectors fit the prompt. */
  similar?: readonly number[];
  /** Events of the observers: sources of an answer in words. */
  events?: readonly VideoEvent[];
  /** Matches of observers, to be verified. */
  review?: readonly ReviewItem[];
  /** Events below it are candidates. */
  minConfidence?: number;
};
