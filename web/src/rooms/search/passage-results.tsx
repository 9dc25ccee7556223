import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoPassage } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Captions, ScanText } from 'lucide-react';
import { VideoLink } from '#rooms/batches/evidence-tile.tsx';
import { Button } from '#ui/controls/button.tsx';
import { formatTime } from '#ui/format/format.ts';
import { ErrorNotice } from '#ui/states.tsx';
import { passagesQuery } from './queries.ts';

type Search = { words: string; folder?: string; video?: string };

/** Spoken sentences of videos and texts in their frames, also where there is no event. */
export function PassageResults({ search }: { search: Search }) {
  const { t } = useLingui();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    passagesQuery(search),
  );
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <section className="grid justify-items-start gap-1">
      <h2>
        <Trans>Spoken and written words</Trans>
      </h2>
      <ul aria-label={t`Spoken and written words`} className="-mx-2 grid w-full grid-cols-[minmax(0,1fr)]">
        {data.map((passage) => (
          <li key={`${passage.video_id} ${passage.source} ${passage.start_s} ${passage.text}`} className="min-w-0">
            <Passage passage={passage} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  );
}

/** A sentence or a text that opens its video at its time. */
function Passage({ passage: { video_id: videoId, video_name: name, source, start_s: startS, text } }: PassageProps) {
  const { t } = useLingui();
  const [Icon, label] = source === 'text' ? [ScanText, t`Read in the video`] : [Captions, t`Spoken`];
  return (
    <VideoLink
      videoId={videoId}
      search={{ t: startS }}
      className="flex min-w-0 items-baseline gap-2 rounded-md px-2 py-1 hover:bg-raise max-sm:flex-wrap"
    >
      <Icon size={15} className="shrink-0 self-center text-ink-3" role="img" aria-label={label} />
      <span className="num shrink-0 text-ink-3 text-sm">{formatTime(startS)}</span>
      <span className="line-clamp-2 min-w-0 break-words max-sm:basis-[calc(100%-6rem)]" dir="auto">
        {text}
      </span>
      <span className="ml-auto min-w-0 max-w-48 shrink-0 truncate text-ink-3 text-sm" title={name}>
        {name}
      </span>
    </VideoLink>
  );
}
type PassageProps = { passage: VideoPassage };
