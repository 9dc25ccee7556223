import type { DecodedFrame, PictureRequest, TaskContext } from '#platform/media/index';
import { createObjectsObserver } from '../observe/objects/index.ts';
import type { Things } from '../observe/objects/things.ts';
import { SAMPLE_RATE, type VideoFacts } from '../observe/observer.ts';
import {
  COLOR_EVERY_S,
  COLOR_HEIGHT,
  COLOR_WIDTH,
  createSignalsObserver,
  HEIGHT,
  WIDTH,
} from '../observe/signals/index.ts';
import { createSoundObserver } from '../observe/sound/index.ts';
import type { Chunk, Lead, LeadFrame, SeenLook } from './chunk.ts';
import { createDetectorKeep } from './kept-detector.ts';
import { LEAD_S, signalsFrom } from './signals.ts';

export type ChunkArgs = {
  path: string;
  video: VideoFacts;
  /** The end of the piece before, where that is known; times count from this one's first frame. */
  lead: Lead | null;
  /** The detector, and seconds between two pictures that it looks at; null: nothing is detected. */
  detector: { weights: string; model: string; everyS: number } | null;
};

export type ChunkResult = { chunk: Chunk; lead: Lead };

/** Of this media process, which runs one task at a time. */
const openDetector = createDetectorKeep();

/** The task of a media process: what the signals, the sound and the detector's looks of one piece are, as they would be in one pass over all pieces; signals of every frame, however fast they follow. */
export async function observeChunk(
  { path, video, lead, detector }: ChunkArgs,
  { decoder }: TaskContext,
): Promise<ChunkResult> {
  const looks: SeenLook[] = [];
  const stamps: number[] = [];
  const recorder: Things = {
    take: (look, colors) => void looks.push({ look, colors, pts: stamps[looks.length]! }),
    finish: () => [],
  };
  const picture = createSignalsObserver();
  const hearing = createSoundObserver(video.durationS);
  const settings = detector && { ...detector, shown: video, threads: 1, things: recorder, open: openDetector };
  const things = settings && (await createObjectsObserver(settings));
  let recent: LeadFrame[] = [];
  const take = (frame: LeadFrame) => {
    const step = picture.take(frame.data, frame.timeS, frame.pts);
    things?.stepped(step, frame.timeS);
    recent.push(frame);
  };
  for (const frame of lead?.frames ?? []) {
    take(frame);
    if (frame.timeS === lead?.lookedS) things?.looked();
  }

  const pictures: PictureRequest[] = [
    {
      ...{ width: WIDTH, height: HEIGHT, format: 'gray' },
      onFrame({ data, timeS, pts }) {
        take({ data: data.slice(), timeS, pts });
        if (recent[0]!.timeS < timeS - 2 * LEAD_S) recent = lastOf(recent);
      },
    },
    {
      ...{ width: COLOR_WIDTH, height: COLOR_HEIGHT, format: 'rgb', minIntervalS: COLOR_EVERY_S },
      onFrame: ({ data, timeS }: DecodedFrame) => picture.takeColor(data, timeS),
    },
  ];
  if (things) {
    pictures.push({
      ...{ width: things.width, height: things.height, format: 'rgb', minIntervalS: detector.everyS },
      onFrame({ data, timeS, pts }) {
        stamps.push(pts);
        return things.take(data, timeS, pts);
      },
    });
  }
  try {
    const { endS } = await decoder.decode(path, {
      pictures,
      ...(video.hasAudio ? { sound: { sampleRate: SAMPLE_RATE, onSamples: hearing.take } } : {}),
      skipDeblocking: 'all',
    });
    await things?.finish();
    const chunk: Chunk = {
      video: { ...video, durationS: endS },
      signals: signalsFrom(picture.finish(), -LEAD_S / 2),
      sound: hearing.finish(),
      seen: detector && { model: detector.model, looks },
    };
    return { chunk, lead: { frames: lastOf(recent), lookedS: looks.at(-1)?.look.timeS ?? null } };
  } finally {
    await things?.close();
  }
}

const lastOf = (frames: readonly LeadFrame[]) => frames.filter(({ timeS }) => timeS >= frames.at(-1)!.timeS - LEAD_S);
