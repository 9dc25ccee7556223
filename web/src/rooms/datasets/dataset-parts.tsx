import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { DatasetClip } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { batchQuery } from '#rooms/analyses/queries.ts';
import { BatchStatus } from '#rooms/batches/batch-status.tsx';
import { videoNameQuery } from '#rooms/batches/queries.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { formatTime } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { Skeleton } from '#ui/states.tsx';

type Props = {
  ids: readonly string[];
  /** Absent if the user may not change the dataset. */
  onRemove: ((id: string) => void) | undefined;
};

const self = (id: string) => id;

/** The questions of a dataset; each is read when it comes into view. */
export function DatasetQuestions({ ids, onRemove }: Props) {
  const { t } = useLingui();
  return (
    <VirtualList label={t`Questions`} items={ids} itemKey={self} estimate={52}>
      {(id) => <QuestionRow id={id} onRemove={onRemove} />}
    </VirtualList>
  );
}

/** The videos of a dataset that are listed without analyses. */
export function DatasetVideos({ ids, onRemove }: Props) {
  const { t } = useLingui();
  return (
    <VirtualList label={t`Videos without analyses`} items={ids} itemKey={self} estimate={40}>
      {(id) => <VideoRow id={id} onRemove={onRemove} />}
    </VirtualList>
  );
}

/** The clips of a dataset, each a link to its range of the video. */
export function DatasetClips({ clips, onRemove }: { clips: readonly DatasetClip[]; onRemove: Props['onRemove'] }) {
  const { t } = useLingui();
  return (
    <VirtualList label={t`Clips`} items={clips} itemKey={({ clip_id }) => clip_id} estimate={52}>
      {(clip) => <ClipRow clip={clip} onRemove={onRemove} />}
    </VirtualList>
  );
}

type RowProps = { id: string; onRemove: Props['onRemove'] };

function QuestionRow({ id, onRemove }: RowProps) {
  const { t } = useLingui();
  const { data: batch, error } = useQuery(batchQuery(id));
  if (!batch && !error) return <Skeleton className="my-1 h-11" />;
  const name = batch?.query ?? id;
  return (
    <Row remove={onRemove && <IconButton icon={X} label={t`Remove “${name}”`} onClick={() => onRemove(id)} />}>
      {batch ? (
        <>
          <div className="min-w-0 flex-1 basis-48">
            <Link
              to="/questions/$batchId"
              params={{ batchId: id }}
              className="block truncate font-medium after:absolute after:inset-0"
            >
              {name}
            </Link>
            <p className="num text-ink-3 text-sm">
              <Plural value={batch.aggregated_progress.total} one="# video" other="# videos" />
              {' · '}
              <Plural value={batch.event_count} one="# event" other="# events" />
            </p>
          </div>
          <BatchStatus batch={batch} />
        </>
      ) : (
        <p className="flex-1 break-words text-ink-2">
          <Trans>This question was deleted, or only its author sees it.</Trans>
        </p>
      )}
    </Row>
  );
}

function VideoRow({ id, onRemove }: RowProps) {
  const { t } = useLingui();
  const { data, error } = useQuery(videoNameQuery(id));
  const name = data ?? id;
  if (!data && !error) return <Skeleton className="my-1 h-8" />;
  return (
    <Row remove={onRemove && <IconButton icon={X} label={t`Remove “${name}”`} onClick={() => onRemove(id)} />}>
      {data ? (
        <Link
          to="/videos/$videoId"
          params={{ videoId: id }}
          className="min-w-0 flex-1 truncate after:absolute after:inset-0"
        >
          {name}
        </Link>
      ) : (
        <p className="flex-1 text-ink-2">
          <Trans>This video was deleted.</Trans>
        </p>
      )}
    </Row>
  );
}

function ClipRow({ clip, onRemove }: { clip: DatasetClip; onRemove: Props['onRemove'] }) {
  const { t } = useLingui();
  const { clip_id, video_id: videoId, video_name: name, start_s, end_s, label } = clip;
  const range = `${formatTime(start_s)} – ${formatTime(end_s)}`;
  return (
    <Row
      remove={
        onRemove && <IconButton icon={X} label={t`Remove ${range} of “${name}”`} onClick={() => onRemove(clip_id)} />
      }
    >
      <div className="min-w-0 flex-1">
        <Link
          to="/videos/$videoId"
          params={{ videoId }}
          search={{ t: start_s, in: start_s, out: end_s }}
          className="block truncate after:absolute after:inset-0"
        >
          <span className="num font-medium">{range}</span> {label}
        </Link>
        <p className="truncate text-ink-3 text-sm">{name}</p>
      </div>
    </Row>
  );
}

const Row = ({ children, remove }: { children: ReactNode; remove: ReactNode }) => (
  <div className="relative flex min-h-10 items-center gap-3 border-b px-2 py-1.5 hover:bg-raise/60">
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">{children}</div>
    {remove && <span className="relative">{remove}</span>}
  </div>
);
