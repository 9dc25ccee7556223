import { useEffect, useRef, useState } from 'react';
import { hasFrameCallbacks } from '#player/frame-callbacks.ts';
import { playHls } from '#player/hls.ts';
import { signVideo } from '#rooms/videos/video/queries.ts';
import { formatTime } from '#ui/format/format.ts';

/** A pointer that only crosses a tile starts no video. */
const DELAY_MS = 250;
/** Shortest clip in seconds: an event of one frame still shows what happens. */
const SHORTEST_S = 1.5;

/** True while the pointer rests on an element, or a key has focused it, unless the user prefers less motion. */
export function useRests() {
  const [rests, setRests] = useState(false);
  const timer = useRef(0);
  const end = () => {
    window.clearTimeout(timer.current);
    setRests(false);
  };
  const start = () => {
    window.clearTimeout(timer.current);
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    timer.current = window.setTimeout(() => setRests(true), DELAY_MS);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    rests,
    handlers: {
      onPointerEnter: ({ pointerType }: React.PointerEvent) => pointerType === 'mouse' && start(),
      onPointerLeave: end,
      onFocus: ({ target }: React.FocusEvent) => target.matches(':focus-visible') && start(),
      onBlur: end,
    },
  };
}

/** An event as a silent clip that repeats, over its image. The image stays where the video cannot be played. */
export function HoverClip({ videoId, startS, endS }: { videoId: string; startS: number; endS: number }) {
  const video = useRef<HTMLVideoElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  const bar = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  const end = Math.max(endS, startS + SHORTEST_S);

  useEffect(() => {
    const element = video.current!;
    if (!hasFrameCallbacks(element)) return;
    const ended = new AbortController();
    const { signal } = ended;
    let stop = () => element.removeAttribute('src');
    let frame = 0;
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      // Frames before the start belong to the seek.
      if (mediaTime >= startS - 0.1) setShown(true);
      if (mediaTime >= end) element.currentTime = startS;
      time.current!.textContent = formatTime(mediaTime);
      bar.current!.style.width = `${Math.min(100, Math.max(0, ((mediaTime - startS) / (end - startS)) * 100))}%`;
      frame = element.requestVideoFrameCallback(onFrame);
    };
    frame = element.requestVideoFrameCallback(onFrame);
    const play = () => void element.play().catch(() => {});
    element.addEventListener('loadedmetadata', () => (element.currentTime = startS), { signal });
    element.addEventListener('seeked', play, { signal, once: true });
    // The end of the file comes before that of the shortest clip.
    element.addEventListener(
      'ended',
      () => {
        element.currentTime = startS;
        play();
      },
      { signal },
    );
    async function open(kind: 'film' | 'hls') {
      const { url } = await signVideo(videoId, kind);
      if (signal.aborted) return;
      if (kind === 'film') {
        element.addEventListener('error', () => !signal.aborted && void open('hls').catch(() => {}), {
          signal,
          once: true,
        });
        element.src = url;
      } else {
        const close = await playHls(element, url, () => setShown(false));
        if (signal.aborted) close();
        else stop = close;
      }
    }
    // Without a source, the image of the event stays.
    open('film').catch(() => {});
    return () => {
      ended.abort();
      element.cancelVideoFrameCallback(frame);
      stop();
      element.load();
    };
  }, [videoId, startS, end]);

  return (
    <span aria-hidden className={isShown ? 'absolute inset-0' : 'invisible absolute inset-0'}>
      <video ref={video} muted playsInline preload="auto" className="size-full bg-black object-contain" />
      <span className="num absolute bottom-1 left-1 rounded-sm bg-black/75 px-1 text-white text-xs">
        <span ref={time} /> / {formatTime(endS)}
      </span>
      <span ref={bar} className="absolute bottom-0 left-0 h-0.5 bg-accent" />
    </span>
  );
}
