import { setTimeout as sleep } from 'node:timers/promises';
import type { types } from 'hls-parser';
import type { GuardedFetch } from '#platform/net/index';
import type { Recorded, Source } from './source.ts';
import {
  isClockRight,
  joinAt,
  type MediaPlaylist,
  type Place,
  placeOf,
  resolve,
  segmentAt,
  soundOf,
  variantOf,
} from './source-hls-playlist.ts';
import { followTrack, type Loaded, type Track } from './source-hls-track.ts';

/** Sound that cannot be had is asked for again after this, and each time twice as long after the last. */
const RETRY_MS = { first: 2_000, longest: 60_000 };

/**
 * A stream in segments (HLS, RFC 8216), with its sound where that has a playlist of its own. Every URL in it is fetched through the guard. Of what is recorded already it
 * takes nothing again, where the playlist tells times or has ended. A stretch ends before a discontinuity.
 */
export function openPlaylist(
  net: GuardedFetch,
  { original, first, recorded }: { original: URL; first: Loaded; recorded: () => Recorded | null },
): Source {
  /** Where the sound is that goes with the pictures. */
  let soundUrl: URL | null = null;
  let sound: { url: URL; track: Track } | null = null;

  const pictures = followTrack(net, {
    ...{ original, first },
    choose(master, url) {
      const variant = variantOf(master);
      const uri = soundOf(variant);
      // What is wrong with it is no reason to miss the pictures.
      soundUrl = uri === null ? null : URL.canParse(uri, url.href) ? resolve(uri, url) : null;
      return variant.uri;
    },
    join: (playlist) => joinAt(playlist, recorded()),
  });

  /** The sound from a place of the pictures on; it lasts as long as they do, and what is missing of it does not hold them up. */
  async function* heardFrom(place: Place, url: URL, signal: AbortSignal): AsyncGenerator<Buffer> {
    const join = (playlist: MediaPlaylist) => segmentAt(playlist, place);
    if (sound?.url.href === url.href) sound.track.rejoin(join);
    else sound = { url, track: followTrack(net, { original: url, first: null, choose: chooseFirst, join }) };
    const { track } = sound;
    let pauseMs = RETRY_MS.first;
    for (;;) {
      try {
        for (let next = await track.nextSegment(signal); next; next = await track.nextSegment(signal)) {
          for await (const bytes of track.stretch(next, signal)) {
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
      const playlist = pictures.playlist();
      const last = playlist?.segments.at(-1);
      if (!last?.programDateTime || !isClockRight(playlist!)) return null;
      return last.programDateTime.getTime() + last.duration * 1000;
    },
    async next(signal) {
      const segment = await pictures.nextSegment(signal);
      if (!segment) return null;
      const playlist = pictures.playlist();
      const body = pictures.stretch(segment, signal);
      const takenMs = segment.programDateTime?.getTime() ?? null;
      const clockMs = playlist && isClockRight(playlist) ? takenMs : null;
      if (!soundUrl || !playlist) return { source: { kind: 'bytes', body }, clockMs };
      const heard = heardFrom(placeOf(playlist, segment), soundUrl, signal);
      return { source: { kind: 'bytes', body, sound: heard }, clockMs };
    },
  };
}

const chooseFirst = ({ variants }: types.MasterPlaylist) => variants[0]!.uri;
