import { type BenchmarkBrowser, heapBytes } from '../../lib/browser.ts';
import type { BenchmarkService } from '../../lib/service.ts';
import type { BenchmarkRow } from '../../run.ts';

const HOUR_S = 3_600;
/** Seconds of the page's clock between two changes of the library. */
const STEP_S = 4;
/** The first minutes load code and fill caches of a fixed size. */
const WARM_UP_S = 300;
const BAR = { max: 1.1 };

/**
 * Heap of the library's page after an hour in which somebody renames a video every few seconds: its stream reports each
 * change, and the page fetches the list again. The page's clock is advanced, so that its timers run as in that hour.
 */
export async function memoryRows(browser: BenchmarkBrowser, { client }: BenchmarkService): Promise<BenchmarkRow[]> {
  const page = await browser.openPage();
  await page.clock.install();
  await page.goto('/');
  const card = page.locator('[role=gridcell][data-index]').first();
  await card.waitFor();
  const devtools = await page.context().newCDPSession(page);
  const { data } = await client.api.GET('/api/videos', { params: { query: { limit: 1 } } });
  const video_id = data!.videos[0]!.video_id;
  let before = 0;
  let refreshed = 0;
  page.on('response', (response) => {
    if (response.url().includes('/api/videos?')) refreshed++;
  });
  for (let elapsed = 0; elapsed < WARM_UP_S + HOUR_S; elapsed += STEP_S) {
    if (elapsed === WARM_UP_S) before = await heapBytes(devtools);
    const name = `renamed after ${elapsed} s.mp4`;
    await client.api.PATCH('/api/video/{video_id}', { params: { path: { video_id } }, body: { name } });
    await page.clock.runFor(STEP_S * 1000);
    // Not each one: the page may fetch several changes at once.
    if (elapsed % 60 === 0) await page.getByText(name).first().waitFor();
  }
  const after = await heapBytes(devtools);
  await page.context().close();
  return [
    {
      name: 'heap of the library after an hour of changes, against before',
      value: after / before,
      unit: '×',
      bar: BAR,
      note: `${(before / 1e6).toFixed(1)} and ${(after / 1e6).toFixed(1)} MB; the list was fetched ${refreshed} times`,
    },
  ];
}
