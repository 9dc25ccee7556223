import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, sightline } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { AskBox } from '#rooms/analyses/ask/ask-box.tsx';
import { type Draft, EMPTY_DRAFT, ownTimeZone } from '#rooms/analyses/queries.ts';
import { formatNumber } from '#ui/format/format.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';

/** Largest number of videos of one question. */
const MAX_VIDEOS = 1_000;

/** Videos of the library, with the parameters of `GET /api/videos`. */
export type VideoFilter = {
  folder_id?: string;
  scope?: 'user' | 'org';
  name?: string;
  tag?: string;
  source?: string;
  created_after?: string;
  created_before?: string;
};

type Props = {
  open: boolean;
  onClose: () => void;
  /** A selection, or the filter of the videos. */
  videoIds: readonly string[] | VideoFilter;
  title: ReactNode;
  /** Text that the box starts with. */
  text?: string;
};

/** Asks one question about many videos and opens the page of its results. */
export function AskManyDialog({ open, onClose, videoIds, title, text = '' }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title} wide>
      {open && <AskMany chosen={videoIds} text={text} onClose={onClose} />}
    </Dialog>
  );
}

function AskMany({ chosen, text, onClose }: { chosen: Props['videoIds']; text: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, query: text });
  const isList = Array.isArray(chosen);
  const { data, error, refetch } = useQuery({
    queryKey: ['videos-of-question', chosen],
    enabled: !isList,
    queryFn: async ({ signal }) => {
      const query = { ...(chosen as VideoFilter), status: 'uploaded' as const, limit: MAX_VIDEOS };
      const { videos, has_more } = (await api.GET('/api/videos', { params: { query }, signal })).data!;
      return { ids: videos.map((video) => video.video_id), hasMore: has_more };
    },
  });
  const all: readonly string[] | undefined = isList ? chosen : data?.ids;
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!all) return <Skeleton className="h-40" />;
  if (all.length === 0) return <EmptyState title={<Trans>There are no videos to ask about</Trans>} />;
  const videoIds = all.slice(0, MAX_VIDEOS);
  const isCut = all.length > MAX_VIDEOS || data?.hasMore;

  async function ask(draft: Draft) {
    const { batch_id: batchId } = await sightline.start({ ...draft, videoIds, timeZone: ownTimeZone() });
    void queries.invalidateQueries({ queryKey: ['batches'] });
    onClose();
    await navigate({ to: '/questions/$batchId', params: { batchId } });
  }

  return (
    <div className="grid gap-3">
      <p className="num text-ink-2">
        <Plural value={videoIds.length} one="# video" other="# videos" />
        {isCut && (
          <span className="block text-sm text-warn">
            <Trans>A question covers at most {formatNumber(MAX_VIDEOS)} videos; these are the newest.</Trans>
          </span>
        )}
      </p>
      <AskBox videoIds={videoIds} draft={draft} onDraft={setDraft} onAsk={ask} autoFocus />
    </div>
  );
}
