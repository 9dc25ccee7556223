import { RANGES, readCaptions } from '../calls/index.ts';
import { askTrust } from '../claims.ts';
import { framesAt } from '../plan/frame-times.ts';
import type { TimeSpan } from '../plan/windows.ts';
import { type CaptionForm, captionPrompt, type PromptRange } from '../prompts.ts';
import { decoyOf } from '../reliability/controls.ts';
import { isConfirmed } from '../reliability/looks.ts';
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
/** A range with what is known of it. */
type NotedRange = TimeSpan & { note?: string };

/** Ranges that are described; of more of them, the longest. */
export const MAX_RANGES = 40;
const FRAMES_PER_RANGE = 4;
const RANGES_PER_CALL = 3;
const MAX_TOKENS = 500;
/** Calls in which a decoy is confirmed, from which on no sentence is believed. */
const MAX_DECOYED = 2;

export type WrittenCaptions = { texts: (string | null)[]; limits: string[]; windows: TimeSpan[] };

/** Describes ranges in a sentence each; a range whose sentence is not confirmed has none. */
export async function writeCaptions(
  session: LookSession,
  { ranges, mode }: CaptionRequest,
  name: string,
): Promise<WrittenCaptions> {
  const { texts, windows, untrusted } = await describeRanges(session, { ranges, mode, form: 'sentence' });
  if (untrusted !== null) return { texts, windows, limits: [`${name} is not believed: ${untrusted}`] };
  const written = texts.filter((text) => text !== null).length;
  return {
    texts,
    windows,
    limits: [
      `${name} wrote ${written} of ${ranges.length} captions from ${FRAMES_PER_RANGE} frames of each; the others state what observers measured`,
      ...limitsOf(session),
    ],
  };
}

/** Calls of a session that failed or were not made, in words. */
export function limitsOf(session: Pick<LookSession, 'failures' | 'stoppedBy'>): string[] {
  const stopped = session.stoppedBy();
  return [
    ...[...session.failures].map((failure) => `the model failed at times: ${failure}`),
    ...(stopped === null ? [] : [`it was stopped: ${stopped}`]),
  ];
}

/** `untrusted`: the reason why the model is not believed; all texts are then null. */
export type DescribedRanges = Omit<WrittenCaptions, 'limits'> & { untrusted: string | null };

/**
 * Describes ranges. Each text is shown to the model again with its frames, and each call is followed by a scene that
 * cannot be there: what it does not confirm, and calls in which it confirms the scene, are not used.
 */
export async function describeRanges(
  session: LookSession,
  { ranges, mode, form }: { mode: CaptionMode; form: CaptionForm; ranges: readonly NotedRange[] },
): Promise<DescribedRanges> {
  const none = { texts: ranges.map(() => null), windows: [] };
  const untrusted = await askTrust(session, `captions ${mode}`);
  if (untrusted !== null) return { ...none, untrusted };
  const chosen = [...ranges.keys()]
    .toSorted((a, b) => lengthOf(ranges[b]!) - lengthOf(ranges[a]!))
    .slice(0, MAX_RANGES)
    .toSorted((a, b) => a - b);
  const perCall = Math.max(1, Math.min(RANGES_PER_CALL, Math.floor(session.maxImages / FRAMES_PER_RANGE)));
  const groups = Array.from({ length: Math.ceil(chosen.length / perCall) }, (_, i) =>
    chosen.slice(i * perCall, (i + 1) * perCall),
  );
  const replies = await Promise.all(
    groups.map((group) => {
      const spans = group.map((i) => ranges[i]!);
      return describe(session, spans, { mode, form });
    }),
  );
  const decoyed = replies.filter((reply) => reply?.isDecoyed).length;
  const texts: (string | null)[] = [...none.texts];
  for (const [g, group] of groups.entries())
    for (const [k, i] of group.entries()) {
      const reply = replies[g];
      texts[i] = reply && !reply.isDecoyed ? reply.texts[k]! : null;
    }
  if (decoyed >= MAX_DECOYED || decoyed * 2 > groups.length)
    return { ...none, untrusted: `it confirmed scenes that cannot be there in ${decoyed} of ${groups.length} calls` };
  return {
    texts,
    windows: groups.flatMap((group, g) => (replies[g] ? group.map((i) => ranges[i]!) : [])),
    untrusted: null,
  };
}

/** Confirmed texts about neighboring ranges. Null if there is no answer. */
async function describe(
  session: LookSession,
  ranges: readonly NotedRange[],
  { mode, form }: { mode: CaptionMode; form: CaptionForm },
) {
  const frames = ranges.map((range) => framesIn(session, range));
  const flat = frames.flat();
  const spans = ranges.map(({ note = null }, i): PromptRange => {
    const before = frames.slice(0, i).flat().length;
    return { first: before + 1, last: before + frames[i]!.length, note };
  });
  const reply = await session.askAbout(flat, {
    text: (images) => captionPrompt(spans, images, FOOTAGE[mode], form),
    schema: RANGES,
    read: (text, images) => (images === flat.length ? readCaptions(text, ranges.length) : new Map<number, string>()),
    maxTokens: MAX_TOKENS,
  });
  if (reply === null) return null;
  const confirm = (text: string, shown: readonly VideoFrame[]) =>
    isConfirmed(session, { text, context: null, frames: shown });
  const [isDecoyed, ...confirmed] = await Promise.all([
    confirm(decoyOf(`${session.seed} ${flat[0]!.pts}`), flat),
    ...ranges.map((_, i) => {
      const text = reply.value.get(i + 1);
      return text === undefined ? false : confirm(text, frames[i]!);
    }),
  ]);
  return { isDecoyed, texts: ranges.map((_, i) => (confirmed[i] ? reply.value.get(i + 1)! : null)) };
}

/** The frames of a range that are shown. */
export function framesIn({ observations }: Pick<LookSession, 'observations'>, { from, to }: TimeSpan): VideoFrame[] {
  const step = (to - from) / FRAMES_PER_RANGE;
  const times = Array.from({ length: FRAMES_PER_RANGE }, (_, k) => from + (k + 0.5) * step);
  return framesAt(observations, times, step);
}

const lengthOf = ({ from, to }: TimeSpan) => to - from;
