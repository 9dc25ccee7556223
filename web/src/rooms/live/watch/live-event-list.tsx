import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Confidence } from '#rooms/analyses/event-card.tsx';
import { EventCardFrame } from '#rooms/analyses/event-card-frame.tsx';
import { Button } from '#ui/controls/button.tsx';
import { formatClock } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { Badge } from '#ui/states.tsx';
import type { LiveEventItem } from './live-events.ts';

const CARD_PX = 88;

/** The events of a running session, newest first. While somebody looks at recorded frames, the list does not move. */
export function LiveEventList({
  events,
  hasQuestion,
  isAtEdge,
  selected,
  onSelect,
}: {
  events: readonly LiveEventItem[];
  hasQuestion: boolean;
  isAtEdge: boolean;
  selected: string | undefined;
  onSelect: (event: LiveEventItem) => void;
}) {
  const { t } = useLingui();
  const [held, setHeld] = useState<ReadonlySet<string> | null>(null);
  if (isAtEdge && held !== null) setHeld(null);
  if (!isAtEdge && held === null) setHeld(new Set(events.map(({ id }) => id)));
  const shown = held ? events.filter(({ id }) => held.has(id)) : events;
  const fresh = events.length - shown.length;
  return (
    <section aria-label={t`Events`} className="grid gap-1 p-1.5">
      <div className="flex min-h-8 items-center gap-2 px-2 pt-1.5">
        <h2 className="num mr-auto font-medium">
          <Plural value={events.length} one="# event" other="# events" />
        </h2>
        {fresh > 0 && (
          <Button onClick={() => setHeld(new Set(events.map(({ id }) => id)))}>
            <Plural value={fresh} one="# new" other="# new" />
          </Button>
        )}
      </div>
      {events.length === 0 && (
        <p className="px-2 pb-2 text-ink-2">
          {hasQuestion ? (
            <Trans>Nothing was found so far. Events appear here within seconds, with their images.</Trans>
          ) : (
            <Trans>Without a question nothing is searched for.</Trans>
          )}
        </p>
      )}
      <VirtualList
        label={t`Events`}
        items={shown}
        itemKey={({ id }) => id}
        estimate={CARD_PX}
        show={shown.findIndex(({ id }) => id === selected)}
      >
        {(event) => <LiveEventCard event={event} selected={event.id === selected} onSelect={() => onSelect(event)} />}
      </VirtualList>
    </section>
  );
}

function LiveEventCard({
  event: { label, why, image, capturedMs, confidence, isOngoing, caveats },
  selected,
  onSelect,
}: {
  event: LiveEventItem;
  selected: boolean;
  onSelect: () => void;
}) {
  return (
    <EventCardFrame
      image={
        <div className="relative aspect-video overflow-hidden rounded-sm bg-raise">
          {image && <img src={image} alt="" loading="lazy" decoding="async" className="size-full object-contain" />}
          <span className="num absolute bottom-1 left-1 rounded-sm bg-black/75 px-1 text-white text-xs">
            {formatClock(capturedMs)}
          </span>
        </div>
      }
      label={label}
      why={why}
      caveats={caveats}
      selected={selected}
      onSelect={onSelect}
    >
      <Confidence value={confidence} />
      {isOngoing && (
        <Badge tone="accent">
          <Trans>ongoing</Trans>
        </Badge>
      )}
    </EventCardFrame>
  );
}
