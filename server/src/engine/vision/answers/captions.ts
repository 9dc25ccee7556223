import { RANGES, readCaptions } from '../calls/index.ts';
import { askTrust } from '../claims.ts';
import { decoyOf } from '../doubt/controls.ts';
import { isConfirmed } from '../doubt/verification.ts';
import { framesAt } from '../plan/frame-times.ts';
import type { TimeSpan } from '../plan/windows.ts';
import { captionPrompt } from '../prompts.ts';
import type { LookSession } from '../session.ts';
import type { VideoFrame } from '../types.ts';

/** Kinds of footage that captions can be made for. */
export const CAPTION_MODES = ['driving', 'construction', 'robotics'] as const;
export type CaptionMode = (typeof CAPTION_MODES)[number];

const FOOTAGE: Record<CaptionMode, string> = {
  driving: 'one video',
  construction: 'one video of a construction site',
  robotics: 'one video of a robot at work',
};

/** Ranges of the video to describe, in the order of time. */
export type CaptionRequest = { mode: CaptionMode; ranges: readonly TimeSpan[] };

/** Ranges that are described; of more of them, the longest. */
const MAX_RANGES = 40;
const FRAMES_PER_RANGE = 4;
const RANGES_PER_CALL = 3;
const MAX_TOKENS = 500;
/** Calls in which a decoy is confirmed, from which on no sentence is believed. */
const MAX_DECOYED = 2;

export type WrittenCaptions = { texts: (string | null)[]; limits: string[]; windows: TimeSpan[] };

/**
 * Describes ranges in a sentence each. Each sentence is shown to the model again with its frames, and each call is
 * followed by a scene that cannot be there: what it does not confirm, and calls in which it confirms the scene, are not
 * used.
 */
export async function writeCaptions(
  session: LookSession,
  { ranges, mode }: CaptionRequest,
  name: string,
): Promise<WrittenCaptions> {
  const none = { texts: ranges.map(() => null), windows: [] };
  const untrusted = await askTrust(session, `captions ${mode}`);
  if (untrusted !== null) return { ...none, limits: [`${name} is not believed: ${untrusted}`] };
  const chosen = [...ranges.keys()]
    .toSorted((a, b) => lengthOf(ranges[b]!) - lengthOf(ranges[a]!))
    .slice(0, MAX_RANGES)
    .toSorted((a, b) => a - b);
  const perCall = Math.max(1, Math.min(RANGES_PER_CALL, Math.floor(session.maxImages / FRAMES_PER_RANGE)));
  const groups = Array.from({ length: Math.ceil(chosen.length / perCall) }, (_, i) =>
    chosen.slice(i * perCall, (i + 1) * perCall),
  );
  const replies = await Promise.all(
    groups.map((group) =>
      describe(
        session,
        group.map((i) => ranges[i]!),
        mode,
      ),
    ),
  );
  const decoyed = replies.filter((reply) => reply?.isDecoyed).length;
  const texts: (string | null)[] = [...none.texts];
  for (const [g, group] of groups.entries())
    for (const [k, i] of group.entries()) {
      const reply = replies[g];
      texts[i] = reply && !reply.isDecoyed ? reply.texts[k]! : null;
    }
  if (decoyed >= MAX_DECOYED || decoyed * 2 > groups.length) {
    const reason = `it confirmed scenes that cannot be there in ${decoyed} of ${groups.length} calls`;
    return { ...none, limits: [`${name} is not believed: ${reason}`] };
  }
  const written = texts.filter((text) => text !== null).length;
  const stopped = session.stoppedBy();
  return {
    texts,
    windows: groups.flatMap((group, g) => (replies[g] ? group.map((i) => ranges[i]!) : [])),
    limits: [
      `${name} wrote ${written} of ${ranges.length} captions from ${FRAMES_PER_RANGE} frames of each; the others state what observers measured`,
      ...[...session.failures].map((failure) => `the model failed at times: ${failure}`),
      ...(stopped === null ? [] : [`it was stopped: ${stopped}`]),
    ],
  };
}

/** Confirmed sentences about neighboring ranges. Null if there is no answer. */
async function describe(session: LookSession, ranges: readonly TimeSpan[], mode: CaptionMode) {
  const frames = ranges.map((range) => framesIn(session, range));
  const flat = frames.flat();
  const spans = ranges.map((_, i): [number, number] => {
    const before = frames.slice(0, i).flat().length;
    return [before + 1, before + frames[i]!.length];
  });
  const reply = await session.askAbout(flat, {
    text: (images) => captionPrompt(spans, images, FOOTAGE[mode]),
    schema: RANGES,
    read: (text, images) => (images === flat.length ? readCaptions(text, ranges.length) : new Map<number, string>()),
    maxTokens: MAX_TOKENS,
  });
  if (reply === null) return null;
  const confirm = (text: string, shown: readonly VideoFrame[]) =>
    isConfirmed(session, { text, context: null, isOrdered: false }, shown);
  const [isDecoyed, ...confirmed] = await Promise.all([
    confirm(decoyOf(`${session.seed} ${flat[0]!.pts}`), flat),
    ...ranges.map((_, i) => {
      const text = reply.value.get(i + 1);
      return text === undefined ? false : confirm(text, frames[i]!);
    }),
  ]);
  return { isDecoyed, texts: ranges.map((_, i) => (confirmed[i] ? reply.value.get(i + 1)! : null)) };
}

function framesIn({ observations }: LookSession, { from, to }: TimeSpan): VideoFrame[] {
  const step = (to - from) / FRAMES_PER_RANGE;
  const times = Array.from({ length: FRAMES_PER_RANGE }, (_, k) => from + (k + 0.5) * step);
  return framesAt(observations, times, step);
}

const lengthOf = ({ from, to }: TimeSpan) => to - from;
