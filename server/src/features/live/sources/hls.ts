import { setTimeout as sleep } from 'node:timers/promises';
import type { types } from 'hls-parser';
import type { GuardedFetch } from '#platform/net/index';
import {
  chooseVariant,
  findJoinIndex,
  findSegmentIndex,
  getAudioUri,
  hasPlausibleClock,
  type MediaPlaylist,
  resolveUri,
  type SegmentPosition,
  toSegmentPosition,
} from './hls-playlist.ts';
import { createHlsTrack, type HlsTrack, type LoadedPlaylist } from './hls-track.ts';
import type { RecordedPosition, SourceReader } from './types.ts';

/** Delay before a failed audio playlist is fetched again; it doubles with every attempt. */
const RETRY_MS = { first: 2_000, longest: 60_000 };

/**
 * An HLS source (RFC 8216), with its audio rendition where audio has a playlist of its own. All URLs are fetched
 * through the guarded client. Segments that are recorded already are skipped if the playlist states times or has ended.
 * An input ends at a discontinuity.
 */
export function openHlsSource(
  net: GuardedFetch,
  { original, first, recorded }: { original: URL; first: LoadedPlaylist; recorded: () => RecordedPosition | null },
): SourceReader {
  /** Playlist of the audio rendition of the chosen variant. */
  let audioUrl: URL | null = null;
  let audio: { url: URL; track: HlsTrack } | null = null;

  const video = createHlsTrack(net, {
    original,
    first,
    choose(master, url) {
      const variant = chooseVariant(master);
      const uri = getAudioUri(variant);
      // An invalid audio URL must not prevent the recording of the video.
      audioUrl = uri === null ? null : URL.canParse(uri, url.href) ? resolveUri(uri, url) : null;
      return variant.uri;
    },
    join: (playlist) => findJoinIndex(playlist, recorded()),
  });

  /** Audio from the position of a video segment on. Missing audio does not delay the video. */
  async function* readAudio(position: SegmentPosition, url: URL, signal: AbortSignal): AsyncGenerator<Buffer> {
    const join = (playlist: MediaPlaylist) => findSegmentIndex(playlist, position);
    if (audio?.url.href === url.href) audio.track.rejoin(join);
    else audio = { url, track: createHlsTrack(net, { original: url, first: null, choose: chooseFirst, join }) };
    const { track } = audio;
    let pauseMs = RETRY_MS.first;
    for (;;) {
      try {
        for (let next = await track.nextSegment(signal); next; next = await track.nextSegment(signal)) {
          for await (const bytes of track.read(next, signal)) {
            pauseMs = RETRY_MS.first;
            yield bytes;
          }
        }
        return;
      } catch {
        signal.throwIfAborted();
        await sleep(pauseMs, undefined, { signal });
        pauseMs = Math.min(2 * pauseMs, RETRY_MS.longest);
      }
    }
  }

  return {
    publishedMs() {
      const playlist = video.playlist();
      const last = playlist?.segments.at(-1);
      if (!last?.programDateTime || !hasPlausibleClock(playlist!)) return null;
      return last.programDateTime.getTime() + last.duration * 1000;
    },
    async next(signal) {
      const segment = await video.nextSegment(signal);
      if (!segment) return null;
      const playlist = video.playlist();
      const body = video.read(segment, signal);
      const capturedMs = segment.programDateTime?.getTime() ?? null;
      const clockMs = playlist && hasPlausibleClock(playlist) ? capturedMs : null;
      if (!audioUrl || !playlist) return { source: { kind: 'bytes', body }, clockMs };
      const sound = readAudio(toSegmentPosition(playlist, segment), audioUrl, signal);
      return { source: { kind: 'bytes', body, sound }, clockMs };
    },
  };
}

const chooseFirst = ({ variants }: types.MasterPlaylist) => variants[0]!.uri;
