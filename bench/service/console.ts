/**
 * The console in Chromium, on the same cores as the service: the library at 1,000,000 videos, seeks in a video of one
 * hour at 1080p, a timeline of 10,000 events, and memory while the library follows an hour of changes. With names of
 * parts, only these run. A part that fails is reported, and the others are measured.
 * `npm run bench -- console [library] [memory] [seek] [timeline]`
 */
import { startBrowser } from '../lib/browser.ts';
import { fillLibrary } from '../lib/library.ts';
import { startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';
import { libraryRows } from './console/library.ts';
import { memoryRows } from './console/memory.ts';
import { seekRows } from './console/seek.ts';
import { timelineRows } from './console/timeline.ts';
import { uploadLongVideo } from './console/videos.ts';

const LIBRARY = { videos: 1_000_000, folders: 10_000 };

export async function* run(wanted: string[]): AsyncGenerator<BenchmarkRow> {
  await using parts = new AsyncDisposableStack();
  const service = await startService({ port: 18_104 });
  parts.defer(() => service.stop());
  const browser = await startBrowser(service);
  parts.defer(() => browser.close());
  const video = once(() => uploadLongVideo(service));
  const library = once(() => fillLibrary(service, LIBRARY));
  // The videos first: those of the library have no files.
  const measures: Record<string, () => Promise<BenchmarkRow[]>> = {
    seek: async () => seekRows(browser, await video()),
    timeline: async () => timelineRows(browser, service, await video()),
    library: async () => library().then(() => libraryRows(browser)),
    memory: async () => library().then(() => memoryRows(browser, service)),
  };
  for (const [name, measure] of Object.entries(measures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      yield* await measure();
    } catch (error) {
      yield { name: `${name} could not be measured`, value: Number.NaN, unit: '', bar: { max: 0 }, note: `${error}` };
    }
  }
}

/** The first call does the work; later ones share its result. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
