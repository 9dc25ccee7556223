import type { Texts, TrackedText } from '../../observe/observations.ts';
import type { Target } from '../../plan/index.ts';
import { MAX_CONFIDENCE } from '../confidence.ts';
import { round } from '../format.ts';
import type { FrameTime, IntervalMatch, Scene, StepResult } from '../types.ts';
import { hasDigit, matchesText, wordsOf } from './matches-text.ts';

type TextTarget = Extract<Target, { kind: 'text' }>;

/** Probability that a text is read: one that is small, turned or in view for less than a second is not. */
const RECALL = 0.8;
/** Lowest score of a text that is reported, see `text-tracker.ts`. */
export const MIN_SCORE = 0.7;
/** Lines of one text are at most this far apart, in heights of a line. */
const MAX_LINE_GAP = 2;

/** Entries of a text, both included, and what was read in them. */
type Span = { text: TrackedText; from: number; to: number; reading: string };

/** Finds a text in the frame, or any text. */
export function findText(what: TextTarget, scene: Scene): StepResult {
  const { text: texts } = scene.observations;
  if (!texts) return { unavailable: NOT_READ };
  const requested = what.text;
  const spans = requested === null ? texts.texts.map(wholeText) : spansOf(requested, texts);
  const found = spans.length > 0 || requested === null ? spans.map((span) => [span]) : findOnLines(requested, texts);
  const carrier =
    what.carrier === undefined ? [] : [{ text: `"${what.carrier}": what a text is written on is not checked` }];
  const unread = `text under ${texts.minHeight} px high, or in view for less than a second, is not read reliably`;
  return {
    matches: found
      .map((lines) => toMatch(what, lines, texts))
      .toSorted((a, b) => a.start.timeS - b.start.timeS || b.confidence - a.confidence),
    by: [`text (${texts.model.split(' ')[0]})`],
    limits: () => [...carrier, { text: unread, recall: RECALL }],
    frames: { timeS: texts.timeS, pts: texts.pts },
  };
}

export const NOT_READ = 'text was not read in this video';

const wholeText = (text: TrackedText): Span => ({ text, from: 0, to: text.frame.length - 1, reading: text.text });

/** Where a text shows what is requested. Numbers change, as those of a clock do: every reading counts. */
function spansOf(requested: string, { texts, readings }: Texts): Span[] {
  if (!hasDigit(requested)) return texts.filter(({ text }) => matchesText(text, requested)).map(wholeText);
  const matching = readings.map((reading) => matchesText(reading, requested));
  return texts.flatMap((text) => {
    const spans: Span[] = [];
    for (const [at, reading] of text.reading.entries()) {
      if (!matching[reading]) continue;
      const last = spans.at(-1);
      if (last?.to === at - 1) last.to = at;
      else spans.push({ text, from: at, to: at, reading: readings[reading]! });
    }
    return spans;
  });
}

/** A text of several lines: each word is found in one of them, close to the others. */
function findOnLines(requested: string, texts: Texts): Span[][] {
  const words = wordsOf(requested);
  if (words.length < 2) return [];
  const [first, ...more] = words.map((word) => spansOf(word, texts));
  return first!.flatMap((start) => {
    const lines = [start];
    for (const candidates of more) {
      const next = candidates.find((each) => isBelow(lines.at(-1)!, each));
      if (!next) return [];
      lines.push(next);
    }
    return [lines];
  });
}

/** True if a line is in the same frame as another one, and close to it. */
function isBelow(a: Span, b: Span): boolean {
  if (a.text === b.text) return true;
  for (let i = a.from; i <= a.to; i++) {
    const k = b.text.frame.indexOf(a.text.frame[i]!);
    if (k < b.from || k > b.to) continue;
    const height = Math.max(a.text.height[i]!, b.text.height[k]!);
    const gapX = Math.abs(a.text.x[i]! - b.text.x[k]!) - (a.text.width[i]! + b.text.width[k]!) / 2;
    return gapX <= height && Math.abs(a.text.y[i]! - b.text.y[k]!) <= MAX_LINE_GAP * height;
  }
  return false;
}

function toMatch(what: TextTarget, lines: readonly Span[], texts: Texts): IntervalMatch {
  const frames = lines.flatMap(({ text, from, to }) => [text.frame[from]!, text.frame[to]!]);
  const frameTime = (index: number): FrameTime => ({ timeS: texts.timeS[index]!, pts: texts.pts[index]! });
  const [{ text, from, to }] = lines as [Span];
  const reading = lines.map((line) => line.reading).join(' ');
  const score = Math.min(...lines.map((line) => line.text.score));
  // The largest is read best.
  let best = from;
  for (let at = from; at <= to; at++) if (text.height[at]! > text.height[best]!) best = at;
  const count = to - from + 1;
  return {
    what: { ...what, text: reading },
    negated: false,
    tracks: [],
    presences: [],
    stepMatches: [],
    start: frameTime(Math.min(...frames)),
    end: frameTime(Math.max(...frames)),
    best: frameTime(text.frame[best]!),
    confidence: Math.min(MAX_CONFIDENCE, score),
    signals: [{ name: 'text score', value: round(score, 2), threshold: MIN_SCORE, unit: 'score' }],
    reasons: [
      `"${reading}" was read in ${count} ${count === 1 ? 'frame' : 'frames'} with a score of up to ${round(score, 2)}`,
    ],
    boxes: lines.flatMap((line) => [...boxesOf(line, texts)]),
  };
}

function* boxesOf({ text, from, to, reading }: Span, { timeS }: Texts) {
  for (let at = from; at <= to; at++) {
    const [width, height] = [text.width[at]!, text.height[at]!];
    const [x, y] = [text.x[at]! - width / 2, text.y[at]! - height / 2];
    yield { timeS: timeS[text.frame[at]!]!, x, y, width, height, label: reading };
  }
}
