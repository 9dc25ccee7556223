import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Title } from '#frame/page-slots.tsx';
import { VideoLink } from '#rooms/videos/video-link.tsx';
import { Button } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber, formatTime } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EmptyState } from '#ui/states.tsx';
import { EndSessionDialog } from './end-session-dialog.tsx';
import { isOpen, liveSessionsQuery } from './live-queries.ts';
import { LiveTabs } from './live-tabs.tsx';
import { SessionState } from './session-state.tsx';
import { StartSessionDialog } from './start-session-dialog.tsx';

/** Livestream sessions, newest first, with their recordings. */
export function LivePage() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [starting, setStarting] = useState(false);
  const [ending, setEnding] = useState<LiveSessionSummary | null>(null);
  const query = useInfiniteQuery(liveSessionsQuery);
  const rows = query.data?.pages.flatMap((page) => page.sessions) ?? [];
  const open = (videoId: string) => {
    void queryClient.invalidateQueries({ queryKey: ['live-sessions'] });
    void navigate({ to: '/videos/$videoId', params: { videoId } });
  };
  const startButton = (
    <Button look="primary" icon={Plus} onClick={() => setStarting(true)}>
      <Trans>Start a session</Trans>
    </Button>
  );
  return (
    <div className="p-4.5 md:py-6">
      <Title text={t`Live`} />
      <div className="mb-4">
        <LiveTabs />
      </div>
      <Section
        title={<Trans>Livestreams</Trans>}
        hint={<Trans>A session records a stream and looks for events in it while it runs.</Trans>}
        action={rows.length > 0 && startButton}
      >
        <ListTable
          label={t`Live sessions`}
          query={query}
          rows={rows}
          columns={useColumns(setEnding)}
          rowKey={({ session_id }) => session_id}
          empty={
            <EmptyState title={<Trans>No sessions yet</Trans>} action={startButton}>
              <Trans>Start one with the address of a camera or a stream: RTSP, RTMP, SRT, HLS or MJPEG.</Trans>
            </EmptyState>
          }
        />
      </Section>
      {starting && <StartSessionDialog onClose={() => setStarting(false)} onStarted={open} />}
      <EndSessionDialog session={ending} onClose={() => setEnding(null)} />
    </div>
  );
}

function useColumns(onEnd: (session: LiveSessionSummary) => void): Column<LiveSessionSummary>[] {
  const { t } = useLingui();
  return [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: (session) => (
        <div className="min-w-0">
          <p>
            <VideoLink id={session.video_id}>{session.name}</VideoLink>
          </p>
          <p className="line-clamp-1 break-all font-mono text-ink-3 text-xs">{session.source_url}</p>
          {session.message && (
            <p className="line-clamp-2 max-w-prose text-bad text-sm">
              <ServiceText>{session.message}</ServiceText>
            </p>
          )}
        </div>
      ),
    },
    {
      id: 'state',
      header: t`Status`,
      sort: ({ status }) => status,
      cell: (session) => <SessionState session={session} />,
    },
    {
      id: 'question',
      header: t`Question`,
      className: 'max-lg:hidden',
      cell: ({ rapid_review_query }) => (
        <span className="line-clamp-2 max-w-64">{rapid_review_query ?? <span className="text-ink-3">–</span>}</span>
      ),
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
      id: 'recorded',
      header: t`Recorded`,
      end: true,
      className: 'num whitespace-nowrap max-md:hidden',
      sort: ({ duration_s }) => duration_s,
      cell: ({ duration_s }) => (duration_s > 0 ? formatTime(duration_s, 0) : '–'),
    },
    {
      id: 'created',
      header: t`Started`,
      className: 'num whitespace-nowrap max-md:hidden',
      sort: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (session) =>
        isOpen(session) &&
        session.status !== 'ENDING' && (
          <Button look="ghost" aria-label={t`End ${session.name}`} onClick={() => onEnd(session)}>
            <Trans>End</Trans>
          </Button>
        ),
    },
  ];
}
