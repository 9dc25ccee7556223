import { useLingui } from '@lingui/react/macro';
import { useMemo, useRef, useState } from 'react';
import { formatShare } from '#ui/format/format.ts';
import type { TimeScale } from './drawing/ticks.ts';
import type { Lane, LaneEvent } from './lanes.ts';

/** Events to each side of the current one that are in the document. */
const NEIGHBORS = 15;

/**
 * All events of the timeline as a list for keyboards and screen readers. Only those around the current one are in the
 * document; each knows its position. It is shown while it has the focus.
 */
export function EventList({
  lanes,
  format,
  selected,
  onFocus,
  onSelect,
}: {
  lanes: readonly Lane[];
  format: TimeScale['format'];
  selected: string | undefined;
  onFocus: (event: LaneEvent | null) => void;
  onSelect: (event: LaneEvent) => void;
}) {
  const { t } = useLingui();
  const list = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState(0);
  const events = useMemo(
    () =>
      lanes
        .flatMap((lane) => (lane.kind === 'events' ? lane.events.sorted : []))
        .toSorted((a, b) => a.startS - b.startS),
    [lanes],
  );
  if (events.length === 0) return null;
  const current = Math.min(position, events.length - 1);
  const first = Math.max(0, current - NEIGHBORS);
  const shown = events.slice(first, current + NEIGHBORS + 1);

  const move = (to: number) => {
    const next = Math.min(Math.max(0, to), events.length - 1);
    setPosition(next);
    // The option may only be in the document after the next render.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[aria-posinset="${next + 1}"]`)?.focus());
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const to = {
      ArrowDown: current + 1,
      ArrowRight: current + 1,
      ArrowUp: current - 1,
      ArrowLeft: current - 1,
      Home: 0,
      End: events.length - 1,
    }[event.key];
    if (to === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (to === undefined) onSelect(events[current]!);
    else move(to);
  };
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={t`Events on the timeline`}
      aria-orientation="vertical"
      onKeyDown={onKeyDown}
      onBlur={() => onFocus(null)}
      className="sr-only focus-within:not-sr-only focus-within:border-t"
    >
      {shown.map((event, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys.
        <div
          key={event.id}
          role="option"
          aria-selected={event.id === selected}
          aria-setsize={events.length}
          aria-posinset={first + index + 1}
          tabIndex={first + index === current ? 0 : -1}
          onFocus={() => {
            setPosition(first + index);
            onFocus(event);
          }}
          onClick={() => onSelect(event)}
          className="num sr-only px-4.5 py-1 outline-offset-[-2px] focus:not-sr-only focus:block"
        >
          {t`${event.label}, ${format(event.startS)} to ${format(event.endS)}, confidence ${formatShare(event.confidence)}`}
          {event.isPreliminary && `, ${t`preliminary`}`}
        </div>
      ))}
    </div>
  );
}
