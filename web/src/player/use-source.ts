import { type RefObject, useEffect, useState } from 'react';
import { loadModule } from '#api/load-module.ts';
import { serviceNow } from '#api/service-clock.ts';
import { playHls } from './hls.ts';
import type { Player } from './player.ts';

/** A signed URL and the time when it expires, in milliseconds since 1970. */
export type Source = { url: string; expiresAt: number };
export type SourceKind = 'file' | 'hls';
/** Signs a URL of the file itself, or of its HLS stream, which every browser plays. */
export type SignSource = (kind: SourceKind) => Promise<Source>;

/**
 * Plays the file itself, or its HLS stream if the browser cannot play the file. Expired URLs are signed again.
 * Returns the failure if neither plays.
 */
export function useSource(
  player: Player,
  video: RefObject<HTMLVideoElement | null>,
  sign: SignSource,
): { kind: SourceKind; error: unknown; retry: () => void } {
  const [kind, setKind] = useState<SourceKind>('file');
  const [attempt, setAttempt] = useState(0);
  const [error, setError] = useState<unknown>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts with another URL.
  useEffect(() => {
    const element = video.current!;
    const ended = new AbortController();
    const { signal } = ended;
    const detach = player.attach(element);
    let stop = () => element.removeAttribute('src');
    let expiresAt = Number.POSITIVE_INFINITY;
    const fail = (problem: unknown) => {
      if (signal.aborted) return;
      if (serviceNow() > expiresAt) restart();
      else if (kind === 'file') setKind('hls');
      else setError(problem);
    };
    const restart = () => {
      player.seek(player.time());
      setAttempt((count) => count + 1);
    };
    element.addEventListener('error', () => fail(new UnplayableError()), { signal });
    // A file whose sound plays but whose frames do not.
    element.addEventListener('loadedmetadata', () => element.videoWidth === 0 && fail(new UnplayableError()), {
      signal,
    });
    async function openFrames(url: string) {
      // Browsers decode single frames only for pages with a secure address.
      if (!('VideoDecoder' in globalThis)) return;
      const { openFrameDecoder } = await loadModule(() => import('./decoder/frame-decoder.ts'));
      const frames = signal.aborted ? null : await openFrameDecoder(url);
      if (!frames) return;
      if (signal.aborted) return frames.close();
      player.setFrames(frames);
      signal.addEventListener('abort', () => {
        player.setFrames(null);
        frames.close();
      });
    }
    async function start() {
      const source = await sign(kind);
      if (signal.aborted) return;
      expiresAt = source.expiresAt;
      if (kind === 'file') {
        element.src = source.url;
        // Without the decoder, seeks show what the element shows.
        element.addEventListener('loadeddata', () => void openFrames(source.url).catch(() => {}), {
          signal,
          once: true,
        });
      } else {
        const end = await playHls(element, source.url, () => fail(new UnplayableError()));
        if (signal.aborted) end();
        else stop = end;
      }
    }
    start().catch((problem: unknown) => !signal.aborted && setError(problem));
    return () => {
      ended.abort();
      detach();
      stop();
      element.load();
    };
  }, [player, video, sign, kind, attempt]);

  const retry = () => {
    setError(null);
    setKind('file');
    setAttempt((count) => count + 1);
  };
  return { kind, error, retry };
}

/** The browser plays neither the file nor its stream. */
export class UnplayableError extends Error {
  override name = 'UnplayableError';
}
