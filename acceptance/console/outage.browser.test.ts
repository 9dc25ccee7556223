import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const TIMEOUT_MS = 300_000;

/** Modules that a page requests after its first ones, by the beginnings of the names of their files. */
const MODULES = [
  'console',
  'video-page',
  'person-menu',
  'uploads-frame',
  'live-updates',
  'toast-list',
  'frame-decoder',
];

/** A page that is opened while the service restarts. */
describe.runIf(inject('programs').chromium)('a service that is unavailable', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let path: string;
  beforeAll(async () => {
    browser = await openConsole(await shareService(), { expected: [/net::ERR_CONNECTION_REFUSED/] });
    const { video_id } = await browser.sdk.upload(new Blob([await readFile(await sceneClip())]), { name: 'a.mp4' });
    await browser.sdk.ready(video_id, { signal: AbortSignal.timeout(60_000) });
    path = `/videos/${video_id}?tab=ask`;
    // Modules in the cache of the browser would not be requested.
    await (await browser.page.context().newCDPSession(browser.page)).send('Network.setCacheDisabled', {
      cacheDisabled: true,
    });
  }, TIMEOUT_MS);
  afterAll(() => browser?.close());

  test.each(MODULES)('when the page requests the module %s leaves no damage', async (name) => {
    const { page } = browser;
    let isAway = false;
    let refused = 0;
    const isRequested = page.waitForRequest((request) => request.url().includes(`/assets/${name}-`));
    // From the request of the module until the page has asked for the service, or the module is one it can do without.
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (url.includes(`/assets/${name}-`) && refused === 0) isAway = true;
      if (!isAway) return route.continue();
      refused++;
      if (url.endsWith('/health')) isAway = false;
      await route.abort('connectionrefused');
    });
    await page.goto(path);
    await isRequested;
    await page.getByRole('textbox', { name: 'Question about the video' }).waitFor();
    await page.getByRole('button', { name: /: account of/ }).waitFor();
    await page.unroute('**/*');
  });
});
