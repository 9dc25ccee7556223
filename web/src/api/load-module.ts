const PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/**
 * Loads a module. While the service cannot be reached it waits and tries again, so that the page that is open stays:
 * a part of it whose module does not load would take the whole page with it, and the router reloads the document if
 * the module of a page does not load, because that may be of an older version of the console. Rejects if the module
 * does not load although the service answers.
 */
export async function loadModule<T>(load: () => Promise<T>): Promise<T> {
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await load();
    } catch {
      if (await isReachable()) return load();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

const isReachable = () =>
  fetch('/health', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
