import { signVideo } from './queries.ts';

/** Downloads a range of a video as MP4. Fails with the reason of the service, such as a range that is too long. */
export async function downloadClip(videoId: string, start: number, end: number, name: string): Promise<void> {
  const { url } = await signVideo(videoId, 'clip', { start, end });
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replace(/\.\w{2,4}$/, '')} ${start.toFixed(1)}-${end.toFixed(1)}.mp4`;
  link.click();
}
