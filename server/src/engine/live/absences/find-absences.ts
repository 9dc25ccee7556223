import { answerScene } from '../../answer.ts';
import type { Scene } from '../../find/index.ts';
import type { Plan, PlannedSearch } from '../../plan/index.ts';
import type { Coverage, EvidenceFrame, VideoEvent } from '../../types.ts';
import { type AbsenceQuery, anyLengthOf, presencesOf } from './absence-query.ts';

/** The window of a stream, seen by a part of a prompt that asks for an absence; times are of the window. */
export type AbsenceFinding = {
  query: AbsenceQuery;
  /** Examined ranges in which it was not found, in order. Times without examined frames are in none. */
  absent: AbsentRange[];
  /** When it was found last; null: never in the window. */
  lastSeen: { timeS: number; boxes: EvidenceFrame['boxes'] } | null;
  /** Ranges in which it was found. */
  present: { fromS: number; untilS: number }[];
  /** Statements of an absence; null without one. */
  described: Pick<VideoEvent, 'label' | 'category' | 'severity' | 'caveats' | 'timeBase'> | null;
};

export type AbsentRange = { fromS: number; untilS: number; confidence: number };

/** Longest time between two examined frames within a range, in seconds: the slowest sampling has one each second. */
const LONGEST_STEP_S = 2.5;

/** Finds absences of any length in a window, and returns the coverage of the search. */
export function findAbsences(
  query: AbsenceQuery,
  search: PlannedSearch,
  plan: Plan,
  scene: Scene,
): { finding: AbsenceFinding; coverage: Coverage[] } {
  const answerOf = (searches: PlannedSearch[]) => answerScene({ ...plan, window: null, searches }, scene);
  const { events, candidates, coverage } = answerOf([anyLengthOf(search)]);
  const seen = answerOf(presencesOf(search)).events.toSorted((a, b) => a.endS - b.endS);
  const absences = [...events, ...candidates].toSorted((a, b) => a.startS - b.startS);
  const last = seen.at(-1);
  const frames = last?.evidence.frames ?? [];
  return {
    coverage,
    finding: {
      query,
      absent: absences.flatMap((event) => examinedParts(event, examinedTimes(search, scene))),
      present: seen.map(({ startS, endS }) => ({ fromS: startS, untilS: endS })),
      lastSeen: last
        ? { timeS: last.endS, boxes: frames.find(({ timeS }) => Math.abs(timeS - last.endS) < 1e-3)?.boxes ?? [] }
        : null,
      described: described(absences.at(-1)),
    },
  };
}

/** Only what is stored. */
function described(event: VideoEvent | undefined): AbsenceFinding['described'] {
  if (!event) return null;
  const { label, category, severity, caveats, timeBase } = event;
  return { label, category, severity, caveats, timeBase };
}

/** Times of the frames that a search was answered from. */
function examinedTimes({ steps }: PlannedSearch, { observations }: Scene): Float64Array {
  const needsDetector = steps.some(({ what }) => what.kind === 'object' || what.kind === 'notable');
  const frames = needsDetector ? observations.objects : observations.signals;
  return frames?.timeS ?? new Float64Array();
}

/** Parts of an absence without a longer time between two examined frames. */
function examinedParts({ startS, endS, confidence }: VideoEvent, timeS: Float64Array): AbsentRange[] {
  const parts: AbsentRange[] = [];
  for (const time of timeS) {
    if (time < startS - 1e-6 || time > endS + 1e-6) continue;
    const part = parts.at(-1);
    if (part && time - part.untilS <= LONGEST_STEP_S) part.untilS = time;
    else parts.push({ fromS: time, untilS: time, confidence });
  }
  return parts;
}
