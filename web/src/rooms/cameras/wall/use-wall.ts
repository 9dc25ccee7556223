import type { LiveSessionSummary, WallLayout } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { firstVisit, markSeen, readSeen, storeSeen } from './seen-events.ts';
import { openSessionsQuery, recentEventsQuery, saveWallLayout, wallLayoutQuery } from './wall-queries.ts';

/** The layout of the user, and a function that changes it at once and stores it. */
export function useWallLayout() {
  const queries = useQueryClient();
  const { showError } = useToasts();
  const query = useQuery(wallLayoutQuery);
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const save = (layout: WallLayout) => {
    // Before the stored layout is known, a change would replace its places with none.
    if (!query.data) return;
    queries.setQueryData(wallLayoutQuery.queryKey, layout);
    // One after another, so that the last change is the one that is stored.
    const change: Promise<unknown> = saving.current
      .then(() => saveWallLayout(layout))
      .catch((error: unknown) => {
        showError(error);
        // A later change is already shown, and contains this one.
        if (saving.current === change) void queries.invalidateQueries({ queryKey: wallLayoutQuery.queryKey });
      });
    saving.current = change;
  };
  return { query, save };
}

/** Sessions that run, and those without a camera that ended since the page was opened: they keep their places. */
export function useWallSessions() {
  const query = useQuery(openSessionsQuery);
  const [ended, setEnded] = useState<LiveSessionSummary[]>([]);
  const [last, setLast] = useState(query.data);
  if (query.data !== undefined && query.data !== last) {
    const running = new Set(query.data.map(({ session_id }) => session_id));
    const missing = (last ?? []).filter(({ session_id, camera_id }) => camera_id === null && !running.has(session_id));
    setLast(query.data);
    if (missing.length > 0) {
      setEnded([
        ...missing.map((session) => ({ ...session, status: 'FINISHED' as const, connected: false })),
        ...ended,
      ]);
    }
  }
  return { query, sessions: [...(query.data ?? []), ...ended] };
}

export type RecentEvent = ReturnType<typeof useWallEvents>['events'][number];

/** The latest events, and which of them somebody looked at. */
export function useWallEvents() {
  const { data } = useQuery(recentEventsQuery);
  const [stored, setStored] = useState(() => readSeen(localStorage));
  // Without events nothing is new: what is shown until the first response does not matter.
  const seen = stored ?? firstVisit(data?.currentTimeMs ?? 0);
  if (stored === null && data) setStored(seen);
  useEffect(() => {
    if (stored) storeSeen(localStorage, stored);
  }, [stored]);
  return {
    events: data?.events ?? [],
    clockAheadMs: data?.clockAheadMs ?? 0,
    seen,
    markSeen: (events: Parameters<typeof markSeen>[1]) => setStored((before) => markSeen(before ?? seen, events)),
  };
}

/** True while an element is in the visible part of a visible page. */
export function useOnScreen(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false);
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)!.isIntersecting));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return isInView && !isHidden;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const narrow = window.matchMedia('(max-width: 639px)');

/** True on a phone, where tiles are below each other. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );

const MEASURE_MS = 10_000;
/** Fewer frames are no measurement. */
const LEAST_FRAMES = 100;

/** Share of the frames in an element that the browser could not show in time, in the last seconds; null if unknown. */
export function useDroppedShare(element: RefObject<Element | null>): number | null {
  const [share, setShare] = useState<number | null>(null);
  useEffect(() => {
    const counted = new WeakMap<HTMLVideoElement, { total: number; dropped: number }>();
    const measure = () => {
      let [frames, lost] = [0, 0];
      for (const video of element.current?.querySelectorAll('video') ?? []) {
        const { totalVideoFrames: total, droppedVideoFrames: dropped } = video.getVideoPlaybackQuality();
        const before = counted.get(video);
        counted.set(video, { total, dropped });
        if (!before || total < before.total) continue;
        frames += total - before.total;
        lost += dropped - before.dropped;
      }
      setShare(frames < LEAST_FRAMES ? null : lost / frames);
    };
    const timer = window.setInterval(measure, MEASURE_MS);
    return () => clearInterval(timer);
  }, [element]);
  return share;
}
