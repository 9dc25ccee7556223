import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Controls } from '#player/controls.tsx';
import { FALLBACK_RATE } from '#player/frames.ts';
import type { Player } from '#player/player.ts';
import { useShortcuts } from '#player/shortcuts.ts';
import { PlayerLayout } from '#player/stage/player-layout.tsx';
import { toggleFullScreen, VideoStage } from '#player/stage/video-stage.tsx';
import { usePlayer, usePlayerState } from '#player/use-player.ts';
import { useAnalysis, useAnalysisEvents } from '#rooms/analyses/queries.ts';
import { AddClipButton } from '#rooms/datasets/add-clip-button.tsx';
import { useZones } from '#rooms/zones/use-zones.ts';
import { ZoneOverlay } from '#rooms/zones/zone-overlay.tsx';
import { LaneMenu, useLaneChoice } from '#timeline/lane-options.tsx';
import type { LaneEvent } from '#timeline/lanes.ts';
import { GpsTrack } from '#timeline/map/gps-track.tsx';
import { Timeline } from '#timeline/timeline.tsx';
import { useCopy } from '#ui/controls/copy.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { indexQuery, vttAddress } from './captions/queries.ts';
import { downloadClip } from './clip.ts';
import { useFreshObservations, useGeoTrack } from './observations.ts';
import { captionsQuery, posterQuery, signSource, storyboardQuery } from './queries.ts';
import { useUnseen } from './unseen.ts';
import { useLanes } from './use-lanes.ts';
import { useVideoSearch } from './use-search.ts';
import { useTracks } from './use-tracks.ts';
import { VideoPanel } from './video-panel.tsx';

/** The player with the timeline below it, and the panel beside them. */
export function Workspace({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const { video_id: videoId, video_name: name } = video;
  const frameRate = video.metadata.frame_rate;
  const [search, change] = useVideoSearch();
  const { in: markIn, out: markOut } = search;
  const marks = useMemo(() => ({ in: markIn, out: markOut }), [markIn, markOut]);
  const player = usePlayer(frameRate, marks);
  const stage = useRef<HTMLDivElement>(null);
  const [showBoxes, setShowBoxes] = useState(true);
  const [showCaptions, toggleCaptions] = useCaptionsChoice();
  const [clipping, setClipping] = useState(false);
  const { showError } = useToasts();
  const copy = useCopy();
  const { data: poster } = useQuery(posterQuery(videoId));
  const { data: subtitles = null } = useQuery(captionsQuery(videoId));
  const { data: index } = useQuery(indexQuery(videoId));
  // Generated captions are shown where the file has no subtitles.
  const captions = subtitles ?? (index ? vttAddress(videoId, index) : null);
  const { data: storyboard = null } = useQuery(storyboardQuery(videoId));
  const sign = useMemo(() => signSource(videoId), [videoId]);
  const { duration } = usePlayerState(player);
  const { document, isPending } = useAnalysis(videoId, search.analysis);
  const { events, coverage, seen } = useAnalysisEvents(videoId, search.analysis);
  const isBlank = isTelemetryOnly(video);
  const missing = useUnseen(videoId, coverage, seen);
  // Without a camera, nothing was seen, and nothing is missing.
  const unseen = isBlank ? null : missing;
  const length = duration || (video.duration_s ?? 0);
  // Marks at the end are rounded up, and players take some files for longer.
  const markedEnd = Math.min(marks.out ?? length, video.duration_s ?? length);
  const [shown, setShown] = useState({ start: 0, end: length });
  const showRange = useCallback((start: number, end: number) => setShown({ start, end }), []);
  const { lanes: known, isDrive, isLoading } = useLanes({ videoId, duration: length, isBlank }, events, unseen, shown);
  const rows = useLaneChoice(known, isDrive ? 'drive' : 'camera');
  const { lanes } = rows;
  const tracks = useTracks(player, videoId);
  const geoTrack = useGeoTrack(videoId);
  const zones = useZones(videoId);
  const { width, height } = video.metadata;
  useFreshObservations(videoId, document?.analysis.status);
  useTimeInAddress(player, search.t, change);

  const setMarks = (next: { in?: number | undefined; out?: number | undefined }) => {
    const { in: start, out: end } = next;
    // A mark beyond the other one replaces it.
    const isReversed = start !== undefined && end !== undefined && start >= end;
    const ordered = isReversed
      ? start === marks.in
        ? { in: undefined, out: end }
        : { in: start, out: undefined }
      : next;
    void change({ in: round(ordered.in), out: round(ordered.out) });
  };
  const seek = useCallback((time: number) => player.seek(time), [player]);
  const selectEvent = useCallback(
    (event: string, startS: number) => {
      // The start of an event is that of a frame; decoders round to either side of it.
      player.seek(startS + 0.5 / player.frameRate);
      void change({ event });
    },
    [player, change],
  );
  const select = useCallback(({ id, startS }: LaneEvent) => selectEvent(id, startS), [selectEvent]);
  const stepEvent = (direction: 1 | -1) => {
    const sorted = events.toSorted((a, b) => a.startS - b.startS);
    const margin = 1 / player.frameRate;
    const now = player.time();
    const next =
      direction > 0
        ? sorted.find(({ startS }) => startS > now + margin)
        : sorted.findLast(({ startS }) => startS < now - margin);
    if (next) select(next);
  };
  const copyLink = async () => {
    const address = new URL(window.location.href);
    address.searchParams.set('t', String(round(player.time())));
    await copy(address.href, t`The link was copied`);
  };
  const clip = async () => {
    setClipping(true);
    try {
      await downloadClip(videoId, marks.in ?? 0, marks.out ?? duration, name);
    } catch (error) {
      showError(error);
    } finally {
      setClipping(false);
    }
  };
  useShortcuts(player, {
    markIn: () => setMarks({ ...marks, in: player.time() }),
    markOut: () => setMarks({ ...marks, out: player.time() }),
    toggleBoxes: () => setShowBoxes((shown) => !shown),
    toggleCaptions,
    toggleZones: zones.toggle,
    toggleFullScreen: () => toggleFullScreen(stage.current),
    stepEvent,
  });

  return (
    <PlayerLayout
      stage={stage}
      isBlank={isBlank}
      hasRows={lanes.length > 0}
      head={
        isBlank && (
          <div className="flex flex-wrap items-start gap-4 pb-1">
            <p className="max-w-prose flex-1 text-ink-2">
              <Trans>This recording has measurements and no camera. Ask about speed, braking, turns and stops.</Trans>
            </p>
            {geoTrack && <GpsTrack track={geoTrack} clock={player} onSeek={seek} />}
          </div>
        )
      }
      frame={
        <VideoStage
          player={player}
          stage={stage}
          name={name}
          sign={sign}
          poster={poster}
          frameRate={frameRate}
          storyboard={storyboard}
          tracks={tracks}
          showBoxes={showBoxes}
          onToggleBoxes={() => setShowBoxes((isShown) => !isShown)}
          captions={captions}
          showCaptions={showCaptions}
          onToggleCaptions={toggleCaptions}
          zones={zones.zones.length > 0 ? zones : null}
          isDrawing={zones.draft !== null}
        >
          {width !== null && height !== null && <ZoneOverlay width={width} height={height} zones={zones} />}
          {/* While a zone is drawn, the frame takes all presses. */}
          {geoTrack && !isBlank && zones.draft === null && (
            <div className="absolute bottom-2.5 left-2.5 overflow-hidden rounded-md bg-panel/85 max-sm:hidden">
              <GpsTrack track={geoTrack} clock={player} onSeek={seek} />
            </div>
          )}
        </VideoStage>
      }
      controls={
        <Controls
          player={player}
          stage={stage}
          marks={marks}
          onMarks={setMarks}
          onCopyLink={() => void copyLink()}
          onClip={() => void clip()}
          clipping={clipping}
          clipActions={<AddClipButton clip={{ videoId, start: marks.in ?? 0, end: markedEnd }} />}
          duration={length}
        />
      }
      timeline={
        <Timeline
          duration={length}
          frameRate={frameRate ?? FALLBACK_RATE}
          lanes={lanes}
          isLoading={isLoading || isPending}
          clock={player}
          marks={marks}
          selected={search.event}
          storyboard={isBlank ? null : storyboard}
          onSeek={seek}
          onSelect={select}
          onRange={showRange}
          options={known.length > 1 && <LaneMenu {...rows} />}
        />
      }
      panel={
        <VideoPanel
          video={video}
          eventCount={events.length}
          unseen={unseen}
          onSelect={selectEvent}
          onSeek={seek}
          currentTime={player.time}
          zones={zones}
        />
      }
    />
  );
}

/** True for a recording with measurements and without a camera, whose frames are empty. */
function isTelemetryOnly({ metadata: { sidecar } }: VideoStatus): boolean {
  const { telemetry } = (sidecar ?? {}) as { telemetry?: { blank?: unknown } };
  return telemetry?.blank === true;
}

const CAPTIONS = 'sightline.captions';

/** Whether captions are shown; the choice is stored in the browser. */
function useCaptionsChoice(): [boolean, () => void] {
  const [shown, setShown] = useState(() => localStorage.getItem(CAPTIONS) === 'shown');
  const toggle = () => {
    localStorage.setItem(CAPTIONS, shown ? 'hidden' : 'shown');
    setShown(!shown);
  };
  return [shown, toggle];
}

/** Times in addresses in whole milliseconds, upwards: not before the start of the shown frame. */
const round = <T extends number | undefined>(time: T): T =>
  (time === undefined ? time : Math.ceil(time * 1000 - 1e-6) / 1000) as T;

const REST_MS = 400;

/** Shows the time of the address, and keeps the address up to date while the video stands still. */
function useTimeInAddress(player: Player, time: number | undefined, change: (changes: { t: number }) => unknown): void {
  const written = useRef<number | null>(null);
  useEffect(() => {
    if (time !== undefined && time !== written.current) player.seek(time);
    written.current = time ?? null;
  }, [player, time]);
  useEffect(() => {
    let timer = 0;
    const write = () => {
      if (player.state().playing) return;
      const now = round(player.time());
      if (now === (written.current ?? 0)) return;
      written.current = now;
      void change({ t: now });
    };
    const later = () => {
      clearTimeout(timer);
      timer = window.setTimeout(write, REST_MS);
    };
    const ends = [player.onSeek(later), player.subscribe(later)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [player, change]);
}
