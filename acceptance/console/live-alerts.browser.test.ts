// Alerts of a camera in the console: an absence appears above every page while it lasts, and leads to its moment.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testPattern } from '../../server/test/servers/live-sources.ts';
import { startRtspServer } from '../../server/test/servers/rtsp-server.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program, ffmpeg } = inject('programs');
const TIMEOUT_MS = 240_000;

describe.runIf(program && ffmpeg)('alerts of a camera', { timeout: TIMEOUT_MS }, () => {
  let view: Console;

  beforeAll(async () => {
    view = await openConsole(await shareService());
    view.page.setDefaultTimeout(TIMEOUT_MS / 2);
  }, TIMEOUT_MS);
  afterAll(() => view?.close());

  test('are listed while it is recorded, and show the moment on its live page', async () => {
    const { page, sdk } = view;
    const source = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false }) });
    const question = await sdk.saveQuestion({ name: 'Left alone', query: 'the picture is not dark for 4 seconds' });
    const camera = await sdk.addCamera({
      name: 'Desk',
      source_url: `rtsp://127.0.0.1:${source.port}/ch1`,
      saved_question_ids: [question.saved_question_id],
    });
    try {
      await page.goto('/saved-questions');
      await expect.poll(async () => (await sdk.alerts()).alerts.length, { timeout: 120_000 }).toBeGreaterThan(0);
      await page.reload();
      await page.getByRole('button', { name: /Alerts, 1 new/ }).click();
      const row = page.getByRole('dialog').getByRole('listitem').first();
      await row.getByText('Live', { exact: true }).waitFor();
      await view.checkAccessibility();
      await row.getByRole('link', { name: /Picture is not dark for 4 s/i }).click();
      await page.waitForURL(/\/videos\/.*event=/);
      await page.getByText('RECORDED', { exact: true }).waitFor();
      const card = page.getByRole('region', { name: 'Events', exact: true }).getByRole('article').first();
      await card.getByText(/Not found from/).waitFor();
      await view.checkAccessibility();
      await page.goto('/live');
      await page.getByRole('link', { name: 'Desk' }).first().waitFor();
      await view.checkAccessibility();
    } finally {
      await sdk.stopCamera(camera.camera_id);
      await source.stop();
    }
  });
});
