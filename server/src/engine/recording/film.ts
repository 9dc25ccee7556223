import type { Encoder, ReelFrame } from '#platform/media/index';
import { createClock, type Gap } from './clock.ts';
import { createDecoder } from './messages.ts';
import { pictureReader } from './pictures.ts';
import { recordingProblem } from './problems.ts';
import type { Channel, Loss, Recording } from './reader.ts';

/** What became of a channel. Times in nanoseconds by the common clock, drift by the recorder's. */
export type Film = {
  frames: number;
  startNs: bigint;
  endNs: bigint;
  video: 'copied' | 'encoded';
  driftPpm: number | null;
  gaps: Gap[];
  /** What the numbers do not say, in sentences: frames that were left out and why, clocks that were set. */
  notes: string[];
  /** Stretches of the recording that could not be read. */
  losses: readonly Loss[];
};

/** What came of the messages, as far as they were read. */
type Reading = { clock: ReturnType<typeof createClock>; damaged: number; reason: string | null };

/**
 * Makes a video of a channel, frame by frame, at the times the frames were taken. Throws `channel_unreadable` (400), or what the encoder says, when not one
 * of its frames can be used; those that cannot are left out and counted.
 */
export async function makeFilm(
  recording: Recording,
  channel: Channel,
  target: string,
  { encoder, progress }: { encoder: Encoder; progress: (fraction: number) => void },
): Promise<Film> {
  const read = channel.schema && pictureReader(channel.schema.name);
  if (!read) throw recordingProblem.channel_unreadable(`"${channel.schema?.name ?? ''}" holds no pictures.`);
  const decode = createDecoder(channel);
  const startNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? startNs) - startNs) / 1e9;
  let reading: Reading = { clock: createClock(), damaged: 0, reason: null };

  async function* frames(): AsyncGenerator<ReelFrame> {
    reading = { clock: createClock(), damaged: 0, reason: null };
    for await (const { data, logTimeNs } of recording.messages(new Set([channel.id]))) {
      try {
        const picture = read!(decode(data));
        const atNs = reading.clock.at(picture.stampNs, logTimeNs);
        if (atNs !== null) yield { ...picture, timeS: Number(atNs - startNs) / 1e9 };
      } catch (error) {
        reading.damaged++;
        reading.reason ??= (error as Error).message;
      }
    }
  }

  const onProgress = (timeS: number) => progress(lengthS > 0 ? timeS / lengthS : 1);
  const made = await encoder.assemble(target, { frames, onProgress }).catch((error: Error) => {
    if (reading.clock.lastNs !== null) throw error;
    throw recordingProblem.channel_unreadable(sentence(reading.reason ?? emptiness(recording)), { cause: error });
  });
  const { driftPpm, gaps, steps, backwards } = reading.clock.report();
  const began = startNs + BigInt(Math.round(made.startS * 1e9));
  return {
    frames: made.frames,
    startNs: began,
    endNs: reading.clock.lastNs ?? began,
    video: made.video,
    driftPpm,
    gaps: gaps.filter((gap) => gap.startNs >= began),
    notes: [
      ...told(reading.damaged, `could not be read: ${reading.reason}`),
      ...told(made.left, 'could not be decoded, or came before the first one that decoding can begin with'),
      ...told(backwards, 'left out because they are not later than the one before'),
      ...(steps > 0 ? [`The camera's clock was set ${steps} times; frames are placed by the recorder's there.`] : []),
    ],
    losses: [...recording.losses],
  };
}

const told = (count: number, what: string) => (count > 0 ? [`${count} frames ${what}.`] : []);

const sentence = (reason: string) => `None of its frames could be read: ${reason}.`;

const emptiness = ({ losses }: Recording) => losses[0]?.reason ?? 'it has no messages';
