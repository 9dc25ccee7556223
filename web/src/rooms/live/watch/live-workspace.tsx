import { useLingui } from '@lingui/react/macro';
import type { LiveSession, VideoStatus } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { FALLBACK_RATE } from '#player/frames.ts';
import { LivePlayer } from '#player/live/live-player.ts';
import { PlayerLayout } from '#player/stage/player-layout.tsx';
import { toggleFullScreen } from '#player/stage/video-stage.tsx';
import { useVideoSearch } from '#rooms/videos/video/use-search.ts';
import { useZones } from '#rooms/zones/use-zones.ts';
import { ZonesPanel } from '#rooms/zones/zones-panel.tsx';
import type { TimeScale } from '#timeline/drawing/ticks.ts';
import type { LaneEvent } from '#timeline/lanes.ts';
import { Timeline } from '#timeline/timeline.tsx';
import { Tabs } from '#ui/controls/tabs.tsx';
import { formatClock } from '#ui/format/format.ts';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { EndSessionDialog } from '../end-session-dialog.tsx';
import { liveSessionQuery } from '../live-queries.ts';
import { HealthBar } from './health-bar.tsx';
import { useLiveState } from './live-badges.tsx';
import { LiveControls } from './live-controls.tsx';
import { LiveDetails } from './live-details.tsx';
import { LiveEventList } from './live-event-list.tsx';
import { evidenceTracks, type LiveEventItem, liveEvents } from './live-events.ts';
import { LiveQuestion } from './live-question.tsx';
import { useLiveShortcuts } from './live-shortcuts.ts';
import { LiveStage } from './live-stage.tsx';
import { useLiveLanes } from './use-live-lanes.ts';

/** A session while it runs. When it has ended, the page of its video shows the recording at the same address. */
export function LiveWorkspace({ video, ids }: { video: VideoStatus; ids: { stream_id: string; session_id: string } }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(liveSessionQuery(ids));
  const { video_id: videoId } = video;
  const hasEnded = data !== undefined && data.session.ended_at !== null;
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['video', videoId] });
  }, [queries, hasEnded, videoId]);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-4" />;
  if (!data) return <Skeleton className="m-4.5 aspect-video max-h-[60vh]" />;
  return <Session video={video} session={data.session} clockAheadMs={data.clockAheadMs} />;
}

function Session({ video, session, clockAheadMs }: { video: VideoStatus; session: LiveSession; clockAheadMs: number }) {
  const { t } = useLingui();
  const [{ tab, event: selected, t: openedAt }, change] = useVideoSearch();
  const [player] = useState(() => new LivePlayer());
  const { isAtEdge } = useLiveState(player);
  const stage = useRef<HTMLDivElement>(null);
  const [showBoxes, setShowBoxes] = useState(true);
  const [isEnding, setEnding] = useState(false);
  const zones = useZones(session.video_id);
  const events = useMemo(() => liveEvents(session), [session]);
  const tracks = useMemo(() => evidenceTracks(events), [events]);
  useEffect(() => player.setClock(clockAheadMs), [player, clockAheadMs]);
  const last = session.chunks.at(-1);
  const lengthS = last ? last.stream_time + last.duration_s : 0;
  const lanes = useLiveLanes(session, events, lengthS);
  const scale = useDayScale(session.started_at);
  const toggleBoxes = () => setShowBoxes((isShown) => !isShown);
  useLiveShortcuts(player, {
    toggleBoxes,
    toggleZones: zones.toggle,
    toggleFullScreen: () => toggleFullScreen(stage.current),
  });
  const seek = useCallback((time: number) => player.seek(time), [player]);
  const select = useCallback(
    ({ id, startS }: Pick<LaneEvent, 'id' | 'startS'>) => {
      const event = events.find((each) => each.id === id);
      // The frame of its image, with its boxes. Decoders round times to either side of a frame.
      player.pause();
      player.seek((event?.bestS ?? startS) + INTO_FRAME_S);
      void change({ event: id });
    },
    [player, change, events],
  );
  // A link to an event or a time shows its frame. Later, the address follows what is selected.
  const wanted = useRef(selected !== undefined || openedAt !== undefined);
  useEffect(() => {
    const event = events.find(({ id }) => id === selected);
    if (!wanted.current || (!event && openedAt === undefined)) return;
    wanted.current = false;
    player.pause();
    player.seek((event?.bestS ?? openedAt!) + INTO_FRAME_S);
  }, [player, events, selected, openedAt]);
  const isRunning = session.status === 'INITIALIZING' || session.status === 'ACTIVE';
  const list = (
    <LiveEventList
      events={events}
      hasQuestion={session.rapid_review_query !== null}
      isAtEdge={isAtEdge}
      selected={selected}
      onSelect={(event: LiveEventItem) => select(event)}
    />
  );
  return (
    <div data-live={session.status} className="lg:h-full">
      <PlayerLayout
        stage={stage}
        hasRows={false}
        frame={
          <LiveStage
            player={player}
            session={session}
            stage={stage}
            tracks={tracks}
            showBoxes={showBoxes}
            onToggleBoxes={toggleBoxes}
            zones={zones}
          />
        }
        controls={<LiveControls player={player} stage={stage} onEnd={isRunning ? () => setEnding(true) : null} />}
        timeline={
          // Without a recorded second there is no time to show.
          <div className={lengthS > 0 ? 'contents' : 'invisible contents'}>
            <Timeline
              duration={lengthS}
              frameRate={FALLBACK_RATE}
              lanes={lanes}
              isLoading={false}
              clock={player}
              scale={scale}
              marks={NO_MARKS}
              selected={selected}
              storyboard={null}
              onSeek={seek}
              onSelect={select}
            />
            <HealthBar session={session} />
          </div>
        }
        panel={
          <Tabs
            label={t`About this stream`}
            className="lg:h-full"
            value={tab === 'events' || tab === 'zones' || tab === 'details' ? tab : 'ask'}
            onChange={(value) => void change({ tab: value })}
            tabs={[
              {
                value: 'ask' as const,
                label: t`Ask`,
                panel: (
                  <>
                    <LiveQuestion session={session} />
                    {list}
                  </>
                ),
              },
              {
                value: 'events' as const,
                label: t`Events`,
                panel: list,
                ...(events.length > 0 ? { count: events.length } : {}),
              },
              {
                value: 'zones' as const,
                label: t`Zones`,
                panel: <ZonesPanel video={video} zones={zones} />,
                ...(zones.zones.length > 0 ? { count: zones.zones.length } : {}),
              },
              { value: 'details' as const, label: t`Details`, panel: <LiveDetails session={session} /> },
            ]}
          />
        }
      />
      <EndSessionDialog session={isEnding ? session : null} onClose={() => setEnding(false)} />
    </div>
  );
}

const NO_MARKS = {};
const INTO_FRAME_S = 0.01;

/** Times of the stream as times of the day, in the time zone of the browser. */
function useDayScale(startedAt: string | null): TimeScale {
  return useMemo(() => {
    const startMs = startedAt === null ? 0 : Date.parse(startedAt);
    const start = new Date(startMs);
    const midnight = new Date(start).setHours(0, 0, 0, 0);
    return {
      offsetS: (startMs - midnight) / 1_000,
      format: (time, decimals = 0) => formatClock(startMs + time * 1_000, decimals),
    };
  }, [startedAt]);
}
