import { setTimeout as sleep } from 'node:timers/promises';
import type { Video, Videos } from '#features/videos/index';
import { netProblems } from '#platform/net/index';
import { Problem, type ProblemMaker } from '#platform/problem';
import { storageProblems } from '#platform/storage/index';
import { problems } from './problems.ts';

/** Longest wait of a request for a job, so that a small video is ready in the response. */
const MAX_WAIT_MS = 10_000;

/**
 * Waits until a job has made the video ready, and returns it; still pending if the wait is over or `signal` aborts.
 * A video that fails meanwhile is removed, and its reason is thrown.
 */
export async function waitUntilReady(
  videos: Pick<Videos, 'find' | 'discard'>,
  id: string,
  signal: AbortSignal,
): Promise<Video> {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (let pause = 25; ; pause = Math.min(pause * 1.5, 500)) {
    const video = await videos.find(id);
    if (!video) throw problems.upload_deleted();
    if (video.status === 'UPLOADING_FAILED' && !signal.aborted) {
      await videos.discard(id);
      throw toProblem(video.problem!);
    }
    if (video.status !== 'PREPARE_IN_PROGRESS' || signal.aborted || Date.now() > deadline) return video;
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

const PROBLEMS: Record<string, ProblemMaker | undefined> = { ...problems, ...storageProblems, ...netProblems };

/** Rebuilds the problem of a failed video. The codes of media problems are all 400. */
function toProblem({ code, message }: NonNullable<Video['problem']>): Problem {
  return PROBLEMS[code]?.(message) ?? new Problem({ status: code === 'quota_exceeded' ? 403 : 400, code, message });
}
