import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isOpen, liveSessionsQuery } from '#rooms/live/live-queries.ts';
import { SessionState } from '#rooms/live/session-state.tsx';
import { VideoLink } from '#rooms/videos/video-link.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber, formatTime } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { EmptyState } from '#ui/states.tsx';

/** Recordings of ended livestream sessions, newest first. Those without one are on the page of livestreams. */
export function LiveRecordings() {
  const { t } = useLingui();
  const query = useInfiniteQuery(liveSessionsQuery);
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <Section title={<Trans>Recordings of livestreams</Trans>}>
      <ListTable
        label={t`Recordings of livestreams`}
        query={query}
        rows={sessions.filter((session) => !isOpen(session) && session.duration_s > 0)}
        columns={useColumns()}
        rowKey={({ session_id }) => session_id}
        empty={
          <EmptyState
            title={<Trans>No livestream was recorded yet</Trans>}
            action={
              <Link to="/live" className={buttonClass()}>
                <Trans>Livestreams</Trans>
              </Link>
            }
          >
            <Trans>The recording of a session is listed here when the session has ended.</Trans>
          </EmptyState>
        }
      />
    </Section>
  );
}

function useColumns(): Column<LiveSessionSummary>[] {
  const { t } = useLingui();
  return [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: ({ video_id, name, message }) => (
        <>
          <VideoLink id={video_id}>{name}</VideoLink>
          {message && <p className="line-clamp-2 max-w-prose text-bad text-sm">{message}</p>}
        </>
      ),
    },
    {
      id: 'state',
      header: t`Status`,
      sort: ({ status }) => status,
      cell: (session) => <SessionState session={session} />,
    },
    {
      id: 'length',
      header: t`Length`,
      end: true,
      className: 'num',
      sort: ({ duration_s }) => duration_s,
      cell: ({ duration_s }) => formatTime(duration_s, 0),
    },
    {
      id: 'events',
      header: t`Events`,
      end: true,
      className: 'num max-sm:hidden',
      sort: ({ event_count }) => event_count,
      cell: ({ event_count }) => formatNumber(event_count),
    },
    {
      id: 'created',
      header: t`Started`,
      className: 'num whitespace-nowrap',
      sort: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
  ];
}
