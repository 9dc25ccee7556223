// A changed prompt beside the reviewed one, before it is saved, from the scores and from a saved question.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { DARK } from '../harness/answers.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
/** Finds cuts, which the reviewed prompt does not ask for. */
const CHANGED = `${DARK}, there is a cut`;

describe.runIf(program)('comparisons', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let videoId: string;

  beforeAll(async () => {
    browser = await openConsole(await shareService());
    browser.page.setDefaultTimeout(TIMEOUT_MS);
    const { sdk } = browser;
    const file = new File([await readFile(await sceneClip())], 'scene.mp4');
    videoId = (await sdk.upload(file, { name: 'scene.mp4' })).video_id;
    await sdk.ready(videoId);
    await Array.fromAsync(sdk.ask({ query: DARK, videoIds: [videoId] }));
    const [event] = await Array.fromAsync(sdk.events({ video_id: videoId }));
    await sdk.review([event!.event_id], { approval: 'approved' });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  test('one is started beside the scores, shows both sides, and its undecided events are judged on the page', async () => {
    const { page, sdk } = browser;
    await page.goto('/review?show=approved');
    await page.getByRole('button', { name: 'Compare a change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare a change' });
    const prompt = dialog.getByLabel('Changed prompt');
    await expect.poll(() => prompt.inputValue()).toBe(DARK);
    await prompt.fill(CHANGED);
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/\/comparisons\/[0-9a-f]+$/);
    await page.getByText('1 reviewed video compared').waitFor();
    const figures = page.getByRole('table', { name: 'Figures' });
    const row = (name: string) => figures.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await row('Precision').getByText('1.00').first().waitFor();
    const batchId = new URL(page.url()).pathname.split('/').at(-1)!;
    const { candidate, appeared, disappeared } = await sdk.comparison(batchId);
    expect(disappeared).toBe(0);
    expect(appeared).toBeGreaterThan(0);
    expect(candidate).toMatchObject({ right: 1, wrong: 0, undecided: appeared, missed: 0 });
    await browser.checkAccessibility();

    const tiles = page.getByRole('region', { name: 'Differences' }).getByRole('article');
    await expect.poll(() => tiles.count()).toBe(appeared);
    await tiles.first().getByRole('button', { name: 'Reject' }).click();
    await row('Wrong').getByRole('cell').nth(1).getByText('1', { exact: true }).waitFor();
    await expect.poll(async () => (await sdk.comparison(batchId)).candidate.precision!.value).toBe(0.5);
    await page.getByRole('button', { name: 'Disappeared' }).click();
    await page.getByRole('heading', { name: 'No events' }).waitFor();
    await page.goBack();
    expect(browser.problems()).toEqual([]);
  });

  test('a saved question is tried on reviewed videos, and takes the changed prompt over', async () => {
    const { page, sdk } = browser;
    const { saved_question_id } = await sdk.saveQuestion({ name: 'Dusk', query: DARK });
    await page.goto('/saved-questions');
    await page.getByRole('button', { name: 'More for Dusk' }).click();
    await page.getByRole('menuitem', { name: 'Try a change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare a change' });
    await dialog.getByLabel('Changed prompt').fill(CHANGED);
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(/\/comparisons\/[0-9a-f]+\?question=/);
    await page.getByText('1 reviewed video compared').waitFor();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await browser.checkAccessibility();
    await page.getByRole('article').first().getByRole('link').click();
    await page.waitForURL(new RegExp(`/videos/${videoId}\\?`));
    await page.goBack();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByRole('button', { name: 'Change the saved question' }).click();
    await page.waitForURL(/\/saved-questions\?question=/);
    expect((await sdk.savedQuestions()).find((each) => each.saved_question_id === saved_question_id)).toMatchObject({
      query: CHANGED,
    });
    expect(browser.problems()).toEqual([]);
  });

  test('without reviewed answers, the reason is in the dialog', async () => {
    const other = await openConsole(await shareService(), { expected: [/status of 409 .*comparisons/] });
    try {
      await other.sdk.saveQuestion({ name: 'Nothing yet', query: DARK });
      await other.page.goto('/saved-questions');
      await other.page.getByRole('button', { name: 'More for Nothing yet' }).click();
      await other.page.getByRole('menuitem', { name: 'Try a change' }).click();
      await other.page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click();
      await other.page.getByText(/No video that you may read has a reviewed answer/).waitFor();
    } finally {
      await other.close();
    }
  });
});
