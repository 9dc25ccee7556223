import type { Videos } from '#features/videos/index';
import { problems } from './problems.ts';
import type { UploadConnection } from './types.ts';

const INTERVAL_MS = 5_000;
const STALL_TIMEOUT_MS = 60_000;

/**
 * Sends a heartbeat every few seconds while a connection uploads a video. `signal` aborts with `upload_deleted` when
 * the video is deleted, or with `upload_stalled` when no byte arrives for a minute; `received` ends the stall
 * detection. Dispose it.
 */
export function startHeartbeat(
  videos: Pick<Videos, 'heartbeat'>,
  videoId: string,
  connection: UploadConnection,
  { intervalMs = INTERVAL_MS, stallTimeoutMs = STALL_TIMEOUT_MS } = {},
) {
  const controller = new AbortController();
  let receiving = true;
  let bytesRead = connection.bytesRead();
  let lastReadMs = Date.now();
  const timer = setInterval(() => {
    videos.heartbeat(videoId).then(
      (pending) => pending || controller.abort(problems.upload_deleted()),
      // The next heartbeat may succeed; the stall timeout bounds the wait.
      () => {},
    );
    if (connection.bytesRead() !== bytesRead) {
      bytesRead = connection.bytesRead();
      lastReadMs = Date.now();
    } else if (receiving && Date.now() - lastReadMs > stallTimeoutMs) controller.abort(problems.upload_stalled());
  }, intervalMs);
  return {
    signal: controller.signal,
    received: () => {
      receiving = false;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

export type Heartbeat = ReturnType<typeof startHeartbeat>;
