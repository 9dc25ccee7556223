import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { VideoObservations } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SeenPart } from '#rooms/analyses/types.ts';
import type { Range } from '#timeline/lanes.ts';
import { observationsQuery } from './observations.ts';

type Part = VideoObservations['coverage'][number];

const REASONS = {
  single_frames: msg`Only single frames were seen`,
  nothing: msg`No frames could be read`,
  outside: msg`Outside the part in question`,
  later: msg`Not seen yet`,
};

/**
 * The ranges of a video that were not seen, or by single frames only, ascending; `outside` are those that the question
 * was not about. `seen` is the part that a running question has seen, which is then all that counts. Null before the
 * video is observed.
 */
export function useUnseen(videoId: string, outside: readonly Range[], seen: SeenPart | null): Range[] | null {
  const { t } = useLingui();
  const { data } = useQuery(observationsQuery(videoId, null));
  return useMemo(() => {
    if (seen) {
      const { untilS: startS, durationS: endS } = seen;
      return startS < endS ? [{ startS, endS, reason: t(REASONS.later) }] : [];
    }
    if (!data || !isObserved(data.coverage)) return null;
    const parts = data.coverage.flatMap(({ from_s, to_s, seen }): Range[] => {
      if (seen !== 'single_frames' && seen !== 'nothing') return [];
      return [{ startS: from_s, endS: to_s, reason: t(REASONS[seen]), isPartly: seen === 'single_frames' }];
    });
    const unasked = outside.map((range): Range => ({ ...range, reason: t(REASONS.outside) }));
    return [...parts, ...unasked].toSorted((a, b) => a.startS - b.startS);
  }, [data, outside, seen, t]);
}

const isObserved = (parts: readonly Part[]) => parts.some(({ seen }) => seen !== 'nothing');

/** Share of a video that no range covers, 0 to 1. Ranges are ascending and may overlap. */
export function seenShare(ranges: readonly Range[], durationS: number): number {
  let [unseenS, untilS] = [0, 0];
  for (const { startS, endS } of ranges) {
    unseenS += Math.max(0, Math.min(endS, durationS) - Math.max(startS, untilS));
    untilS = Math.max(untilS, endS);
  }
  return durationS > 0 ? 1 - unseenS / durationS : 0;
}
