import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FileChooser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { footage, MODELS } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { cpuMsOf, treeOf } from '../harness/processes.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

/** From the printed link to the first evidence image, and recovery of the page from crashes of the service. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 420_000;
/** Less than that of the test, so that a failure names its step. */
const STEP_MS = 120_000;
/** Processor time of the service from its start to the first evidence image. */
const LONGEST_CPU_MS = 180_000;
const PASSWORD = 'correct horse battery 9';
const PASSWORD_LABEL = 'New password, at least 12 characters';
const QUESTION = 'a red car';
const WEIGHTS = join(MODELS ?? 'no models', 'yolox_nano.onnx');
/** Published size of the default model. */
const MODEL_BYTES = 3_659_407;

describe.runIf(program && MODELS)('the first run', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let service: Service;
  let browser: Console;
  let page: Page;

  /** Starts a service without models and a browser that knows nothing. Returns the printed link. */
  async function start(env: Record<string, string>): Promise<string> {
    const given = { SIGHTLINE_BOOTSTRAP_KEY: '', SIGHTLINE_MODELS_DIR: join(folder.path, 'models'), ...env };
    service = await startService(join(folder.path, 'data'), { env: given, fresh: true });
    // The console may not be ready yet.
    browser = await openConsole(service, { signIn: false, expected: [/status of (401|404|503)/] });
    page = browser.page;
    page.setDefaultTimeout(STEP_MS);
    return new RegExp(`${service.url}/welcome\\?setup#[\\w-]{43}`).exec(service.command.stdout())![0];
  }
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async ({ task }) => {
    const shown = task.result?.state === 'fail' && (await browser?.describe().catch(String));
    await browser?.close();
    await service?.stop();
    await folder?.remove();
    if (shown) throw new Error(`It failed on this page:\n${shown}`);
  });

  /** Waits until the first evidence image is drawn. */
  async function seeEvidence(): Promise<void> {
    const image = page.getByRole('list', { name: 'Events' }).locator('article img').first();
    const widthOf = () => image.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(widthOf, { timeout: STEP_MS }).toBeGreaterThan(100);
    const cpuMs = cpuMsOf(treeOf(service.command.pid));
    expect(cpuMs).toBeGreaterThan(1_000);
    expect(cpuMs).toBeLessThan(LONGEST_CPU_MS);
  }

  test('works with the mouse: a failed download, a chosen file, the sample, a question', async () => {
    const publisher = await startPublisher();
    try {
      const link = await start({
        SIGHTLINE_MODELS_DOWNLOAD: 'true',
        SIGHTLINE_MODELS_URL: publisher.url,
        SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
      });
      await page.goto(link);
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel(PASSWORD_LABEL).fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();

      // The first start downloads the detector.
      await page.getByRole('progressbar', { name: 'Download of YOLOX-Nano' }).waitFor();
      await page.getByText('1 MB of 3.7 MB').waitFor();
      await browser.checkAccessibility();
      await page.getByRole('button', { name: 'Cancel' }).click();
      const license = page.getByRole('link', { name: 'License: Apache-2.0' });
      await expect.poll(() => license.getAttribute('href')).toContain('LICENSE');
      publisher.sendWrongFile();
      await page.getByRole('button', { name: 'Download YOLOX-Nano' }).click();
      await page.getByText('sent another file than the published one').waitFor();
      await page.getByRole('button', { name: 'Try again YOLOX-Nano' }).waitFor();
      await browser.checkAccessibility();
      await choose(() => page.getByRole('button', { name: 'Choose a file YOLOX-Nano' }).click());
      await page.getByRole('heading', { name: 'Recognize people, vehicles and objects (done)' }).waitFor();

      for (const sample of ['Street', 'Room', 'Robot'])
        await page.getByRole('button', { name: sample, exact: true }).waitFor();
      await page.getByRole('button', { name: QUESTION, exact: true }).click();
      await page.waitForURL(/\/videos\/\w+/);
      const box = page.getByRole('textbox', { name: 'Question about the video' });
      await box.waitFor();
      expect(await box.inputValue()).toBe(QUESTION);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await seeEvidence();
      await browser.checkAccessibility();

      await page.goto(`${service.url}/settings/system`);
      await page.getByText('Ready, not verified').waitFor();
      await page.getByText('This is not the published file.').waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await browser.checkAccessibility();
    } finally {
      publisher.stop();
    }
  });

  test('works with the keyboard alone', async () => {
    const link = await start({});
    await page.goto(link);
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    await fill('E-mail address', 'ada@example.com');
    await fill('Your name', 'Ada');
    await fill(PASSWORD_LABEL, PASSWORD);
    await keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Recognize people, vehicles and objects' }).waitFor();
    await page.getByText('Downloads are turned off here.').waitFor();
    await tabTo('Choose a file YOLOX-Nano');
    await choose(() => keyboard.press('Enter'));
    await page.getByRole('heading', { name: 'Recognize people, vehicles and objects (done)' }).waitFor();

    await tabTo('Street');
    await keyboard.press('Enter');
    await page.waitForURL(/\/videos\/\w+/);
    await page.getByRole('textbox', { name: 'Question about the video' }).waitFor();
    await tabTo('Question about the video');
    await keyboard.type(QUESTION);
    await keyboard.press('Enter');
    // From here on nothing needs a mouse or a key.
    await page.getByRole('progressbar', { name: 'Progress of the question' }).waitFor();
  });

  /** Presses Tab until the element with this accessible name has the focus; fails if the whole page was passed. */
  async function tabTo(name: string): Promise<void> {
    const named = page.getByRole('button', { name, exact: true }).or(page.getByRole('textbox', { name, exact: true }));
    for (let presses = 0; presses < 100; presses++) {
      if (await named.first().evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`"${name}" cannot be reached with the Tab key.`);
  }

  async function fill(label: string, text: string): Promise<void> {
    const field = page.getByLabel(label, { exact: true });
    for (let presses = 0; presses < 20; presses++) {
      if (await field.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(text);
    await expect.poll(() => field.inputValue()).toBe(text);
  }

  /** Chooses the weights in the dialog that `open` opens. */
  async function choose(open: () => Promise<void>): Promise<void> {
    const chooser: Promise<FileChooser> = page.waitForEvent('filechooser');
    // A busy page may see a key before it learns that its dialogs are intercepted.
    await page.evaluate('0');
    await open();
    await (await chooser).setFiles(WEIGHTS);
  }
});

describe.runIf(program && MODELS)('a page whose service is killed', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let service: Service;
  let browser: Console;

  beforeAll(async () => {
    folder = await makeFolder();
    service = await startService(join(folder.path, 'data'));
    browser = await openConsole(service, { expected: [/net::ERR_/, /status of (404|423|503)/] });
    browser.page.setDefaultTimeout(STEP_MS);
    await browser.page.addInitScript('delete window.showOpenFilePicker');
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  async function crash(): Promise<void> {
    await service.kill();
    service = await startService(service.dataDir, { env: service.env });
  }

  test('recovers by itself during an upload and during a question, and the result is complete', async () => {
    const { page, sdk } = browser;
    const path = footage('road/camvid_0016E5_cyclists_15fps.mp4');
    const bytes = await readFile(path);
    const devtools = await page.context().newCDPSession(page);
    const limit = (uploadThroughput: number) =>
      devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await page.goto(service.url);
    await limit(bytes.length / 8);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      (async () => {
        await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
        await page.getByRole('menuitem', { name: 'Choose files' }).click();
      })(),
    ]);
    await chooser.setFiles([path]);
    const tray = page.getByRole('region', { name: 'Uploads' });
    await tray.getByText(/^[1-9]\d?%/).waitFor();
    await crash();
    await limit(-1);
    await tray.getByText('Uploaded', { exact: true }).waitFor();
    const [video] = (await sdk.api.GET('/api/videos')).data!.videos;
    const params = { path: { video_id: video!.video_id } };
    const { metadata } = (await sdk.api.GET('/api/video/{video_id}/status', { params })).data!;
    expect(metadata.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));

    await page.goto(`${service.url}/videos/${video!.video_id}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('a person');
    await page.keyboard.press('Enter');
    await page.waitForURL(/analysis=\w{32}/);
    await page.getByRole('progressbar', { name: 'Progress of the question' }).waitFor();
    await crash();
    await page.getByText('Understood as: a person in view.').waitFor();
    await page.getByRole('progressbar', { name: 'Progress of the question' }).waitFor({ state: 'detached' });
    const analysisId = new URL(page.url()).searchParams.get('analysis')!;
    const { analysis } = await sdk.document(video!.video_id, analysisId);
    expect(analysis.events.length).toBeGreaterThan(0);
    await page.getByRole('tab', { name: /Events/ }).click();
    await page.getByRole('heading', { name: new RegExp(`^${analysis.events.length} event`) }).waitFor();
  });
});

/** Sends a third of a model, then nothing; later a wrong file. */
async function startPublisher(): Promise<{ url: string; sendWrongFile: () => void; stop: () => void }> {
  const stall: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-length': MODEL_BYTES }).write(Buffer.alloc(1_048_576));
  let listener = stall;
  const server: Server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendWrongFile: () => {
      listener = (_, response) => response.end(Buffer.alloc(MODEL_BYTES));
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
