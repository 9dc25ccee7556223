import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { unobserved } from '../../server/test/shared-observations.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;

describe.runIf(program && hasFootage)('a question about a video', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;
  let videoId: string;

  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service);
    browser.page.setDefaultTimeout(TIMEOUT_MS);
    // With shared observations, there would be no progress to show.
    const clip = unobserved(await readFile(footage('road/camvid_0016E5_cyclists_15fps.mp4')));
    const folder = await browser.sdk.api.POST('/api/folders', { body: { name: 'Rides', scope: 'user' } });
    const options = { name: 'cyclists.mp4', folderId: folder.data!.id };
    videoId = (await browser.sdk.upload(new File([clip], options.name), options)).video_id;
    await browser.sdk.ready(videoId);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  /** Presses Tab until `done`; fails if the whole page was passed. */
  async function tabTo(done: string) {
    for (let presses = 0; presses < 200; presses++) {
      await browser.page.keyboard.press('Tab');
      if (await browser.page.locator(`${done}:focus`).count()) return;
    }
    throw new Error(`No ${done} can be reached with the Tab key.`);
  }

  test('shows while typing how it is understood, and what cannot be searched for', async () => {
    const { page } = browser;
    await page.goto(`/videos/${videoId}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('a red car, a cycist, a unicorn');
    const reading = page.getByRole('list', { name: 'How the question is understood' });
    await reading.getByText('“cycist” is read as cyclist').waitFor();
    await reading.getByText('this is not a known object, action, signal or sound').waitFor();
    await expect.poll(() => reading.getByText('will be searched for').count()).toBeGreaterThan(1);
    await page.getByText(/about \d+ s · free/).waitFor();
    await reading.getByRole('button', { name: 'What can be searched for?' }).click();
    await page.getByText('A vision-language model answers everything else.').waitFor();
    await page.keyboard.press('Escape');
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Whole folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask about the folder Rides' });
    await dialog.getByText('1 of 1 video', { exact: true }).waitFor();
    await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('a red car, a cycist, a unicorn');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(browser.problems()).toEqual([]);
  });

  test('works by keyboard, survives a reload, and ends with evidence that seeks the video', async () => {
    const { page } = browser;
    await page.goto(`/videos/${videoId}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).waitFor();
    await tabTo('textarea');
    await page.keyboard.type('a person');
    await page.keyboard.press('Enter');
    await page.waitForURL(/analysis=\w{32}/);
    const progress = page.getByRole('progressbar', { name: 'Progress of the question' });
    await progress.waitFor();
    const address = page.url();
    await page.reload();
    await progress.waitFor();
    expect(page.url()).toBe(address);

    await page.getByText('Understood as: a person in view.').waitFor();
    const picture = page.getByRole('list', { name: 'Events' }).locator('article img').first();
    await expect
      .poll(() => picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth), {
        timeout: TIMEOUT_MS,
      })
      .toBeGreaterThan(100);
    await tabTo('article h3 button');
    await page.keyboard.press('Enter');
    await page.waitForURL(/event=/);
    await page.locator('article[aria-current=true]').first().waitFor();
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });

  test('shows what is found while the video is processed, as preliminary until the answer', async () => {
    const { page, sdk } = browser;
    const clip = unobserved(await readFile(footage('road/udacity_solidWhiteRight.mp4')));
    const { video_id: roadId } = await sdk.upload(new File([clip], 'road.mp4'), { name: 'road.mp4' });
    await sdk.ready(roadId);
    await page.goto(`/videos/${roadId}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('a car');
    await page.keyboard.press('Enter');
    const events = page.getByRole('list', { name: 'Events' });
    const marks = events.getByText('preliminary', { exact: true });
    const onTimeline = page.getByRole('listbox', { name: 'Events on the timeline' });
    await Promise.all([
      marks.first().waitFor(),
      page.getByText(/^Seen until 0:0\d\.\d of 0:08\.8\./).waitFor(),
      onTimeline
        .getByText(/, preliminary$/)
        .first()
        .waitFor({ state: 'attached' }),
    ]);
    await page
      .getByRole('list', { name: 'Answer' })
      .or(page.getByText(/\d events? for/))
      .first()
      .waitFor();
    await expect.poll(() => marks.count()).toBe(0);
    await expect.poll(() => events.locator('article img').count()).toBeGreaterThan(0);
    expect(await onTimeline.getByText(/, preliminary$/).count()).toBe(0);
    expect(browser.problems()).toEqual([]);
  });

  test('is answered from what is stored the second time, and is listed', async () => {
    const { page } = browser;
    await page.goto(`/videos/${videoId}?tab=ask`);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('a car');
    await page.getByText('answers from what is stored · free').waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for “a car”' }).first().waitFor();
    await page.getByText('Understood as: a car in view.').waitFor();
    await page.getByRole('button', { name: 'Save question' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).waitFor();
    await expect.poll(() => dialog.getByLabel('What to look for').inputValue()).toBe('a car');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: /Events/ }).click();
    await page.locator('article').first().waitFor();
    await browser.checkAccessibility();
    await page.getByRole('tab', { name: /Coverage/ }).click();
    await page.getByRole('heading', { name: 'Ranges that were not seen in full' }).waitFor();
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });

  test('about several objects is answered by a list, and the next question replaces it', async () => {
    const { page } = browser;
    await page.goto(`/videos/${videoId}?tab=ask`);
    const question = page.getByRole('textbox', { name: 'Question about the video' });
    await question.fill('a person, a boat, a unicorn');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('list', { name: 'Answer' }).getByRole('listitem');
    await answer.filter({ hasText: /person\d+ events?$/ }).waitFor();
    await answer.filter({ hasText: /boatnothing$/ }).waitFor();
    await answer.filter({ hasText: /unicorn.*not searched for$/ }).waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'How the question is understood' }).count()).toBe(0);
    await page.keyboard.type('a car');
    await expect.poll(() => question.inputValue()).toBe('a car');
    expect(browser.problems()).toEqual([]);
  });

  test('is explained in the language of the page; words of the question stay as they are', async () => {
    const { page } = browser;
    await page.goto(`/videos/${videoId}?tab=ask`);
    await page.evaluate(`localStorage.setItem('sightline.locale', 'de')`);
    await page.reload();
    await page
      .getByRole('textbox', { name: 'Frage zum Video' })
      .fill('a red car crosses from left to right, a person near a bus, the camera pans left, silence');
    const reading = page.getByRole('list', { name: 'So wird die Frage verstanden' });
    for (const chip of ['rot', 'kreuzt', 'nach rechts', 'nahe „bus“', 'Kamera schwenkt', 'nach links', 'Stille'])
      await reading.getByText(chip, { exact: true }).first().waitFor();
    await page.evaluate(`localStorage.removeItem('sightline.locale')`);
    expect(browser.problems()).toEqual([]);
  });

  test('is repeated in the mode and with the confidence of the first time', async () => {
    const { page, sdk } = browser;
    await Array.fromAsync(sdk.ask({ query: 'a person walks', videoIds: [videoId], fast: true, minConfidence: 0.3 }));
    await page.goto(`/videos/${videoId}?tab=ask`);
    const actions = page.getByRole('button', { name: 'Actions for “a person walks”' });
    await actions.first().click();
    await page.getByRole('menuitem', { name: 'Ask again' }).click();
    await actions.nth(1).waitFor();
    await page.getByRole('combobox', { name: 'Mode' }).filter({ hasText: 'Fast' }).waitFor();
    const params = { path: { video_id: videoId }, query: { limit: 2 } };
    const { data } = await sdk.api.GET('/api/videos/{video_id}/analyses', { params });
    expect(data!.analyses).toMatchObject(Array(2).fill({ query: 'a person walks', mode: 'fast', min_confidence: 0.3 }));
    expect(browser.problems()).toEqual([]);
  });

  test('is deleted from the list of questions', async () => {
    const { page } = browser;
    await page.goto(`/videos/${videoId}?tab=ask`);
    const actions = page.getByRole('button', { name: 'Actions for “a car”' });
    await actions.first().waitFor();
    const before = await actions.count();
    await actions.first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor();
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Delete question' }).click();
    await actions.nth(before - 1).waitFor({ state: 'detached' });
    expect(browser.problems()).toEqual([]);
  });

  test('that was canceled shows it, and is repeated with one press', async () => {
    const { page, sdk } = browser;
    const { batch_id } = await sdk.start({ query: 'a dog', videoIds: Array(300).fill(videoId) });
    const params = { path: { batch_id } };
    await sdk.api.POST('/api/batch/{batch_id}/cancel', { params });
    const { videos } = (await sdk.api.GET('/api/batch/{batch_id}/status', { params })).data!;
    const canceled = videos.findLast(({ status }) => status === 'failed')!;
    await page.goto(`/videos/${videoId}?tab=ask&analysis=${canceled.analysis_id}`);
    await page.getByText('The analysis was canceled with its batch.').waitFor();
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('Understood as: a dog in view.').waitFor();
    expect(browser.problems()).toEqual([]);
  });
});
