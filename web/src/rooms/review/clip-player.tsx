import type { EventSummary } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Player } from '#player/player.ts';
import { VideoStage } from '#player/stage/video-stage.tsx';
import { usePlayer, usePlayerState } from '#player/use-player.ts';
import { analysisQuery } from '#rooms/analyses/queries.ts';
import { ownAddress } from '#rooms/analyses/types.ts';
import { signSource, storyboardQuery, videoQuery } from '#rooms/videos/video/queries.ts';
import { useTracks } from '#rooms/videos/video/use-tracks.ts';
import { classes } from '#ui/classes.ts';

/** Seconds before and after an event that its clip shows. */
export const AROUND_S = 2;

export const clipRange = (
  { start_s, end_s }: Pick<EventSummary, 'start_s' | 'end_s'>,
  duration: number | null,
  aroundS = AROUND_S,
) => ({
  in: Math.max(0, start_s - aroundS),
  out: Math.min(duration ?? Number.POSITIVE_INFINITY, end_s + aroundS),
});

/** The fields of an event, or of a range without events, that its clip needs. */
type ClipEvent = Pick<
  EventSummary,
  | 'event_id'
  | 'video_id'
  | 'video_name'
  | 'analysis_id'
  | 'start_s'
  | 'end_s'
  | 'video_duration_s'
  | 'annotated_thumbnail_url'
>;

/**
 * The video of an event, which repeats the event and the seconds around it. One that is not shown yet has already
 * loaded and decoded its first frame.
 */
export function ClipPlayer({
  event,
  aroundS,
  isShown,
  showBoxes,
  onToggleBoxes,
  onPlayer,
}: {
  event: ClipEvent;
  /** Seconds before and after that the clip shows, too; default: `AROUND_S`. */
  aroundS?: number;
  isShown: boolean;
  showBoxes: boolean;
  onToggleBoxes: () => void;
  /** Called with the player when it is shown. */
  onPlayer: (player: Player) => void;
}) {
  const { video_id: videoId, event_id: eventId } = event;
  const { data: video } = useQuery(videoQuery(videoId));
  const { data: storyboard } = useQuery({ ...storyboardQuery(videoId), enabled: isShown });
  const rate = video?.metadata.frame_rate;
  const frameRate = typeof rate === 'number' ? rate : null;
  // The loop follows corrected times, but does not restart with each.
  const marks = clipRange(event, event.video_duration_s, aroundS);
  const player = usePlayer(frameRate, marks);
  const stage = useRef<HTMLDivElement>(null);
  const sign = useMemo(() => signSource(videoId), [videoId]);
  const tracks = useEventTracks(player, event, isShown);
  const { ready } = usePlayerState(player);

  // biome-ignore lint/correctness/useExhaustiveDependencies: corrected times do not move the playhead.
  useEffect(() => {
    player.setLoop(true);
    player.seek(marks.in);
  }, [player, eventId]);
  useEffect(() => {
    if (!isShown) return player.pause();
    onPlayer(player);
    if (ready && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
  }, [player, isShown, ready, onPlayer]);

  return (
    <div
      ref={stage}
      aria-hidden={!isShown}
      inert={!isShown}
      className={classes('absolute inset-0', !isShown && 'invisible')}
    >
      <VideoStage
        player={player}
        stage={stage}
        sign={sign}
        frameRate={frameRate}
        tracks={tracks}
        showBoxes={showBoxes}
        onToggleBoxes={onToggleBoxes}
        name={event.video_name}
        poster={event.annotated_thumbnail_url ? ownAddress(event.annotated_thumbnail_url) : undefined}
        storyboard={storyboard ?? null}
        captions={null}
        showCaptions={false}
        onToggleCaptions={() => {}}
      />
    </div>
  );
}

const NONE: ReturnType<typeof useTracks> = [];

/** The boxes of the objects that the event is about; all boxes if it names none. */
function useEventTracks(player: Player, { video_id, analysis_id, event_id }: ClipEvent, isShown: boolean) {
  const all = useTracks(player, video_id);
  const { data: document } = useQuery(analysisQuery(video_id, analysis_id));
  return useMemo(() => {
    if (!isShown) return NONE;
    const found = document?.analysis.events.find((each) => each.event_id === event_id);
    const { tracks = [] } = (found?.data.evidence ?? {}) as { tracks?: { id: number }[] };
    const ids = new Set(tracks.map(({ id }) => String(id)));
    return all.filter(({ id }) => ids.has(id)).map((track) => ({ ...track, color: 1 }));
  }, [all, document, event_id, isShown]);
}
