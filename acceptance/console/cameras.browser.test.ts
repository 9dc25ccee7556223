// Cameras in the console: one is tested, added, scheduled, given a question, stopped and deleted, as a user does.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { H264_OPTIONS, startFfmpeg, testPattern } from '../../server/test/servers/live-sources.ts';
import { startRtspServer } from '../../server/test/servers/rtsp-server.ts';
import { DARK } from '../harness/answers.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program, ffmpeg } = inject('programs');
const TIMEOUT_MS = 240_000;

describe.runIf(program && ffmpeg)('cameras', { timeout: TIMEOUT_MS }, () => {
  let view: Console;

  beforeAll(async () => {
    view = await openConsole(await shareService());
    view.page.setDefaultTimeout(TIMEOUT_MS / 2);
  }, TIMEOUT_MS);
  afterAll(() => view?.close());

  test('one is tested, added, asked, scheduled, stopped and deleted', async () => {
    const { page, sdk } = view;
    const input = testPattern({ sound: false });
    const source = await startRtspServer(ffmpeg!, { input, user: 'viewer', password: 'secret' });
    const address = (password: string) => `rtsp://viewer:${password}@127.0.0.1:${source.port}/ch1`;
    const question = await sdk.saveQuestion({ name: 'Too dark', query: DARK });
    try {
      await page.goto('/live');
      await page.getByRole('link', { name: 'Cameras' }).click();
      await page.getByRole('button', { name: 'Add camera' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Loading bay 2');
      await dialog.getByLabel('Address of the stream').fill(address('wrong'));
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByText(/did not accept the user name/).waitFor();
      await dialog.getByLabel('Address of the stream').fill(address('secret'));
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByText(/H264, 320 × 180/).waitFor();
      await dialog.getByAltText(/Frame of/).waitFor();
      await view.checkAccessibility();
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();

      const details = page.getByRole('complementary', { name: 'Camera Loading bay 2' });
      await details.getByText('Recording only').waitFor();
      await details.getByRole('link', { name: /^Open/ }).waitFor();
      await details.getByText('credentials stored, encrypted').waitFor();
      await details.getByText(/Mbit\/s in the last minute/).waitFor();
      await details.getByText('No interruption in the last 24 hours').waitFor();
      expect(await page.content()).not.toContain('secret@');
      const image = page.getByRole('row', { name: /Loading bay 2/ }).getByAltText(/Newest frame/);
      await expect
        .poll(() => image.evaluate((element) => Number(Reflect.get(element, 'naturalWidth'))))
        .toBeGreaterThan(0);

      await details.getByRole('button', { name: 'Edit questions' }).click();
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: /Too dark/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await details.getByRole('link', { name: 'Too dark' }).waitFor();
      await details.getByText('Live', { exact: true }).waitFor();

      await details.getByRole('button', { name: 'Edit recording' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'What is recorded' }).click();
      await page.getByRole('option', { name: 'Only around events' }).click();
      await page.getByRole('dialog').getByLabel('Seconds before an event').fill('3');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await details.getByText('Only around events: 3 s before and 10 s after them').waitFor();
      await details.getByText(/^Recorded .+, around 0 events$/).waitFor();
      await details.getByText('Live', { exact: true }).waitFor();

      await details.getByRole('button', { name: 'Edit schedule' }).click();
      await page.getByRole('button', { name: 'Mon 03:00: Analyze and record' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await details.getByText('Record only').waitFor();
      const [camera] = await sdk.cameras();
      expect(camera!.schedule).toContainEqual({ days: ['mon'], from: '03:00', to: '04:00', analyze: false });
      await view.checkAccessibility();

      await details.getByRole('button', { name: 'Edit retention' }).click();
      await page.getByRole('dialog').getByLabel('Days').fill('30');
      await page.getByRole('dialog').getByLabel('Size in GB').fill('1.5');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await details.getByText('Recordings stay for 30 days').waitFor();
      expect((await sdk.cameras())[0]!.retention).toEqual({ days: 30, bytes: 1_500_000_000, keep_approved: true });

      await details.getByRole('button', { name: 'Mute for an hour' }).click();
      await details.getByRole('button', { name: 'Unmute' }).waitFor();
      await details.getByRole('button', { name: 'Test', exact: true }).click();
      await details.getByText(/passed at/).waitFor();

      await details.getByRole('button', { name: 'Stop' }).click();
      await details.getByText('Off', { exact: true }).first().waitFor();
      await details.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete camera' }).click();
      await page.getByRole('heading', { name: 'No cameras yet' }).waitFor();
    } finally {
      await sdk.api.DELETE('/api/saved-questions/{saved_question_id}', {
        params: { path: { saved_question_id: question.saved_question_id } },
      });
      await source.stop();
    }
  });

  test('one that pushes gets a key, shows what is published to it, and a new key ends the first', async () => {
    const { page, sdk } = view;
    await page.goto('/live/cameras');
    await page.getByRole('button', { name: 'Add camera' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Excavator');
    await dialog.getByLabel('Address of the stream').waitFor();
    await dialog.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'Push to this service' }).click();
    await dialog.getByLabel('Address of the stream').waitFor({ state: 'detached' });
    await view.checkAccessibility();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Both in one address').waitFor();
    await view.checkAccessibility();
    const address = (await dialog.locator('code').last().textContent())!;
    expect(address).toMatch(/^rtmp:\/\/.+\/live\/pk_[0-9a-f]{48}$/);
    await dialog.getByRole('button', { name: 'Done' }).click();

    const details = page.getByRole('complementary', { name: 'Camera Excavator' });
    await details.getByText('No encoder publishes', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(address.split('/').at(-1));
    const encode = () =>
      startFfmpeg(ffmpeg!, [...testPattern({ sound: false }), ...H264_OPTIONS, '-f', 'flv', address]);
    const encoder = encode();
    const second = encode();
    try {
      await details.getByText(/^Published by an encoder at 127.0.0.1/).waitFor();
      await details.getByText('Recording only').waitFor();
      await details.getByText(/Another encoder publishes with this key/).waitFor();
      await view.checkAccessibility();
      await page.evaluate(`localStorage.setItem('sightline.locale', 'de')`);
      await page.reload();
      await page.getByText('Ein anderer Encoder sendet mit diesem Schlüssel.').waitFor();
      await page.evaluate(`localStorage.setItem('sightline.locale', 'en')`);
      await page.reload();
      await details.getByRole('button', { name: 'Replace key…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Replace key' }).click();
      await dialog.getByText('Both in one address').waitFor();
      expect(await dialog.locator('code').last().textContent()).not.toBe(address);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await details.getByText('No encoder publishes', { exact: true }).waitFor();
    } finally {
      await Promise.all([encoder.stop(), second.stop()]);
      const [camera] = await sdk.cameras();
      await sdk.deleteCamera(camera!.camera_id);
    }
  });

  test('one that cannot be reached states it, and offers no recording without frames', async () => {
    const { page, sdk } = view;
    const body = { name: 'Back yard', source_url: 'rtsp://127.0.0.1:1/stream' };
    const { camera_id } = (await sdk.api.POST('/api/cameras', { body })).data!;
    await page.goto(`/live/cameras?camera=${camera_id}`);
    const details = page.getByRole('complementary', { name: 'Camera Back yard' });
    await details.getByText(/cannot be reached/).waitFor();
    await details.getByText('No frame in this session').waitFor();
    expect(await details.getByRole('link', { name: /^Open/ }).count()).toBe(0);
    await sdk.api.DELETE('/api/cameras/{camera_id}', { params: { path: { camera_id } } });
  });
});
