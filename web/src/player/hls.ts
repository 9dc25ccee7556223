import { loadModule } from '#api/load-module.ts';

/**
 * Plays an HLS stream in an element. The library loads here, because only files that browsers cannot play need it.
 * Returns a function that ends it. `onError` is called once if the stream cannot be played.
 */
export async function playHls(video: HTMLVideoElement, url: string, onError: () => void): Promise<() => void> {
  const { default: Hls } = await loadModule(() => import('hls.js/light'));
  if (!Hls.isSupported()) {
    video.src = url;
    return () => video.removeAttribute('src');
  }
  // Its worker is a script from a blob, which the content security policy refuses.
  const hls = new Hls({ enableWorker: false });
  hls.on(Hls.Events.ERROR, (_event, { fatal }) => {
    if (!fatal) return;
    hls.destroy();
    onError();
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return () => hls.destroy();
}
