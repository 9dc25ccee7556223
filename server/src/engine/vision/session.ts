import { createLimiter } from '../chat/index.ts';
import type { Observations } from '../observe/observations.ts';
import {
  type CallContext,
  type CallResult,
  FRAME_SIDE,
  imageTokens,
  type LabeledImage,
  type ModelClient,
  type WireSchema,
} from './calls/index.ts';
import { frameLabel } from './prompts.ts';
import type { FrameSource, VideoFrame } from './types.ts';

/** Calls of one analysis about one video. */
export interface LookSession {
  readonly observations: Observations;
  /** Decides between equals; the same question on the same video has the same seed. */
  readonly seed: string;
  readonly maxImages: number;
  /** Reasons of calls that failed. */
  readonly failures: Set<string>;
  /** The limit of tokens or time that stopped calls; null if none did. */
  readonly stoppedBy: () => string | null;
  /**
   * Shows frames and asks about them. `labels` are the frames that the labels state, if they differ. Frames that cannot
   * be decoded are left out; `frames` are those that were shown. Null if there is no answer, whose reason is noted.
   */
  askAbout<T>(frames: readonly VideoFrame[], ask: FrameCall<T>): Promise<{ value: T; frames: VideoFrame[] } | null>;
  /** Asks about images that are drawn by the caller. */
  ask<T>(images: readonly LabeledImage[], ask: FrameCall<T>): Promise<T | null>;
}

export type FrameCall<T> = {
  text: (images: number) => string;
  schema: WireSchema;
  read: (reply: string, images: number) => T | null;
  maxTokens: number;
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
  /** Time after which no call is started, as of `performance.now()`. */
  deadline: number;
};

/** Frames that are drawn at the same time. */
const MAX_DRAWING = 4;

export function createSession({ client, context, source, seed, ...options }: SessionOptions): LookSession {
  const { observations, maxImages, deadline } = options;
  const failures = new Set<string>();
  // Users wait for images from the same processes.
  const drawing = createLimiter(MAX_DRAWING, Number.POSITIVE_INFINITY);
  let stoppedBy: string | null = null;
  const drawn = new Map<number, Promise<Buffer | null>>();
  const { width, height } = observations.video;
  const scale = Math.min(1, FRAME_SIDE / Math.max(1, width, height));
  const tokens = imageTokens({ width: width * scale, height: height * scale });

  /** A video may be damaged in one place only. */
  function draw({ timeS }: VideoFrame): Promise<Buffer | null> {
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

  async function ask<T>(images: readonly LabeledImage[], call: FrameCall<T>): Promise<T | null> {
    context.signal.throwIfAborted();
    if (performance.now() > deadline) {
      stoppedBy ??= 'it was too slow';
      return null;
    }
    const { schema, maxTokens } = call;
    const result: CallResult<T> = await client.call(
      { images, text: call.text(images.length), schema, maxTokens, read: (reply) => call.read(reply, images.length) },
      context,
    );
    if ('value' in result) return result.value;
    if (result.isLimit) stoppedBy ??= result.failure;
    else failures.add(result.failure);
    return null;
  }

  return {
    ...{ observations, seed, maxImages, failures, ask },
    stoppedBy: () => stoppedBy,
    async askAbout(frames, call) {
      const images = await Promise.all(frames.slice(0, maxImages).map(draw));
      const shown = frames.flatMap((frame, i) => (images[i] ? [{ frame, jpeg: images[i]! }] : []));
      if (shown.length === 0) return null;
      const order = call.isReversed ? shown.toReversed() : shown;
      const labeled = order.map(({ jpeg }, i) => ({ label: frameLabel(shown[i]!.frame, i), jpeg, tokens }));
      const value = await ask(labeled, call);
      return value === null ? null : { value, frames: shown.map(({ frame }) => frame) };
    },
  };
}
