import { useLingui } from '@lingui/react/macro';
import type { LiveSession } from '@sightline/sdk';
import { useMemo } from 'react';
import { eventLanes, type Lane } from '#timeline/lanes.ts';
import { listDiscarded } from './discarded.ts';
import type { LiveEventItem } from './live-events.ts';

/** Rows of the timeline of a session: its events, what is recorded, and where the source was connected again. */
export function useLiveLanes(session: LiveSession, events: readonly LiveEventItem[], lengthS: number): Lane[] {
  const { t } = useLingui();
  const { gaps, retained_spans, analysis, discarded_s, unanswered_s } = session;
  return useMemo(() => {
    const lost = gaps.map(({ from_s, until_s, reason }) => ({ startS: from_s, endS: until_s, reason }));
    const reason = t`Outside of retained ranges`;
    const discarded = listDiscarded({ gaps, retained_spans, analysis, discarded_s, unanswered_s });
    const ranges = [...lost, ...discarded.map((range) => ({ ...range, reason }))].sort((a, b) => a.startS - b.startS);
    const missedS = ranges.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
    const recorded: Lane = {
      kind: 'coverage',
      id: 'recorded',
      name: t`Recorded`,
      color: 0,
      ranges,
      seen: lengthS > 0 ? Math.max(0, 1 - missedS / lengthS) : 1,
    };
    const reconnects: Lane = {
      kind: 'marks',
      id: 'reconnects',
      name: t`Reconnects`,
      color: 0,
      times: Float64Array.from(gaps, ({ until_s }) => until_s),
    };
    const found = eventLanes(events.map((event) => ({ ...event, label: event.search })));
    return [...found, recorded, ...(gaps.length > 0 ? [reconnects] : [])];
  }, [gaps, retained_spans, analysis, discarded_s, unanswered_s, events, lengthS, t]);
}
