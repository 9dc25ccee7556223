import { distance } from 'fastest-levenshtein';
import { createColumn, float32, int32 } from '../columns.ts';
import type { Reading } from './decode-line.ts';
import type { TextBox, TrackedText } from './observation.ts';

/** A text in one frame. */
export type TextSighting = Reading & { box: TextBox };

/** A text that is not read for longer than this has ended, in seconds. */
const MAX_GAP_S = 2.5;
/** Readings of one text have at least this similarity, 0 to 1. */
const SAME_TEXT = 0.6;
/** Greatest distance of the centers of one text in two frames, in sizes of the frame: signs pass by. */
const MAX_DISTANCE = 0.3;
/** Greatest ratio of its heights. */
const MAX_GROWTH = 2.5;
/** A text that was read once needs a higher score, since no other frame confirms it. */
const MIN_SCORE = 0.7;
const MIN_SCORE_ONCE = 0.85;
/** Single characters are edges and posts more often than text. */
const MIN_CHARACTERS = 2;

type OpenText = {
  columns: ReturnType<typeof createColumns>;
  last: TextSighting;
  lastS: number;
  best: number;
  /** Sum of scores by index of the reading. */
  votes: Map<number, number>;
  entries: number;
};

const createColumns = () => ({
  frame: createColumn(int32),
  reading: createColumn(int32),
  x: createColumn(float32),
  y: createColumn(float32),
  width: createColumn(float32),
  height: createColumn(float32),
});

/** Joins the texts of consecutive frames: one track for each text. */
export function createTextTracker() {
  const readings = new Map<string, number>();
  const done: TrackedText[] = [];
  let open: OpenText[] = [];

  function add(text: OpenText, sighting: TextSighting, frame: number, timeS: number): void {
    const index = readings.get(sighting.text) ?? readings.size;
    readings.set(sighting.text, index);
    const { x, y, width, height } = sighting.box;
    text.columns.frame.push(frame);
    text.columns.reading.push(index);
    text.columns.x.push(x);
    text.columns.y.push(y);
    text.columns.width.push(width);
    text.columns.height.push(height);
    text.votes.set(index, (text.votes.get(index) ?? 0) + sighting.score);
    text.best = Math.max(text.best, sighting.score);
    text.last = sighting;
    text.lastS = timeS;
    text.entries++;
  }

  function close({ columns, best, votes, entries }: OpenText): void {
    const text = elect(votes);
    if (best < (entries > 1 ? MIN_SCORE : MIN_SCORE_ONCE)) return;
    if ([...text.replaceAll(/[^\p{L}\p{N}]/gu, '')].length < MIN_CHARACTERS) return;
    const arrays = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.toArray()]));
    done.push({ text, score: best, ...arrays } as TrackedText);
  }

  /** The reading with the greatest sum of scores; the first of several. */
  function elect(votes: ReadonlyMap<number, number>): string {
    const [index] = [...votes].reduce((best, each) => (each[1] > best[1] ? each : best));
    return [...readings.keys()][index]!;
  }

  return {
    /** Adds all texts of a frame. Frames come in order. */
    addFrame(sightings: readonly TextSighting[], frame: number, timeS: number): void {
      for (const text of open.filter(({ lastS }) => timeS - lastS > MAX_GAP_S)) close(text);
      open = open.filter(({ lastS }) => timeS - lastS <= MAX_GAP_S);
      const pairs = open
        .flatMap((text) => sightings.map((sighting) => ({ text, sighting, match: similarityOf(text.last, sighting) })))
        .filter(({ match }) => match > 0)
        .toSorted((a, b) => b.match - a.match);
      const taken = new Set<object>();
      for (const { text, sighting } of pairs) {
        if (taken.has(text) || taken.has(sighting)) continue;
        taken.add(text).add(sighting);
        add(text, sighting, frame, timeS);
      }
      for (const sighting of sightings.filter((each) => !taken.has(each))) {
        const text = { columns: createColumns(), last: sighting, lastS: timeS, best: 0, votes: new Map(), entries: 0 };
        add(text, sighting, frame, timeS);
        open.push(text);
      }
    },
    /** Returns the texts that are certain enough, in order of their first frame, and the readings they refer to. */
    finish(): { texts: TrackedText[]; readings: string[] } {
      for (const text of open) close(text);
      open = [];
      return { texts: done.toSorted((a, b) => a.frame[0]! - b.frame[0]!), readings: [...readings.keys()] };
    },
  };
}

/** Similarity of what was read in two frames, less the distance of the boxes; 0 for two texts. */
function similarityOf(a: TextSighting, b: TextSighting): number {
  const growth = Math.max(a.box.height, b.box.height) / Math.min(a.box.height, b.box.height);
  const apart = Math.hypot(a.box.x - b.box.x, a.box.y - b.box.y);
  if (growth > MAX_GROWTH || apart > MAX_DISTANCE) return 0;
  const same = 1 - distance(a.text, b.text) / Math.max(a.text.length, b.text.length);
  return same < SAME_TEXT ? 0 : same - apart;
}
