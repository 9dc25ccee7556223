import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Confidence } from '#rooms/analyses/event-card.tsx';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatClock } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { ServiceText } from '#ui/service-text.tsx';
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
    <article
      aria-current={selected || undefined}
      className={classes(
        'relative flex gap-3 rounded-md p-2 hover:bg-raise/60 has-[button:focus-visible]:outline-2 has-[button:focus-visible]:outline-accent',
        selected && 'bg-raise',
      )}
    >
      <div className="relative aspect-video w-32 shrink-0 self-start overflow-hidden rounded-sm bg-raise">
        {image && <img src={image} alt="" loading="lazy" decoding="async" className="size-full object-contain" />}
        <span className="num absolute bottom-1 left-1 rounded-sm bg-black/75 px-1 text-white text-xs">
          {formatClock(capturedMs)}
        </span>
      </div>
      <div className="grid min-w-0 flex-1 content-start gap-1">
        <h3 className="break-words leading-4.5" lang="en">
          <button
            type="button"
            onClick={onSelect}
            className="text-left first-letter:uppercase after:absolute after:inset-0 focus-visible:outline-none"
          >
            {label}
          </button>
        </h3>
        <p className="line-clamp-2 break-words text-ink-2 text-sm" title={why}>
          <ServiceText>{why}</ServiceText>
        </p>
        {caveats.map((caveat) => (
          <p key={caveat} className="break-words text-sm text-warn">
            <ServiceText>{caveat}</ServiceText>
          </p>
        ))}
        <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
          <Confidence value={confidence} />
          {isOngoing && (
            <Badge tone="accent">
              <Trans>ongoing</Trans>
            </Badge>
          )}
        </div>
      </div>
    </article>
  );
}
