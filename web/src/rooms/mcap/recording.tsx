import { Trans, useLingui } from '@lingui/react/macro';
import type { McapIngest } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { VideoLink } from '#rooms/videos/video-link.tsx';
import { formatBytes, formatDateTime, formatNumber, formatTime } from '#ui/format/format.ts';
import { type Column, Table } from '#ui/lists/table.tsx';
import { Facts, Section } from '#ui/section.tsx';
import { ErrorNotice, ProgressBar, Skeleton } from '#ui/states.tsx';
import { ingestQuery, isRunning } from './ingest-query.ts';
import { IngestState } from './ingest-state.tsx';

type Content = NonNullable<McapIngest['recording']>;
type Channel = Content['channels'][number];
type Video = McapIngest['derived_videos'][number];

/** One recording: its state, its videos and channels, and what could not be read. */
export function Recording({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(ingestQuery(id));
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  const { recording } = data;
  return (
    <>
      <Section title={data.filename}>
        <div className="mb-3 flex flex-wrap items-center gap-3">
          <IngestState status={data.status} />
          {isRunning(data) && <ProgressBar label={t`Processing`} value={null} className="w-40" />}
          {data.error && <p className="max-w-prose text-bad">{data.error}</p>}
        </div>
        <Facts
          facts={[
            [t`Uploaded`, formatDateTime(data.created_at)],
            [t`Size`, data.size_bytes === null ? '–' : formatBytes(data.size_bytes)],
            [t`Recorded`, recording?.start_time ? formatDateTime(recording.start_time) : '–'],
            [t`Length`, recording?.duration_s == null ? '–' : formatTime(recording.duration_s)],
          ]}
        />
      </Section>
      {data.derived_videos.length > 0 && <Videos videos={data.derived_videos} />}
      {recording && <Channels recording={recording} />}
    </>
  );
}

function Videos({ videos }: { videos: readonly Video[] }) {
  const { t } = useLingui();
  const columns: Column<Video>[] = [
    {
      id: 'channel',
      header: t`Camera`,
      sort: ({ channel_name }) => channel_name,
      cell: ({ video_id, label, channel_name, part }) => {
        const name = label ?? channel_name;
        const text = part > 0 ? `${name} · ${formatNumber(part + 1)}` : name;
        return video_id ? <VideoLink id={video_id}>{text}</VideoLink> : text;
      },
    },
    { id: 'role', header: t`Role`, sort: ({ role }) => role, cell: ({ role }) => role ?? '–' },
    {
      id: 'length',
      header: t`Length`,
      end: true,
      className: 'num',
      sort: ({ duration_s }) => duration_s,
      cell: ({ duration_s }) => (duration_s === null ? '–' : formatTime(duration_s)),
    },
    {
      id: 'frames',
      header: t`Frames`,
      end: true,
      className: 'num max-sm:hidden',
      sort: ({ frame_count }) => frame_count,
      cell: ({ frame_count }) => (frame_count === null ? '–' : formatNumber(frame_count)),
    },
    {
      id: 'gaps',
      header: t`Gaps`,
      end: true,
      className: 'num max-sm:hidden',
      sort: ({ gaps }) => gaps.length,
      cell: ({ gaps }) => formatNumber(gaps.length),
    },
    {
      id: 'drift',
      header: t`Drift (ppm)`,
      end: true,
      className: 'num max-md:hidden',
      sort: ({ drift_ppm }) => drift_ppm,
      cell: ({ drift_ppm }) => (drift_ppm === null ? '–' : formatNumber(drift_ppm, { maximumFractionDigits: 1 })),
    },
    {
      id: 'notes',
      header: t`Notes`,
      cell: ({ error, notes }) => <span className={error ? 'text-bad' : 'text-ink-2'}>{error ?? notes.join(' ')}</span>,
    },
  ];
  return (
    <Section title={<Trans>Videos</Trans>}>
      <Table
        label={t`Videos of the recording`}
        rows={videos}
        columns={columns}
        rowKey={({ channel, part }) => `${channel}/${part}`}
      />
    </Section>
  );
}

function Channels({ recording: { channels, notes, lost } }: { recording: Content }) {
  const { t } = useLingui();
  const columns: Column<Channel>[] = [
    { id: 'topic', header: t`Topic`, sort: ({ topic }) => topic, cell: ({ topic }) => <code>{topic}</code> },
    {
      id: 'schema',
      header: t`Schema`,
      className: 'max-sm:hidden',
      sort: ({ schema }) => schema,
      cell: ({ schema }) => schema,
    },
    {
      id: 'messages',
      header: t`Messages`,
      end: true,
      className: 'num',
      sort: ({ messages }) => messages,
      cell: ({ messages }) => (messages === null ? '–' : formatNumber(messages)),
    },
    { id: 'images', header: t`Images`, cell: ({ pictures }) => (pictures ? t`Yes` : '–') },
  ];
  const problems = [...notes, ...lost.map(({ channel, reason }) => (channel ? `${channel}: ${reason}` : reason))];
  return (
    <Section title={<Trans>Channels</Trans>}>
      {problems.length > 0 && (
        <ul className="mb-3 grid gap-1 text-warn">
          {problems.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Table label={t`Channels`} rows={channels} columns={columns} rowKey={({ name }) => name} />
    </Section>
  );
}
