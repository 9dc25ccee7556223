import { Plural, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { QuestionState } from '#rooms/analyses/question-stream.ts';
import { useStages, useStatuses } from '#rooms/analyses/stages.ts';
import { formatShare } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { Badge, ProgressBar, Skeleton } from '#ui/states.tsx';
import { VideoLink } from './evidence-tile.tsx';
import { type BatchEvent, videoNameQuery } from './queries.ts';

type Video = Batch['videos'][number];

/** The videos of a question with the state of each. */
export function BatchVideos({
  batch,
  events,
  question,
}: {
  batch: Batch;
  events: readonly BatchEvent[];
  question: QuestionState;
}) {
  const { t } = useLingui();
  const counts = useMemo(
    () => new Map([...Map.groupBy(events, (event) => event.analysisId)].map(([id, found]) => [id, found.length])),
    [events],
  );
  return (
    <div className="px-4.5 py-2">
      <VirtualList label={t`Videos`} items={batch.videos} itemKey={(video) => video.analysis_id} estimate={44}>
        {(video) => <VideoRow video={video} events={counts.get(video.analysis_id) ?? 0} question={question} />}
      </VirtualList>
    </div>
  );
}

function VideoRow({ video, events, question }: { video: Video; events: number; question: QuestionState }) {
  const { t } = useLingui();
  const stages = useStages();
  const statuses = useStatuses();
  const { data: name } = useQuery(videoNameQuery(video.video_id));
  const live = question.progress.get(video.analysis_id);
  const share = (live?.percent ?? video.progress) / 100;
  const isRunning = video.status === 'processing';
  return (
    <div className="relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b px-2 py-1.5 hover:bg-raise/60 md:grid-cols-[minmax(0,1fr)_220px_96px]">
      <div className="min-w-0">
        <VideoLink
          videoId={video.video_id}
          search={{ tab: 'events', analysis: video.analysis_id }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {name ?? <Skeleton className="h-4 w-40" />}
        </VideoLink>
        {video.last_error && <p className="break-words text-bad text-sm">{video.last_error}</p>}
      </div>
      <div className="num text-ink-2 text-sm">
        {isRunning ? (
          <>
            {stages(live?.stage ?? video.stage ?? 'waiting')} · {formatShare(share)}
            <ProgressBar value={share} label={t`Progress of ${name ?? ''}`} className="mt-1 h-0.75 max-md:hidden" />
          </>
        ) : (
          <Badge tone={video.status === 'failed' ? 'bad' : 'neutral'}>{statuses(video.status)}</Badge>
        )}
      </div>
      <span className="num text-right text-ink-2 max-md:col-start-2">
        <Plural value={events} one="# event" other="# events" />
      </span>
    </div>
  );
}
