/**
 * The console in Chromium, on the same cores as the service: the library at 1,000,000 videos, seeks in a video of one
 * hour at 1080p, a timeline of 10,000 events, and memory while the library follows an hour of changes. With names of
 * parts, only these run.
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

export async function run(wanted: string[]): Promise<BenchmarkRow[]> {
  const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
  await using parts = new AsyncDisposableStack();
  const service = await startService({ port: 18_104 });
  parts.defer(() => service.stop());
  const browser = await startBrowser(service);
  parts.defer(() => browser.close());
  const rows: BenchmarkRow[] = [];
  if (isWanted('seek') || isWanted('timeline')) {
    const video = await uploadLongVideo(service);
    if (isWanted('seek')) rows.push(...(await seekRows(browser, video)));
    if (isWanted('timeline')) rows.push(...(await timelineRows(browser, service, video)));
  }
  if (isWanted('library') || isWanted('memory')) {
    await fillLibrary(service, LIBRARY);
    if (isWanted('library')) rows.push(...(await libraryRows(browser)));
    if (isWanted('memory')) rows.push(...(await memoryRows(browser, service)));
  }
  return rows;
}
