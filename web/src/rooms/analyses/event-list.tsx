import { useLingui } from '@lingui/react/macro';
import { EventCard } from './event-card.tsx';
import type { EventItem, PanelProps } from './types.ts';

type Props = Pick<PanelProps, 'video' | 'selectedEvent' | 'onSelect'> & { events: readonly EventItem[] };

/** A few events as cards. */
export function EventList({ video, selectedEvent, onSelect, events }: Props) {
  const { t } = useLingui();
  if (events.length === 0) return null;
  return (
    <ul aria-label={t`Events`} className="-mx-2 grid">
      {events.map((event) => (
        <li key={event.id}>
          <EventCard
            video={video}
            event={event}
            selected={event.id === selectedEvent}
            onSelect={() => onSelect(event.id, event.startS)}
          />
        </li>
      ))}
    </ul>
  );
}
