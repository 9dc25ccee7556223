import { createLimiter } from '../chat/index.ts';
import type { Observations } from '../observe/observations.ts';
import {
  type CallContext,
  type CallResult,
  FRAME_SIDE,
  imageTokens,
  type LabeledImage,
  type ModelCall,
  type ModelClient,
  type WireSchema,
} from './calls/index.ts';
import { pickEvenly } from './plan/windows.ts';
import { detailLabel, frameLabel } from './prompts.ts';
import { checkClips } from './reliability/clip-check.ts';
import type { FrameDetail, FrameSource, VideoFrame } from './types.ts';

/** Calls of one analysis about one video. */
export interface LookSession {
  readonly observations: Observations;
  /** Decides between equals; the same question on the same video has the same seed. */
  readonly seed: string;
  readonly maxImages: number;
  /** True if parts of frames can be shown enlarged. */
  readonly canEnlarge: boolean;
  /** Reasons of calls that failed. */
  readonly failures: Set<string>;
  /** Reasons why frames were shown in another way than configured. */
  readonly notes: () => string[];
  /** The limit of tokens or time that stopped calls; null if none did. */
  readonly stoppedBy: () => string | null;
  /**
   * Shows frames, at most `maxImages` spread evenly, and asks about them. Frames that cannot be decoded are left out;
   * `frames` are those that were shown, under their labels. Null if there is no answer, whose reason is noted.
   */
  askAbout<T>(frames: readonly VideoFrame[], ask: FrameCall<T>): Promise<{ value: T; frames: VideoFrame[] } | null>;
  /** Draws frames before they are shown. */
  draw(frames: readonly VideoFrame[]): Promise<void>;
  /** Asks about images that are drawn by the caller. */
  ask<T>(images: readonly LabeledImage[], ask: FrameCall<T>): Promise<T | null>;
}

export type FrameCall<T> = {
  text: (images: number) => string;
  schema: WireSchema;
  read: (reply: string, images: number) => T | null;
  maxTokens: number;
  /** Enlarged parts of the frames, shown after them; as many as the images of a request allow. */
  details?: readonly FrameDetail[];
  /** Shows the frames in reversed order, under the labels of the right one. */
  isReversed?: boolean;
};

export type SessionOptions = {
  client: ModelClient;
  context: CallContext;
  source: FrameSource;
  observations: Observations;
  seed: string;
  maxImages: number;
  contextTokens: number | null;
};

/** Longest side of enlarged parts, in pixels. */
const DETAIL_SIDE = 448;
/** Tokens of a request besides its images: instructions, questions, labels and the answer. */
const TEXT_TOKENS = 2500;
/**
 * Seconds from one frame of a clip to the next: at the two frames a second to which Qwen-VL and others resample, each
 * one stays. Times are those of the labels.
 */
export const CLIP_STEP_S = 0.5;
/** Fewer frames are shown as images: a clip would save little. */
const MIN_CLIP = 4;
/** Frames that are drawn at the same time. */
const MAX_DRAWING = 4;

export function createSession({ client, context, source, seed, ...options }: SessionOptions): LookSession {
  const { observations, contextTokens } = options;
  const failures = new Set<string>();
  // Users wait for images from the same processes.
  const drawing = createLimiter(MAX_DRAWING, Number.POSITIVE_INFINITY);
  let stoppedBy: string | null = null;
  const drawn = new Map<number, Promise<Buffer | null>>();
  const { width, height } = observations.video;
  const scale = Math.min(1, FRAME_SIDE / Math.max(1, width, height));
  const tokens = imageTokens({ width: width * scale, height: height * scale });
  const fitting = contextTokens === null ? options.maxImages : Math.floor((contextTokens - TEXT_TOKENS) / tokens);
  const maxImages = Math.max(1, Math.min(options.maxImages, fitting));

  /** A video may be damaged in one place only. */
  function drawFrame({ timeS }: VideoFrame): Promise<Buffer | null> {
    const image =
      drawn.get(timeS) ??
      drawing(() => source.frame(timeS, FRAME_SIDE)).catch(() => {
        context.signal.throwIfAborted();
        failures.add('frames could not be decoded to be shown');
        return null;
      });
    drawn.set(timeS, image);
    return image;
  }

  async function drawDetails(
    details: readonly FrameDetail[],
    shown: readonly { frame: VideoFrame }[],
    room: number,
  ): Promise<LabeledImage[]> {
    if (!source.part) return [];
    const parts = await Promise.all(
      details.slice(0, Math.max(0, room)).map(async ({ frame, part, className }) => {
        const at = shown.findIndex((each) => each.frame.pts === frame.pts);
        if (at < 0) return null;
        const jpeg = await drawing(() => source.part!(frame.timeS, part, DETAIL_SIDE)).catch(() => null);
        context.signal.throwIfAborted();
        const size = { width: DETAIL_SIDE, height: DETAIL_SIDE };
        return jpeg && { label: detailLabel(className, at), jpeg, tokens: imageTokens(size) };
      }),
    );
    return parts.filter((part) => part !== null);
  }

  const ask = <T>(images: readonly LabeledImage[], call: FrameCall<T>) => askWith(images, images.length, call);

  /** The frames as a clip; null if they are shown as images. */
  async function encodeLabeledClip(frames: readonly LabeledImage[]) {
    const encode = source.clip;
    if (!encode || frames.length < MIN_CLIP || !client.clips.isPossible()) return null;
    const isAccepted = await client.clips.isAccepted(() => checkClips(client, encode, context));
    context.signal.throwIfAborted();
    if (!isAccepted) return null;
    return { frames: frames.length, encode: () => encode(frames.map(({ jpeg }) => jpeg)) };
  }

  /** `count`: number of the images that are frames. */
  async function askWith<T>(
    images: readonly LabeledImage[],
    count: number,
    call: FrameCall<T>,
    clip: ModelCall<T>['clip'] = null,
  ): Promise<T | null> {
    context.signal.throwIfAborted();
    const { schema, maxTokens } = call;
    const result: CallResult<T> = await client.call(
      { images, clip, text: call.text(count), schema, maxTokens, read: (reply) => call.read(reply, count) },
      context,
    );
    if ('value' in result) return result.value;
    if (result.isLimit) stoppedBy ??= result.failure;
    else failures.add(result.failure);
    return null;
  }

  return {
    observations,
    seed,
    maxImages,
    canEnlarge: source.part !== undefined,
    failures,
    ask,
    draw: async (frames) => void (await Promise.all(frames.map(drawFrame))),
    stoppedBy: () => stoppedBy,
    notes() {
      const { state, reason } = client.clips.health();
      const isImage = source.clip !== undefined && state !== 'off' && state !== 'accepted' && reason !== null;
      return isImage ? [`frames were shown as images instead of clips: ${reason}`] : [];
    },
    async askAbout(frames, call) {
      const chosen = pickEvenly(frames, maxImages);
      const images = await Promise.all(chosen.map(drawFrame));
      const shown = chosen.flatMap((frame, i) => (images[i] ? [{ frame, jpeg: images[i]! }] : []));
      if (shown.length === 0) return null;
      const order = call.isReversed ? shown.toReversed() : shown;
      const labeled = order.map(({ jpeg }, i) => ({ label: frameLabel(shown[i]!.frame, i), jpeg, tokens }));
      const parts = await drawDetails(call.details ?? [], shown, maxImages - labeled.length);
      const value = await askWith([...labeled, ...parts], labeled.length, call, await encodeLabeledClip(labeled));
      return value === null ? null : { value, frames: shown.map(({ frame }) => frame) };
    },
  };
}
