import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReviewedSampleRequest } from '@sightline/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import type { Player } from '#player/player.ts';
import { VideoLink } from '#rooms/batches/evidence-tile.tsx';
import { videoQuery } from '#rooms/videos/video/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { formatTime } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ClipPlayer } from '../clip-player.tsx';
import { MissedDialog } from '../missed-dialog.tsx';
import { useReviewKeys } from '../review-keys.ts';
import { ScorePanel } from '../score-panel.tsx';
import { type Sample, sampleId } from './queries.ts';

type Props = { samples: readonly Sample[]; index: number; current: Sample; onNext: () => void };

/** A range that repeats, and the verdict on it. The next range is already loaded. */
export function SampleWorkspace({ samples, index, current, onNext }: Props) {
  const { t } = useLingui();
  const { show, showError } = useToasts();
  const queries = useQueryClient();
  const [player, setPlayer] = useState<Player | null>(null);
  const [missedAt, setMissedAt] = useState<number | null>(null);
  /** Missed events that were added in the current range. */
  const [added, setAdded] = useState(0);
  const { video_id, video_name, analysis_id, query, start_s, end_s } = current;
  const { data: video } = useQuery(videoQuery(video_id));

  const send = (seen: Pick<ReviewedSampleRequest, 'verdict' | 'event'>) =>
    sightline.reviewSample(video_id, analysis_id, { start_s, end_s, ...seen });
  const refreshScores = () => void queries.invalidateQueries({ queryKey: ['review-scores'] });
  const next = () => {
    setAdded(0);
    onNext();
  };
  const { mutate, isPending } = useMutation({
    mutationFn: (verdict: 'clear' | 'unsure') => send({ verdict }),
    onSuccess: () => {
      refreshScores();
      next();
    },
    onError: showError,
  });
  const decide = (verdict: 'clear' | 'unsure') => {
    if (isPending) return;
    // The range has its verdict, with the missed events.
    if (added > 0) return next();
    mutate(verdict);
  };
  const addMissed = () => setMissedAt(Math.min(Math.max(player?.time() ?? start_s, start_s), end_s));
  const nothing = () => {};
  useReviewKeys(player, {
    approve: () => decide('clear'),
    unsure: () => decide('unsure'),
    missed: addMissed,
    skip: () => (added > 0 ? next() : show(t`State what is in the range: leaving out ranges makes recall wrong`)),
    approveSelected: nothing,
    reject: nothing,
    reason: nothing,
    disarm: nothing,
    edit: nothing,
    back: nothing,
    setEdge: nothing,
    nudge: nothing,
    toggleBoxes: nothing,
    undo: nothing,
    select: nothing,
  });
  const position = index + 1;
  const total = samples.length;
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_280px]">
      <div className="flex min-h-0 min-w-0 flex-col gap-2 p-3">
        <div className="relative aspect-video min-h-40 overflow-hidden rounded-lg bg-black lg:aspect-auto lg:flex-1">
          {samples.slice(index, index + 2).map((sample) => (
            <ClipPlayer
              key={sampleId(sample)}
              event={{ ...sample, event_id: sampleId(sample), video_duration_s: null, annotated_thumbnail_url: null }}
              aroundS={0}
              isShown={sample === current}
              showBoxes={false}
              onToggleBoxes={nothing}
              onPlayer={setPlayer}
            />
          ))}
        </div>
      </div>
      <aside
        aria-label={t`Range`}
        className="grid min-h-0 content-start gap-3 border-t bg-panel p-3.5 lg:overflow-y-auto lg:border-t-0 lg:border-l"
      >
        <p className="num text-ink-3 text-sm">
          <Trans>
            Range {position} of {total}
          </Trans>
        </p>
        <h2 className="break-words text-lg leading-5.5">
          <Trans>Does an event of “{query}” start here?</Trans>
        </h2>
        <p className="text-ink-2 text-sm">
          <Trans>
            Nothing was found between {formatTime(start_s)} and {formatTime(end_s)}. Watch the whole range.
          </Trans>
        </p>
        <div className="grid gap-1.5">
          {added === 0 ? (
            <Button look="primary" busy={isPending} onClick={() => decide('clear')}>
              <Trans>Nothing missed</Trans>
              <Keys>A</Keys>
            </Button>
          ) : (
            <Button look="primary" onClick={next}>
              <Trans>Next range</Trans>
              <Keys>A</Keys>
            </Button>
          )}
          <Button onClick={addMissed}>
            {added === 0 ? <Trans>Add a missed event</Trans> : <Trans>Add another missed event</Trans>}
            <Keys>M</Keys>
          </Button>
          {added === 0 && (
            <Button look="ghost" disabled={isPending} onClick={() => decide('unsure')}>
              <Trans>Unsure</Trans>
              <Keys>F</Keys>
            </Button>
          )}
        </div>
        {added > 0 && (
          <p className="num text-sm" role="status">
            <Plural value={added} one="# missed event added" other="# missed events added" />
          </p>
        )}
        <p className="truncate border-t pt-3 text-ink-2 text-sm">
          <VideoLink videoId={video_id} search={{ t: start_s, analysis: analysis_id }} className="hover:underline">
            {video_name}
          </VideoLink>
        </p>
        {video && <ScorePanel query={query} folderId={video.folder_id} isSampling />}
      </aside>
      {missedAt !== null && (
        <MissedDialog
          event={{ query, label: '', video_duration_s: video?.duration_s ?? null }}
          time={missedAt}
          within={current}
          onAdd={async (event) => {
            await send({ verdict: 'missed', event });
            refreshScores();
            setAdded(added + 1);
          }}
          onClose={() => setMissedAt(null)}
        />
      )}
    </div>
  );
}
