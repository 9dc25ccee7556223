import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { eventLanes, type Lane, type LaneEvent, type Range } from '#timeline/lanes.ts';

/** Rows of the timeline: events first, then what was not seen. */
export function useLanes(events: readonly LaneEvent[], coverage: readonly Range[]): Lane[] {
  const { t } = useLingui();
  return useMemo(() => {
    const lanes: Lane[] = eventLanes(events);
    if (coverage.length > 0)
      lanes.push({ kind: 'coverage', id: 'coverage', name: t`Not seen`, color: 0, ranges: coverage });
    return lanes;
  }, [events, coverage, t]);
}
