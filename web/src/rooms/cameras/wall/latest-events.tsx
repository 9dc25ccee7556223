import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Confidence } from '#rooms/analyses/event-card.tsx';
import { ownAddress } from '#rooms/analyses/types.ts';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatClock, formatNumber } from '#ui/format/format.ts';
import type { RecentEvent } from './use-wall.ts';

/** As many fit beside each other on a usual screen. */
const SHOWN = 4;
const EDGES = ['', 'max-md:hidden', 'max-lg:hidden', 'max-xl:hidden'];

/** Below the tiles: the latest events of all of them. */
export function LatestEvents({
  events,
  isNew,
  onSeen,
}: {
  events: readonly RecentEvent[];
  isNew: (event: RecentEvent) => boolean;
  onSeen: (events: readonly RecentEvent[]) => void;
}) {
  const { t } = useLingui();
  const fresh = events.filter(isNew);
  const count = formatNumber(fresh.length);
  return (
    <section
      aria-label={t`Latest events`}
      className="flex shrink-0 items-center gap-3 border-t bg-bg px-3 py-2.5 max-sm:sticky max-sm:bottom-0 max-sm:grid max-sm:gap-2 sm:px-4.5"
    >
      <div className="grid w-38 shrink-0 justify-items-start gap-0.5 max-sm:flex max-sm:w-auto max-sm:items-center max-sm:justify-between">
        <h2>
          <Trans>Latest events</Trans>
        </h2>
        {fresh.length > 0 ? (
          <Button look="ghost" className="-ml-2.5" onClick={() => onSeen(fresh)}>
            <Trans>Mark {count} as seen</Trans>
          </Button>
        ) : (
          <span className="text-ink-2 text-sm">
            {events.length === 0 ? <Trans>None so far</Trans> : <Trans>All seen</Trans>}
          </span>
        )}
      </div>
      <ul className="grid min-w-0 flex-1 md:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {events.slice(0, SHOWN).map((event, i) => (
          <li
            key={event.event_id}
            className={classes('min-w-0 sm:border-l sm:px-3', EDGES[i], event.ongoing && 'font-medium')}
          >
            <EventLink event={event} isNew={isNew(event)} onOpen={() => onSeen([event])} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function EventLink({ event, isNew, onOpen }: { event: RecentEvent; isNew: boolean; onOpen: () => void }) {
  const { video_id, event_id, label, session_name, start_at, confidence, image_url } = event;
  return (
    <Link
      to="/videos/$videoId"
      params={{ videoId: video_id }}
      search={{ event: event_id }}
      onClick={onOpen}
      className="grid grid-cols-[88px_minmax(0,1fr)] items-center gap-2.5 rounded-md"
    >
      <span
        className={classes(
          'block aspect-video overflow-hidden rounded-sm bg-raise',
          isNew && 'outline-2 outline-accent outline-offset-1',
        )}
      >
        {image_url && (
          <img src={ownAddress(image_url)} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
        )}
      </span>
      <span className="grid min-w-0">
        <span className="truncate font-semibold">{label}</span>
        <span className="num truncate text-ink-2 text-sm">
          {formatClock(Date.parse(start_at))} · {session_name}
        </span>
        <span className="text-sm">
          <Confidence value={confidence} />
        </span>
      </span>
    </Link>
  );
}
