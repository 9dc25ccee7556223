import type { Sound } from '../observe/observations.ts';
import type { What } from '../plan/index.ts';
import { marginConfidence } from './confidence.ts';
import { type Hit, type Looked, round } from './hit.ts';
import { complement, hysteresis, mergeGaps, type Span } from './intervals.ts';
import type { Scene } from './scene.ts';
import { LIMITS, STATES } from './thresholds.ts';

type Heard = Span & { best: number; margin: number; name: string; value: number; threshold: number; because: string };

/** Looks for what the sound track does, by its level. */
export function findSound(what: Extract<What, { kind: 'sound' }>, scene: Scene): Looked {
  const { sound, video } = scene.observations;
  if (!sound)
    return {
      unavailable: video.hasAudio ? 'the sound was not observed for this video' : 'the video has no sound track',
    };
  const heard = FINDERS[what.sound](sound);
  const startOf = (i: number) => sound.startS + i * sound.stepS;
  const hits = heard.map(
    (h): Hit => ({
      what,
      negated: false,
      // Sound has no frames: the edges are those of the frames shown around it.
      start: scene.momentAt(startOf(h.from)),
      end: scene.momentAfter(startOf(h.to + 1)),
      best: scene.momentAt(startOf(h.best)),
      confidence: marginConfidence(h.margin),
      tracks: [],
      signals: [{ name: h.name, value: round(h.value, 1), threshold: h.threshold, unit: 'dBFS' }],
      count: 1,
      because: [h.because],
      parts: [],
    }),
  );
  const limits = what.sound !== 'bang' ? [] : ['told by level only: what made the sound is not known'];
  return { hits, by: ['sound'], limits, domain: scene.frames };
}

const FINDERS: Record<Extract<What, { kind: 'sound' }>['sound'], (sound: Sound) => Heard[]> = {
  silence: (s) => quiet(s).map((span) => level(s, span, 'min', STATES.silence.enter)),
  sound: (s) => complement(quiet(s), s.levelDb.length).map((span) => level(s, span, 'max', STATES.silence.enter)),
  loud,
  bang,
};

const windows = (s: Sound) => Float64Array.from(s.levelDb, (_, i) => s.startS + i * s.stepS);

function quiet(s: Sound): Span[] {
  return mergeGaps(hysteresis(s.levelDb, STATES.silence), windows(s), s.stepS).filter(
    (span) => (span.to - span.from + 1) * s.stepS >= LIMITS.silenceMin.limit,
  );
}

function loud(s: Sound): Heard[] {
  return mergeGaps(hysteresis(s.levelDb, STATES.loud), windows(s), 0.5)
    .filter((span) => (span.to - span.from + 1) * s.stepS >= 0.2)
    .map((span) => level(s, span, 'max', STATES.loud.enter));
}

function level(s: Sound, span: Span, which: 'min' | 'max', threshold: number): Heard {
  let best = span.from;
  for (let i = span.from; i <= span.to; i++) {
    if (which === 'max' ? s.levelDb[i]! > s.levelDb[best]! : s.levelDb[i]! < s.levelDb[best]!) best = i;
  }
  const value = s.levelDb[best]!;
  const time = round((span.to - span.from + 1) * s.stepS);
  return {
    ...span,
    best,
    margin: Math.abs(value - threshold) / 8,
    name: 'sound level',
    value,
    threshold,
    because: `the sound level ${which === 'max' ? 'reached' : 'fell to'} ${round(value, 1)} dBFS (threshold ${threshold}) for ${time} s`,
  };
}

/** A sudden peak, far above the second before it. */
function bang(s: Sound): Heard[] {
  const found: Heard[] = [];
  const before = Math.max(1, Math.round(1 / s.stepS));
  for (let i = 2; i < s.levelDb.length; i++) {
    if (s.peakDb[i]! < LIMITS.bangPeak.limit) continue;
    const from = Math.max(0, i - before);
    let power = 0;
    for (let k = from; k < i; k++) power += 10 ** (s.levelDb[k]! / 10);
    const usual = 10 * Math.log10(power / (i - from) + 1e-12);
    const rise = s.levelDb[i]! - usual;
    if (rise < LIMITS.bangRise.limit) continue;
    // What stays loud is music that begins, or a machine that is switched on.
    const after = Math.round(LIMITS.bangDecay.limit / s.stepS);
    if (i + after >= s.levelDb.length || s.levelDb[i + after]! > s.levelDb[i]! - 8) continue;
    let to = i;
    while (to + 1 < s.levelDb.length && (to - i) * s.stepS < 1 && s.levelDb[to + 1]! > s.levelDb[i]! - 10) to++;
    found.push({
      from: i,
      to,
      best: i,
      margin: (rise - LIMITS.bangRise.limit) / 10,
      name: 'peak level',
      value: s.peakDb[i]!,
      threshold: LIMITS.bangPeak.limit,
      because: `the level rose by ${round(rise, 1)} dB over the second before, to a peak of ${round(s.peakDb[i]!, 1)} dBFS`,
    });
    i = to + 1;
  }
  return found;
}
