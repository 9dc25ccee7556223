// The choice between several vision-language models. Nothing listens at their endpoints, which a question survives.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
const endpoint = (model: string) => ({ url: 'http://127.0.0.1:1/v1', model, price: '0.60/2.40' });

describe.runIf(program)('a service with several vision-language models', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let service: Service;
  let browser: Console;
  beforeAll(async () => {
    folder = await makeFolder();
    const env = {
      SIGHTLINE_VISION_PROFILES: JSON.stringify({ small: endpoint('small-vl'), large: endpoint('large-vl') }),
    };
    service = await startService(join(folder.path, 'data'), {
      env: { ...env, SIGHTLINE_VISION_PROFILE: 'small', SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
    browser = await openConsole(service);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  test('lets a question choose one', async () => {
    const { page, sdk } = browser;
    const clip = new Blob([await readFile(await sceneClip())]);
    const { video_id } = await sdk.upload(clip, { name: 'scene.mp4' });
    await page.goto(`/videos/${video_id}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('someone wears a helmet');
    await page.getByRole('combobox', { name: 'Vision-language model' }).click();
    await page.getByRole('option', { name: 'large' }).click();
    // The estimate states tokens and money.
    await page.getByText(/tokens · cost 0\.0\d+/).waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.waitForURL(/analysis=\w{32}/);
    const analysisId = new URL(page.url()).searchParams.get('analysis')!;
    const read = async () => (await sdk.document(video_id, analysisId)).analysis;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('COMPLETED');
    const coverage = JSON.stringify((await read()).coverage);
    expect(coverage).toContain('large-vl');
    expect(coverage).not.toContain('small-vl');
    await browser.checkAccessibility();
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});
