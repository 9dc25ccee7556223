// The console on a machine of the local network without TLS: browsers offer neither `crypto.randomUUID`, nor
// `crypto.subtle`, nor the clipboard to such pages, and send no `Sec-Fetch-Site`.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;

describe.runIf(program)('the console over plain HTTP', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  beforeAll(async () => {
    browser = await openConsole(await shareService(), {
      overNetwork: true,
      // The header needs HTTPS; browsers say so.
      expected: [/Cross-Origin-Opener-Policy header has been ignored/],
    });
  }, TIMEOUT_MS);
  afterAll(() => browser?.close());

  test('uploads, asks and copies', async () => {
    const { page } = browser;
    await page.goto('/');
    const isSecure = () => page.evaluate(() => (globalThis as unknown as { isSecureContext: boolean }).isSecureContext);
    expect(await isSecure()).toBe(false);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Choose files' }).click();
    const clip = await readFile(await sceneClip());
    await (await chooser).setFiles({ name: 'scene.mp4', mimeType: 'video/mp4', buffer: clip });
    await page.getByRole('region', { name: 'Uploads' }).getByText('Uploaded', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'scene.mp4' }).first().click();
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('the picture gets dark');
    await page.keyboard.press('Enter');
    await page.getByText('dark').first().waitFor();
    await page.waitForURL(/analysis=\w{32}/);
    await page.getByRole('button', { name: 'Link at this time' }).click();
    await page.getByText('The link was copied').waitFor();
    expect(browser.problems()).toEqual([]);
  });
});
