import type { ObjectWhat } from '../plan/index.ts';
import { type Act, lasts, type Watched, whole } from './act.ts';
import { crossesLine, crossesRegion, entersRegion, leavesRegion } from './borders.ts';
import { enters, firstSeen, isThere, lastSeen, leaves, wasThere } from './coming.ts';
import { closeAhead, crosses, moves, overtakes } from './going.ts';
import { complement } from './intervals.ts';
import { loiters, rests, stands, starts, stops } from './staying.ts';
import { LIMITS } from './thresholds.ts';
import type { TrackView } from './views.ts';

type Finder = (view: TrackView, what: ObjectWhat, video: Watched) => Act[];

/** How each action shows in a track. Relations and counts are met elsewhere. */
const ACTS: Record<ObjectWhat['action'], Finder> = {
  present: (view) => [whole(view, `seen in ${view.looks} frames`)],
  appears: (view, _what, video) => (wasThere(view, video) ? [] : [firstSeen(view)]),
  disappears: (view, _what, video) => (isThere(view, video) ? [] : [lastSeen(view)]),
  enters: (view, what, video) => (what.region ? entersRegion(view, what, video) : enters(view, what, video)),
  leaves: (view, what, video) => (what.region ? leavesRegion(view, what, video) : leaves(view, what, video)),
  crosses: (view, what, video) =>
    what.line
      ? crossesLine(view, what.line, what.direction)
      : what.region
        ? crossesRegion(view, what, video)
        : crosses(view, what.direction),
  moves: (view, what) => moves(view, what.direction),
  stops: (view, _what, video) => stops(view, video),
  starts: (view, _what, video) => starts(view, video),
  stands: (view) => stands(view),
  loiters: (view) => loiters(view),
  approaches: (view, what) => (what.relation ? [whole(view, `seen in ${view.looks} frames`)] : moves(view, 'towards')),
  passes: (view) => [whole(view, `seen in ${view.looks} frames`)],
  overtakes,
  follows: (view) => [whole(view, `seen in ${view.looks} frames`)],
  close_ahead: (view, _what, video) => closeAhead(view, video),
  left_behind: (view) => rests(view),
  taken_away: (view, _what, video) => (isThere(view, video) || rests(view).length === 0 ? [] : [lastSeen(view)]),
};

/** Whether it takes a moment: a line is crossed at once, the picture is not. */
export const isMoment = ({ action, line }: ObjectWhat) =>
  MOMENTS.has(action) || (action === 'crosses' && line !== undefined);

/** Actions that take a moment; several of one kind are together when they are close in time. */
const MOMENTS: ReadonlySet<ObjectWhat['action']> = new Set([
  'appears',
  'disappears',
  'enters',
  'leaves',
  'passes',
  'taken_away',
]);
/** Actions that happen or do not; "does not" is said of the whole time, not of the time between. */
export const HAPPENINGS: ReadonlySet<ObjectWhat['action']> = new Set([...MOMENTS, 'crosses', 'stops', 'starts']);

/** What one track does of what is asked; when it is asked not to do it, the time in which it does not. */
export function actsOf(what: ObjectWhat, view: TrackView, video: Watched): Act[] {
  const acts = ACTS[what.action](view, what, video);
  if (!what.idle) return acts;
  const because = `did not do this in ${view.looks} looks`;
  if (HAPPENINGS.has(what.action)) return acts.length > 0 ? [] : [whole(view, because)];
  return complement(acts, view.track.frame.length)
    .filter((span) => lasts(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({ ...span, margin: null, because }));
}
