import { pluralOf } from '../find/index.ts';
import type { TrackView } from '../find/types.ts';
import type { CaptionSegment } from './segments.ts';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Part of the frame's width that an object has to cross before a caption states its direction. */
const MIN_SHIFT = 0.12;

/** `isMotionKnown`: the motion of the frame was observed. */
export type CaptionContext = { isMotionKnown: boolean };

/** One sentence: "Two people move left to right; a car is in view; the camera is still." */
export function writeCaption(
  segment: CaptionSegment,
  tracks: readonly TrackView[],
  { isMotionKnown }: CaptionContext,
): string {
  const parts = [...segment.counts]
    .sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
    .map(([className, count]) => {
      const name = count === 1 ? `${/^[aeiou]/.test(className) ? 'an' : 'a'} ${className}` : counted(className, count);
      return `${name} ${verb(segment, tracksOf(segment, tracks, className), count)}`;
    });
  if (parts.length === 0) parts.push('no known object is in view');
  if (segment.states.has('dark')) parts.push('it is dark');
  if (isMotionKnown) parts.push(segment.states.has('camera') ? 'the camera moves' : 'the camera is still');
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Tracks of a class that are in view during the segment. */
export const tracksOf = ({ startS, endS }: CaptionSegment, tracks: readonly TrackView[], className: string) =>
  tracks.filter((view) => view.track.className === className && view.startS < endS && view.endS > startS);

const counted = (className: string, count: number) => `${NUMBERS[count] ?? count} ${pluralOf(className)}`;

/** The motion of most of the objects. While the camera moves, everything shifts, so no direction is stated. */
function verb(segment: CaptionSegment, tracks: readonly TrackView[], count: number): string {
  const shifts = segment.states.has('camera') ? [] : tracks.map((view) => shiftIn(view, segment));
  const right = shifts.filter((shift) => shift > MIN_SHIFT).length;
  const left = shifts.filter((shift) => shift < -MIN_SHIFT).length;
  const move = count === 1 ? 'moves' : 'move';
  if (right * 2 > tracks.length) return `${move} left to right`;
  if (left * 2 > tracks.length) return `${move} right to left`;
  return count === 1 ? 'is in view' : 'are in view';
}

/** Horizontal shift of the box center within the segment, in frame widths. */
function shiftIn({ track, timeS }: TrackView, { startS, endS }: CaptionSegment): number {
  const inside = [...timeS.keys()].filter((i) => timeS[i]! >= startS && timeS[i]! <= endS);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return track.x[last]! - track.x[first]!;
}
