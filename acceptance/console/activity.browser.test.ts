import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip, stillClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

/** Changes by others appear in open pages, also after the service was killed. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
/** The service is killed, and a video is deleted while its poster loads. */
const EXPECTED = [/net::ERR_/, /status of 503/, /status of 404 .*\/poster\.jpg/];
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
let opened: Console;

describe.runIf(program)('in a browser', { timeout: TIMEOUT_MS }, () => {
  beforeAll(async () => {
    folder = await makeFolder();
    service = await startService(`${folder.path}/data`, {
      env: { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` },
    });
    opened = await openConsole(service, { expected: EXPECTED });
    opened.page.setDefaultTimeout(60_000);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await opened?.close();
    await service?.stop();
    await folder?.remove();
  });

  const upload = async (path: string, name: string) => opened.sdk.upload(await openAsBlob(path), { name });

  test('a video uploaded by the API appears in an open library, and changes with what happens to it', async () => {
    const { page, sdk } = opened;
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Find something in your videos' }).waitFor();
    await page.evaluate('window.isSameDocument = true');
    const { video_id } = await upload(await sceneClip(), 'from the API.mp4');
    const card = page.getByRole('gridcell').filter({ hasText: 'from the API.mp4' });
    await card.waitFor();
    await sdk.ready(video_id);
    await card.getByText('0:', { exact: false }).first().waitFor();
    const params = { path: { video_id } };
    await sdk.api.PATCH('/api/video/{video_id}', { params, body: { name: 'renamed.mp4' } });
    const renamed = page.getByRole('gridcell').filter({ hasText: 'renamed.mp4' });
    await renamed.waitFor();
    await sdk.api.DELETE('/api/video/{video_id}', { params });
    await renamed.waitFor({ state: 'detached' });
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
  });

  test('after the service was killed, an open page states it and recovers by itself', async () => {
    const { page } = opened;
    await upload(await sceneClip(), 'before.mp4');
    await page.getByRole('gridcell').filter({ hasText: 'before.mp4' }).waitFor();
    await service.kill();
    const notice = page.getByText('Live updates are interrupted');
    await notice.waitFor();
    await opened.checkAccessibility();
    service = await startService(service.dataDir, { env: service.env });
    await notice.waitFor({ state: 'detached' });
    await upload(await stillClip(), 'after.mp4');
    await page.getByRole('gridcell').filter({ hasText: 'after.mp4' }).waitFor();
    await page.getByRole('gridcell').filter({ hasText: 'before.mp4' }).waitFor();
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
  });

  test('without a connection the open page stays, and the next one opens when there is one again', async () => {
    const { page } = opened;
    await page.context().setOffline(true);
    await page.getByText('Live updates are interrupted').waitFor();
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/health'));
    await page.getByRole('gridcell').filter({ hasText: 'after.mp4' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor();
    await page.getByText('Live updates are interrupted').waitFor({ state: 'detached' });
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
  });
});
