import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { startHlsOrigin, testPattern } from '../../server/test/servers/live-sources.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

/** The list of recordings: of robots, and of livestreams that have ended. */
const { chromium: program, ffmpeg } = inject('programs');
const TIMEOUT_MS = 180_000;
const RECORDING = footage('mcap/derived_comma2k19_seg40_telemetry_ros2.mcap');
const NAME = 'seg40.mcap';

describe.runIf(program && ffmpeg && hasFootage)('recordings', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let view: Console;

  beforeAll(async () => {
    service = await shareService();
    view = await openConsole(service);
    view.page.setDefaultTimeout(60_000);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await view?.close();
  });

  test('a recording appears in the open list, and opens', async () => {
    const { page, sdk } = view;
    await page.goto('/recordings');
    await page.getByText('No recordings yet').waitFor({ timeout: 120_000 });
    await page.getByText('No livestream was recorded yet').waitFor();
    await view.checkAccessibility();
    await sdk.uploadRecording(await openAsBlob(RECORDING), { name: NAME });
    const row = page.getByRole('row').filter({ hasText: NAME });
    // One of its cameras has a single image.
    await row.getByText('Partly read').waitFor();
    await view.checkAccessibility();
    await row.getByRole('link', { name: NAME }).click();
    await page.getByRole('heading', { name: NAME }).waitFor();
    await page.getByRole('link', { name: 'All recordings' }).click();
    await row.waitFor();
    expect(view.problems()).toEqual([]);
  });

  test('a livestream is listed with its recording once it has ended', async () => {
    const { page, sdk } = view;
    const origin = await startHlsOrigin(ffmpeg!, { input: testPattern() });
    try {
      const body = { source_url: origin.url, name: 'Gate' };
      const started = (await sdk.api.POST('/api/live/start-session', { body })).data!;
      const path = { stream_id: started.stream_id, session_id: started.session_id };
      const length = async () =>
        (await sdk.api.GET('/api/live/live-sessions/{stream_id}/{session_id}', { params: { path } })).data!.duration_s;
      await expect.poll(length, { timeout: 60_000 }).toBeGreaterThan(1);
      const table = page.getByRole('region', { name: 'Recordings of livestreams' });
      await sdk.api.POST('/api/live/end-session', { body: path });
      const row = table.getByRole('row').filter({ hasText: 'Gate' });
      await row.getByText('Ended').waitFor();
      await view.checkAccessibility();
      await row.getByRole('link', { name: 'Gate' }).click();
      await page.getByRole('heading', { name: 'Gate' }).waitFor();
      // The address that the hosted service documents for sessions.
      const recording = page.url().split('?')[0]!;
      await page.goto(`/events/${path.stream_id}/${path.session_id}`);
      await page.waitForURL(recording);
      expect(view.problems()).toEqual([]);
    } finally {
      await origin.stop();
    }
  });
});
