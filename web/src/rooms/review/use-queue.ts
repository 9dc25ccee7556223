import type { EventReviewRequest, EventSummary } from '@sightline/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReviewSearch } from '#frame/search-params.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { assignEvents, eventQuery, releaseEvents, reviewEvents, reviewQueueQuery, undoReview } from './queries.ts';

/** Events that are assigned to the user in advance, and how far they may be used up before more are. */
const ASSIGNED = 12;
const LEFT = 4;
/** Events before the end of the list when the next page is fetched. */
const AHEAD = 8;
const RATE_MS = 60_000;

export type Queue = ReturnType<typeof useQueue>;

/**
 * The events to review with the current one, which is part of the address. Verdicts are shown at once and sent in the
 * background; a failed one is shown as it was.
 */
export function useQueue(search: ReviewSearch, onEvent: (id: string | undefined) => void) {
  const { showError } = useToasts();
  const queries = useQueryClient();
  const found = useInfiniteQuery(reviewQueueQuery(search));
  // An event that a link leads to may not be in the list; another filter removes it.
  const [link, setLink] = useState(search.event);
  useEffect(() => {
    if (search.event === undefined) setLink(undefined);
  }, [search.event]);
  const { data: linked, error: linkError } = useQuery(eventQuery(link));
  const [changed, setChanged] = useState<ReadonlyMap<string, EventSummary>>(new Map());
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [times, setTimes] = useState<readonly number[]>([]);
  const assigned = useRef(new Set<string>());
  const sending = useRef(Promise.resolve<unknown>(null));

  const events = useMemo(() => {
    const listed = (found.data?.events ?? []).filter(({ event_id }) => !taken.has(event_id));
    const isListed = !linked || listed.some(({ event_id }) => event_id === linked.event_id);
    return (isListed ? listed : [linked, ...listed]).map((event) => changed.get(event.event_id) ?? event);
  }, [found.data, linked, changed, taken]);
  const index = Math.max(
    0,
    events.findIndex(({ event_id }) => event_id === search.event),
  );
  const current = events[index];

  const goTo = useCallback((next: EventSummary | undefined) => next && onEvent(next.event_id), [onEvent]);
  const isLast = index >= events.length - 1;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && index >= events.length - AHEAD) void fetchNextPage();
  }, [index, events.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  // Assigns the next events, so that another reviewer gets other ones.
  useEffect(() => {
    const ahead = events.slice(index, index + ASSIGNED).filter(({ approval }) => approval === 'pending');
    const missing = ahead.filter(({ event_id }) => !assigned.current.has(event_id)).map(({ event_id }) => event_id);
    if (missing.length === 0 || (missing.length < ASSIGNED - LEFT && assigned.current.has(events[index]!.event_id)))
      return;
    for (const id of missing) assigned.current.add(id);
    assignEvents(missing)
      .then((mine) => {
        const others = missing.filter((id) => !mine.includes(id));
        if (others.length > 0) setTaken((old) => new Set([...old, ...others]));
      })
      // Without an assignment two people may see the same event; their verdicts still count.
      .catch(() => {});
  }, [events, index]);
  useEffect(() => {
    const mine = assigned.current;
    return () => void (mine.size > 0 && releaseEvents([...mine].slice(-500)).catch(() => {}));
  }, []);

  const show = (next: readonly EventSummary[]) =>
    setChanged((old) => new Map([...old, ...next.map((event) => [event.event_id, event] as const)]));

  /** Sends a change after those before it, and shows `expected` until the service has answered. */
  const send = (
    before: readonly EventSummary[],
    expected: Partial<EventSummary>,
    request: () => Promise<EventSummary[]>,
  ) => {
    show(before.map((event) => ({ ...event, ...expected })));
    const sent = sending.current.then(request);
    sending.current = sent.then(
      (after) => {
        show(after);
        void queries.invalidateQueries({ queryKey: ['review-count'] });
        void queries.invalidateQueries({ queryKey: ['review-scores'] });
      },
      (error: unknown) => {
        show(before);
        showError(error);
      },
    );
    return sending.current;
  };

  /** Changes events; without ids the current one. */
  const change = (request: EventReviewRequest, ids?: readonly string[]) => {
    const before = ids ? events.filter(({ event_id }) => ids.includes(event_id)) : current ? [current] : [];
    if (before.length === 0) return;
    const { approval, label, start_s, end_s } = request;
    const expected = Object.fromEntries(
      Object.entries({ approval, label, start_s, end_s }).filter(([, value]) => value !== undefined),
    );
    if (approval && approval !== 'pending') {
      const now = Date.now();
      setTimes((old) => [...old.filter((time) => time > now - RATE_MS), ...before.map(() => now)]);
    }
    void send(before, expected, () =>
      reviewEvents(
        before.map(({ event_id }) => event_id),
        request,
      ),
    );
  };

  return {
    events,
    index,
    current,
    isLast,
    times,
    isPending: found.isPending,
    error: found.error ?? linkError,
    total: found.data?.facets?.total ?? events.length,
    isComplete: found.data?.facets?.is_complete ?? true,
    facets: found.data?.facets ?? null,
    refetch: found.refetch,
    change,
    goTo,
    step: (by: number) => goTo(events[index + by]),
    /** Shows the next event, or the last one again. */
    advance: () => goTo(events[index + 1] ?? events[index]),
    async undo() {
      await sending.current;
      try {
        const undone = await undoReview();
        show(undone);
        setTimes((old) => old.slice(0, -undone.length));
        const first = undone.find(({ event_id }) => events.some((event) => event.event_id === event_id));
        if (first) onEvent(first.event_id);
      } catch (error) {
        showError(error);
      }
    },
    /** Adds an event after the current one. */
    added: (event: EventSummary) => show([event]),
  };
}
