/** Exit code of a command that Ctrl-C ended, as shells expect it. */
export const INTERRUPTED = 130;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One request to stop may arrive twice: sent to the whole process group, and forwarded by npm. */
const SAME_REQUEST_MS = 1_000;
const PARENT_CHECK_MS = 500;

/**
 * Returns a signal that aborts on the first Ctrl-C, SIGTERM or SIGHUP and, in an npm script, when npm has ended. A
 * signal more than a second later exits at once.
 */
export function abortOnInterruption(env: NodeJS.ProcessEnv): AbortSignal {
  const controller = new AbortController();
  let abortedMs = 0;
  const abort = () => {
    if (controller.signal.aborted) return;
    abortedMs = performance.now();
    controller.abort();
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (controller.signal.aborted && performance.now() - abortedMs > SAME_REQUEST_MS) process.exit(INTERRUPTED);
      abort();
    });
  }
  // npm scripts begin with `exec`, so the parent is npm and not a shell that would outlive it.
  if (env.npm_lifecycle_event) onParentEnd(abort);
  return controller.signal;
}

/** Calls `ended` once when the parent process has ended, also by SIGKILL. */
function onParentEnd(ended: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, PARENT_CHECK_MS);
  timer.unref();
}
