import { setTimeout as sleep } from 'node:timers/promises';
import type { Video, Videos } from '#features/videos/index';
import { Problem, type ProblemMaker } from '#platform/problem';
import { storageProblems } from '#platform/storage/index';
import { problems } from './problems.ts';

/** How long a request waits for a video that a worker makes ready, so that a small one is ready when it is answered. */
const WAIT_MS = 10_000;

/**
 * The video once a worker has made it ready, or as it is when the wait is over. One that failed meanwhile is taken away, and the reason
 * thrown: its client hears it here.
 */
export async function outcomeOf(
  videos: Pick<Videos, 'find' | 'discard'>,
  id: string,
  gone: AbortSignal,
): Promise<Video> {
  const deadline = Date.now() + WAIT_MS;
  for (let pause = 25; ; pause = Math.min(pause * 1.5, 500)) {
    const video = await videos.find(id);
    if (!video) throw problems.upload_deleted();
    if (video.status === 'UPLOADING_FAILED' && !gone.aborted) {
      await videos.discard(id);
      throw problemOf(video.problem!);
    }
    if (video.status !== 'PREPARE_IN_PROGRESS' || gone.aborted || Date.now() > deadline) return video;
    await sleep(pause, undefined, { signal: gone }).catch(() => {});
  }
}

const KNOWN: Record<string, ProblemMaker | undefined> = { ...problems, ...storageProblems };

/** What became of a video, as the problem it was to the worker: most of what goes wrong lies with the file or its address. */
function problemOf({ code, message }: NonNullable<Video['problem']>): Problem {
  return KNOWN[code]?.(message) ?? new Problem({ status: code === 'quota_exceeded' ? 403 : 400, code, message });
}
