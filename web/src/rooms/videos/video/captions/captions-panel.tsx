import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Download, RefreshCw } from 'lucide-react';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { formatTime } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { indexQuery, useCreateCaptions, vttAddress } from './queries.ts';

const ROW_PX = 44;

/** The generated captions of a video. A press on one shows its start. */
export function CaptionsPanel({ videoId, onSeek }: { videoId: string; onSeek: (timeS: number) => void }) {
  const { t } = useLingui();
  const { data: index, error, refetch, isPending } = useQuery(indexQuery(videoId));
  const create = useCreateCaptions(videoId);

  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-3.5" />;
  if (isPending) return <Skeleton className="m-3.5 h-40" />;
  const failure = create.error && <ErrorNotice error={create.error} className="m-3.5" />;
  if (!index) {
    return (
      <>
        <EmptyState
          title={<Trans>No captions yet</Trans>}
          action={
            <Button look="primary" busy={create.isPending} onClick={() => create.mutate(false)}>
              {create.isPending ? <Trans>Creating captions…</Trans> : <Trans>Create captions</Trans>}
            </Button>
          }
        >
          <Trans>
            Captions state what is in view, from start to end. The player shows them, and searches find them.
          </Trans>
        </EmptyState>
        {failure}
      </>
    );
  }
  const captions = index.grounded_caption ?? [];
  return (
    <div className="grid gap-2 p-1.5">
      <div className="flex flex-wrap items-center gap-1.5 px-2 pt-2">
        <h2 className="num mr-auto">
          <Plural value={captions.length} one="# caption" other="# captions" />
        </h2>
        <Button icon={RefreshCw} busy={create.isPending} onClick={() => create.mutate(true)}>
          <Trans>Create again</Trans>
        </Button>
        <a href={vttAddress(videoId, index)} download={`${videoId}.vtt`} className={buttonClass()}>
          <Download size={15} strokeWidth={1.75} aria-hidden />
          {t`WebVTT`}
        </a>
      </div>
      {failure}
      <VirtualList
        label={t`Captions`}
        items={captions}
        itemKey={({ t_start }) => String(t_start)}
        estimate={ROW_PX}
        className="py-px"
      >
        {({ t_start, caption }) => (
          <button
            type="button"
            onClick={() => onSeek(t_start)}
            className="flex w-full gap-3 rounded-md px-2 py-1.5 text-left hover:bg-raise"
          >
            <span className="num shrink-0 text-ink-3">{formatTime(t_start, 1)}</span>
            <span className="min-w-0 break-words" lang="en">
              {caption}
            </span>
          </button>
        )}
      </VirtualList>
      {index.warnings?.map((warning) => (
        <p key={warning} className="px-2 pb-2 text-ink-3 text-sm">
          <ServiceText>{warning}</ServiceText>
        </p>
      ))}
    </div>
  );
}
