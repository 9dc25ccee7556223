import type { Fragment, default as Hls } from 'hls.js';
import { loadModule } from '#api/load-module.ts';
import type { MappedSegment } from './segment-map.ts';

/** A playlist that plays in an element. */
export type OpenStream = {
  segments: () => readonly MappedSegment[];
  /** Media time to be at the live edge; null if the playlist has ended. */
  liveTime: () => number | null;
  close: () => void;
};

type StreamOptions = {
  /** Media time to start at, in seconds from the start of the playlist; null: the live edge. */
  start: number | null;
  /** One of many players: it plays whole segments and buffers few of them. */
  isPreview: boolean;
  /** The playlist was read again. */
  onSegments: () => void;
  /** The stream cannot be played, and playback has ended. */
  onError: () => void;
};

/** Speed at which playback catches up after a pause of the network. */
const CATCH_UP = 1.25;
const BUFFER_S = 30;
const PREVIEW_BUFFER_S = 8;
/** Distance from the live edge without parts: more than a usual segment. */
const WITHOUT_PARTS_S = 4;

/** Plays the playlist of a session in an element, at the lowest latency that its parts allow. */
export async function openStream(
  video: HTMLVideoElement,
  url: string,
  { start, isPreview, onSegments, onError }: StreamOptions,
): Promise<OpenStream> {
  const { default: HlsPlayer } = await loadModule(() => import('hls.js/light'));
  const bufferS = isPreview ? PREVIEW_BUFFER_S : BUFFER_S;
  // The content security policy refuses its worker, a script from a blob.
  const hls: Hls = new HlsPlayer({
    enableWorker: false,
    lowLatencyMode: !isPreview,
    maxLiveSyncPlaybackRate: start === null ? CATCH_UP : 1,
    liveDurationInfinity: true,
    maxBufferLength: bufferS,
    backBufferLength: bufferS,
    ...(start === null ? {} : { startPosition: start }),
  });
  // Until there are parts, playback is as near as whole segments allow.
  hls.targetLatency = WITHOUT_PARTS_S;
  let hasParts = false;
  let mapped: MappedSegment[] = [];
  let isLive = true;
  const read = () => {
    const details = hls.latestLevelDetails;
    if (!details) return;
    isLive = details.live;
    if (!hasParts && details.partList && details.partHoldBack > 0) {
      hasParts = true;
      hls.targetLatency = details.partHoldBack;
    }
    mapped = details.fragments.map(toSegment);
    onSegments();
  };
  hls.on(HlsPlayer.Events.LEVEL_UPDATED, read);
  hls.on(HlsPlayer.Events.LEVEL_PTS_UPDATED, read);
  hls.on(HlsPlayer.Events.ERROR, (_event, { fatal }) => {
    if (!fatal) return;
    hls.destroy();
    onError();
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    segments: () => mapped,
    liveTime: () => (isLive ? hls.liveSyncPosition : null),
    close: () => hls.destroy(),
  };
}

/** The title of a segment is its time in the stream. */
const toSegment = ({ start, duration, title, programDateTime }: Fragment): MappedSegment => ({
  start,
  duration,
  streamS: title ? Number(title) : null,
  capturedMs: programDateTime,
});
