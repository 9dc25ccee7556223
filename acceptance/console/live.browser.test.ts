import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testPattern } from '../../server/test/servers/live-sources.ts';
import { startRtspServer } from '../../server/test/servers/rtsp-server.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { checkDialog } from '../harness/dialogs.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

/** A livestream in the console, from its start over what happens to its source to its recording. */
const { chromium: program, ffmpeg } = inject('programs');
const TIMEOUT_MS = 240_000;
const PROMPT = 'the picture is dark';

describe.runIf(program && ffmpeg)('the live page', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let view: Console;

  beforeAll(async () => {
    service = await shareService();
    // Of a stream that could not be recorded there is no video.
    view = await openConsole(service, { expected: [/status of 404/] });
  }, TIMEOUT_MS);
  afterAll(() => view?.close());

  async function start(name: string, url: string, question?: string): Promise<void> {
    const { page } = view;
    await page.goto('/live');
    await page.getByRole('button', { name: 'Start a session' }).click({ timeout: 120_000 });
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Address of the stream').fill(url);
    if (question) await page.getByLabel('Question').fill(question);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/videos\//);
  }
  const running = () => view.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Live/ });
  /** The time of day that is shown, in seconds. */
  async function shownS(): Promise<number> {
    const text = await view.page.locator('[data-clock]').innerText();
    const [h, m, s] = text.split(':').map(Number) as [number, number, number];
    return h * 3_600 + m * 60 + s;
  }

  test('shows a stream with its events, back in time, without its source, and as a recording', async () => {
    const { page } = view;
    const camera = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 3 }) });
    try {
      await start('Gate 4', `rtsp://127.0.0.1:${camera.port}/stream`, PROMPT);
      const address = page.url();
      await page.getByText('LIVE', { exact: true }).waitFor();
      await expect.poll(async () => /\d/.test(await running().innerText())).toBe(true);
      expect(await page.getByText(/is being processed|Preparing/).count()).toBe(0);
      const card = page.getByRole('region', { name: 'Events', exact: true }).getByRole('article').first();
      await card.waitFor();
      await expect
        .poll(() => card.locator('img').evaluate((image) => Number(Reflect.get(image, 'naturalWidth'))))
        .toBeGreaterThan(0);
      // Measured by the page, from the arrival of a frame until it is shown. Beside other tests it is more than the two
      // seconds that `npm run bench -- live` holds; from whole segments it would be at least six.
      const delay = () => page.locator('[data-delay]').getAttribute('data-delay');
      await expect.poll(async () => Number(await delay()), { timeout: 60_000 }).toBeLessThan(6);
      const before = await shownS();
      await expect.poll(shownS).toBeGreaterThan(before);
      await view.checkAccessibility();

      // Back to the event, and to the live edge again.
      await card.getByRole('button').click();
      await page.getByText('RECORDED', { exact: true }).waitFor();
      const liveS = await shownS();
      await view.checkAccessibility();
      await page.getByRole('button', { name: 'Back to live' }).click();
      await page.getByText('LIVE', { exact: true }).waitFor();
      await expect.poll(shownS).toBeGreaterThan(liveS);

      camera.refuse(true);
      await page.getByText('The source sends nothing').waitFor();
      await view.checkAccessibility();
      camera.refuse(false);
      await page.getByText('The source sends nothing').waitFor({ state: 'detached' });
      await page.getByText('LIVE', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Details' }).click();
      await page.getByRole('heading', { name: 'Gaps' }).waitFor();
      await page.getByRole('tabpanel').getByRole('listitem').first().waitFor();
      await view.checkAccessibility();

      await page.getByRole('tab', { name: /Events/ }).click();
      await page.getByRole('button', { name: 'End session' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
      // The recording, at the same address.
      await page.getByRole('tab', { name: 'Coverage' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
      await page.getByRole('tabpanel').getByRole('button', { name: 'Approve' }).first().click();
      await page.getByRole('tabpanel').getByRole('button', { name: 'Approve', pressed: true }).waitFor();
      expect(view.problems()).toEqual([]);
    } finally {
      await camera.stop();
    }
  });

  test('changes the question while the stream runs', async () => {
    const { page } = view;
    const camera = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 3 }) });
    try {
      await start('Gate 5', `rtsp://127.0.0.1:${camera.port}/stream`);
      await page.getByText('Without a question nothing is searched for.').waitFor();
      await view.checkAccessibility();
      const field = page.getByRole('textbox', { name: 'Question about the video' });
      await field.fill(PROMPT);
      await page.getByRole('button', { name: 'Ask from now' }).click();
      await page.getByRole('region', { name: 'Events', exact: true }).getByRole('article').first().waitFor();
      await field.fill('scene changes');
      await page.getByRole('button', { name: 'Add to the question' }).click();
      await expect.poll(() => field.inputValue()).toBe(`${PROMPT}\nscene changes`);
      await page.getByRole('button', { name: 'End session' }).click();
      await checkDialog(view, 'End the session “Gate 5”?');
      await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
      await page.getByRole('tab', { name: 'Coverage' }).waitFor();
      expect(view.problems()).toEqual([]);
    } finally {
      await camera.stop();
    }
  });

  test('says why nothing could be recorded, also to who comes later', async () => {
    const { page } = view;
    await start('Gate 6', 'rtsp://10.255.255.1/stream');
    await page.getByText('Nothing could be recorded').waitFor();
    await page.reload();
    await page.getByText('Nothing could be recorded').waitFor();
    await page.getByText('rtsp://10.255.255.1/stream').waitFor();
    await view.checkAccessibility();
    await page.getByRole('button', { name: 'Start it again' }).click();
    expect(await page.getByLabel('Address of the stream').inputValue()).toBe('rtsp://10.255.255.1/stream');
    await page.keyboard.press('Escape');
    await page.goto('/live');
    await page.getByRole('row').filter({ hasText: 'Gate 6' }).getByRole('link').click();
    await page.getByText('Nothing could be recorded').waitFor();
    view.problems();
  });
});
