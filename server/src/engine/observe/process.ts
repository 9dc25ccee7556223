import type { DecodedFrame, PictureRequest, TaskContext } from '#platform/media/index';
import { encodeObjects, encodeSignals, encodeSound } from './encoding.ts';
import { createDetector } from './objects/detector.ts';
import { createObjectsObserver, LOOK_EVERY_S, type ObjectsSettings } from './objects/index.ts';
import { INPUT_SIDE } from './objects/yolox.ts';
import type { VideoFacts } from './observations.ts';
import { COLOR_EVERY_S, COLOR_HEIGHT, COLOR_WIDTH, createSignalsObserver, HEIGHT, WIDTH } from './signals/index.ts';
import { createSoundObserver, SAMPLE_RATE } from './sound/index.ts';

export type ObserveArgs = {
  path: string;
  video: VideoFacts;
  signals: boolean;
  sound: boolean;
  /** Null when objects are not asked for. */
  objects: Omit<ObjectsSettings, 'shown'> | null;
};

/** Artifacts by kind, those that were asked for. */
export type ObserveResult = { signals?: Uint8Array; sound?: Uint8Array; objects?: Uint8Array };

/**
 * Pictures from here on (1080p) are shrunk so much that the edges of coding blocks, which deblocking smooths, vanish in the mean. Without it a quarter of the decoding time is
 * saved, and on labelled clips at this size the same tracks are found.
 */
const SHRUNK_PIXELS = 1.5e6;

/** The task of a media process: decodes the video once and lets every observer that was asked for look on. */
export async function observe(args: ObserveArgs, { decoder, progress }: TaskContext): Promise<ObserveResult> {
  const { path, video } = args;
  // Things are followed against the camera's motion, so that needs every frame whether its figures are asked for or not.
  const picture = args.signals || args.objects ? createSignalsObserver() : null;
  const sound = args.sound && video.hasAudio ? createSoundObserver(video.durationS) : null;
  const things = args.objects ? await createObjectsObserver({ ...args.objects, shown: video }) : null;
  const pictures: PictureRequest[] = [];
  if (picture) {
    const onFrame = ({ data, timeS, pts }: DecodedFrame) => {
      const step = picture.take(data, timeS, pts);
      things?.stepped(step, timeS);
    };
    pictures.push({ width: WIDTH, height: HEIGHT, format: 'gray', onFrame });
  }
  if (picture && args.signals) {
    const onFrame = ({ data, timeS }: DecodedFrame) => picture.takeColor(data, timeS);
    const size = { width: COLOR_WIDTH, height: COLOR_HEIGHT };
    pictures.push({ ...size, format: 'rgb', minIntervalS: COLOR_EVERY_S, onFrame });
  }
  if (things) {
    const onFrame = ({ data, timeS, pts }: DecodedFrame) => things.take(data, timeS, pts);
    pictures.push({ width: things.width, height: things.height, format: 'rgb', minIntervalS: LOOK_EVERY_S, onFrame });
  }
  try {
    const { endS } = await decoder.decode(path, {
      pictures,
      ...(sound ? { sound: { sampleRate: SAMPLE_RATE, onSamples: sound.take } } : {}),
      skipDeblocking: video.width * video.height >= SHRUNK_PIXELS,
      onProgress: progress,
    });
    const facts = { ...video, durationS: endS };
    return {
      ...(picture && args.signals ? { signals: encodeSignals(facts, picture.finish()) } : {}),
      ...(args.sound ? { sound: encodeSound(facts, sound?.finish() ?? null) } : {}),
      ...(things ? { objects: encodeObjects(facts, await things.finish()) } : {}),
    };
  } finally {
    await things?.close();
  }
}

export type TryDetectorArgs = { weights: string };

/** Loads weights and looks at one grey picture with them. Says what is wrong with them, or null. */
export async function tryDetector({ weights }: TryDetectorArgs): Promise<string | null> {
  const detector = await createDetector({ weights, width: INPUT_SIDE, height: INPUT_SIDE, threads: 1 });
  try {
    await detector.look(new Uint8Array(INPUT_SIDE * INPUT_SIDE * 3).fill(128));
    await detector.finish();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await detector.close();
  }
}
