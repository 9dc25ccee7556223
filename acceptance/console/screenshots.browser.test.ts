import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { MODELS } from '../../server/test/footage.ts';
import { REPOSITORY } from '../harness/command.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

/**
 * The images of the documentation: the console with the sample, which the service draws itself, so that no footage of
 * others is published. `npm run draw-screenshots` writes them; every run takes them again.
 */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 300_000;
const FOLDER = join(REPOSITORY, 'docs/images');
const MAX_BYTES = 250_000;
const QUALITY = 88;
const IMAGES = ['console-video', 'console-ask', 'console-models'];
const QUESTION =
  'a red car enters from the left, a person, a bus, the picture gets dark, the picture freezes, silence, a loud bang, a siren';

/** True if the images of all visible events are drawn. */
const IMAGES_IN_VIEW = `[...document.querySelectorAll('article img')]
  .filter((img) => img.checkVisibility() && img.getBoundingClientRect().top < innerHeight)
  .map((img) => img.complete && img.naturalWidth > 0)`;

/** True if a player shows the frame of its address. */
const VIDEO_DRAWN = `[...document.querySelectorAll('video')]
  .some((video) => video.readyState >= 2 && !video.seeking && video.currentTime > 1)`;

describe.runIf(program && MODELS)('screenshots', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let service: Service;
  let browser: Console;
  let page: Page;

  beforeAll(async () => {
    folder = await makeFolder();
    service = await startService(join(folder.path, 'data'), { env: { SIGHTLINE_MODELS_DOWNLOAD: 'true' } });
    browser = await openConsole(service, { viewport: { width: 1440, height: 900 } });
    page = browser.page;
    page.setDefaultTimeout(120_000);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  /** Takes an image of the page, and writes it to the documentation if that is requested. */
  async function take(name: string, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    await page.mouse.move(0, 0);
    await page.evaluate('document.activeElement?.blur()');
    const bytes = await page.screenshot({ type: 'jpeg', quality: QUALITY, animations: 'disabled' });
    expect(bytes.length).toBeLessThan(MAX_BYTES);
    if (!process.env.SIGHTLINE_DRAW_SCREENSHOTS) return;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, `${name}.jpg`), bytes);
  }

  /** Waits until the images in view are drawn. */
  const imagesDrawn = () =>
    expect
      .poll(() => page.evaluate(IMAGES_IN_VIEW) as Promise<boolean[]>, { timeout: 60_000 })
      .toSatisfy((drawn: boolean[]) => drawn.length > 0 && drawn.every(Boolean));

  /** Waits until the player shows the frame of its address. Polls from here: the page's policy forbids `eval`. */
  const videoDrawn = () =>
    expect.poll(() => page.evaluate(VIDEO_DRAWN) as Promise<boolean>, { timeout: 60_000 }).toBe(true);

  test('show a question about the sample, its events and the models', async () => {
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Street', exact: true }).click();
    const question = page.getByRole('textbox', { name: 'Question about the video' });
    await question.waitFor();
    const address = new URL(page.url());
    address.searchParams.set('t', '2.6');
    await page.goto(address.href);
    await question.fill('a red car enters from the left, a loud bang, a burglar');
    await page.getByRole('list', { name: 'How the question is understood' }).getByText('burglar').first().waitFor();
    await page.getByText(/about \d+ s · free/).waitFor();
    await videoDrawn();
    await take('console-ask', 'light');

    await question.fill(QUESTION);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.waitForURL(/analysis=\w{32}/);
    await page.getByRole('list', { name: 'Events' }).locator('article img').first().waitFor();
    await page.getByRole('progressbar', { name: 'Progress of the question' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: /Events/ }).click();
    await page
      .getByRole('button', { name: /bus comes in/ })
      .first()
      .click();
    await page.waitForURL(/event=/);
    const selected = new URL(page.url());
    selected.searchParams.set('t', '12');
    await page.goto(selected.href);
    await imagesDrawn();
    await videoDrawn();
    await take('console-video', 'dark');

    await page.goto(`${service.url}/settings/system`);
    await page.getByRole('heading', { name: 'Models' }).waitFor();
    await page.getByRole('heading', { name: 'YOLOX-Tiny' }).waitFor();
    await take('console-models', 'light');
  });

  test('are in the documentation, small, and the first image of the README is the console', async () => {
    for (const name of IMAGES) expect((await stat(join(FOLDER, `${name}.jpg`))).size).toBeLessThan(MAX_BYTES);
    const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
    expect(/!\[[^\]]*\]\(([^)]+)\)/.exec(readme)?.[1]).toBe('docs/images/console-video.jpg');
  });
});
