// The choice between several vision-language models, and between several detectors. Nothing listens at the endpoints of
// the former, which a question survives; the latter are generated, and see the same in every frame.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { rawDetrModel } from '../../server/src/engine/observe/objects/detector/detr-model.fixture.ts';
import { constantModel } from '../../server/src/engine/observe/objects/detector/model.fixture.ts';
import { sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { checkDialog } from '../harness/dialogs.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
const endpoint = (model: string) => ({ url: 'http://127.0.0.1:1/v1', model, price: '0.60/2.40' });

describe.runIf(program)('a service with several models', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let service: Service;
  let browser: Console;
  beforeAll(async () => {
    folder = await makeFolder();
    const models = join(folder.path, 'models');
    await mkdir(models);
    await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
    await writeFile(join(models, 'dfine_n.onnx'), rawDetrModel({ side: 640, always: 'dog' }));
    const env = {
      SIGHTLINE_MODELS_DIR: models,
      SIGHTLINE_VISION_PROFILES: JSON.stringify({ small: endpoint('small-vl'), large: endpoint('large-vl') }),
    };
    service = await startService(join(folder.path, 'data'), {
      env: {
        ...env,
        SIGHTLINE_VISION_PROFILE: 'small',
        SIGHTLINE_VISION_TOKEN_LIMITS: 'month=5000000',
        SIGHTLINE_VISION_MONEY_LIMITS: 'month=20',
        SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
    });
    browser = await openConsole(service);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  /** Asks on the page of a video, and returns the document. */
  async function ask(videoId: string) {
    const { page, sdk } = browser;
    const before = new URL(page.url()).searchParams.get('analysis');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const current = () => new URL(page.url()).searchParams.get('analysis');
    await expect.poll(() => current() !== before && current() !== null, { timeout: 60_000 }).toBe(true);
    const read = async () => (await sdk.document(videoId, current()!)).analysis;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('COMPLETED');
    return read();
  }

  test('lets a question choose them', async () => {
    const { page, sdk } = browser;
    const clip = new Blob([await readFile(await sceneClip())]);
    const { video_id } = await sdk.upload(clip, { name: 'scene.mp4' });
    await page.goto(`/videos/${video_id}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('someone wears a helmet');
    await page.getByRole('combobox', { name: 'Vision-language model' }).click();
    await page.getByRole('option', { name: 'large' }).click();
    // The estimate states tokens and money.
    await page.getByText(/tokens · cost 0\.0\d+/).waitFor();
    const coverage = JSON.stringify((await ask(video_id)).coverage);
    expect(coverage).toContain('large-vl');
    expect(coverage).not.toContain('small-vl');

    await page.getByRole('textbox', { name: 'Question about the video' }).fill('a dog');
    await page.getByRole('combobox', { name: 'Object detector' }).click();
    await page.getByRole('option', { name: 'D-FINE-N' }).click();
    const found = await ask(video_id);
    expect(found.events).not.toEqual([]);
    expect(JSON.stringify(found.coverage)).toContain('objects (dfine_n');
    await browser.checkAccessibility();
    await page.setViewportSize({ width: 320, height: 700 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  test('asks the operator before a model is removed', async () => {
    const operator = await openConsole(service, { operator: true });
    try {
      await operator.page.goto('/settings/system');
      await operator.page.getByRole('button', { name: 'Remove YOLOX-Nano' }).click();
      await checkDialog(operator, 'Remove YOLOX-Nano?');
    } finally {
      await operator.close();
    }
  });

  test('states what the models cost this month', async () => {
    const { page } = browser;
    await page.goto('/settings/usage');
    await page.getByRole('heading', { name: 'Vision-language and language models' }).waitFor();
    await page.getByText('of 5,000,000').waitFor();
    await page.getByText('of 20', { exact: true }).waitFor();
    await browser.checkAccessibility();
  });

  test('observes selected videos before anyone asks', async () => {
    const { page, sdk } = browser;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/');
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Observe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Observe 1 video' });
    await dialog.getByRole('checkbox', { name: 'Text' }).check();
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Observe', exact: true }).click();
    await dialog.getByText('1 of 1 observed').waitFor({ timeout: 60_000 });
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const { data } = await sdk.api.GET('/api/observations', {});
    expect(data!.runs).toMatchObject([{ observers: ['text'], status: 'completed', completed: 1 }]);
  });
});
