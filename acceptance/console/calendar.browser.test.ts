import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

/** Cameras whose clocks are wrong, in two time zones and over a change to summer time, in the console. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
const DAY_MS = 86_400_000;
/** Videos of a month of the camera at the gate, whose clock is 45 s fast: every third day at about 8 in the morning. */
const DAYS = Array.from({ length: 10 }, (_, n) => new Date(Date.UTC(2026, 2, 3) + 3 * n * DAY_MS).toISOString());
const nameOf = (day: string) => `${day.slice(0, 10).replaceAll('-', '')}_080040.mp4`;

describe.runIf(program)('the calendar', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let page: Page;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    browser = await openConsole(await shareService());
    page = browser.page;
    const { sdk } = browser;
    const clip = new Blob([await readFile(await sceneClip())]);
    for (const [folder, names] of [
      ['Gate', [...DAYS.map(nameOf), 'gate.mp4']],
      ['Dock', ['20260327_075955.mp4']],
    ] as const) {
      const { data } = await sdk.api.POST('/api/folders', { body: { name: folder, scope: 'org' } });
      for (const name of names) ids[name] = (await sdk.upload(clip, { name, folderId: data!.id })).video_id;
    }
    await Promise.all(Object.values(ids).map((id) => sdk.ready(id)));
  }, TIMEOUT_MS);
  afterAll(() => browser?.close());

  const recordedAt = async (name: string) => {
    const params = { path: { video_id: ids[name]! } };
    return (await browser.sdk.api.GET('/api/video/{video_id}/status', { params })).data!;
  };
  const openClocks = async (folder: string) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Folder: All folders' }).click();
    await page.getByRole('button', { name: `Clocks of ${folder}`, exact: true }).click();
    return page.getByRole('dialog', { name: `Clocks of the folder “${folder}”` });
  };

  test('the clocks of a folder are set, and its new videos start with them', async () => {
    const dialog = await openClocks('Gate');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await dialog.getByRole('spinbutton', { name: 'Add seconds' }).fill('-45');
    await dialog.getByRole('checkbox', { name: 'New videos of the folder start with these settings' }).click();
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('11 clocks set').waitFor();
    // Before and after the change to summer time on 29 March.
    expect([
      (await recordedAt(nameOf(DAYS[8]!))).recorded_at,
      (await recordedAt(nameOf(DAYS[9]!))).recorded_at,
    ]).toEqual(['2026-03-27T06:59:55.000Z', '2026-03-30T05:59:55.000Z']);
    // The dialog shows the rule, and the next one of the folder is read by it.
    const again = await openClocks('Gate');
    await expect.poll(() => again.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin');
    await page.keyboard.press('Escape');
    expect(browser.problems()).toEqual([]);
  });

  test('a rule reads dates in paths', async () => {
    const dialog = await openClocks('Dock');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('America/New_York');
    await dialog.getByRole('textbox', { name: 'Dates in paths' }).fill('{yyyy}{mm}{dd}_{HH}{MM}{SS}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 clock set').waitFor();
    expect(await recordedAt('20260327_075955.mp4')).toMatchObject({
      recorded_at: '2026-03-27T11:59:55.000Z',
      clock: { source: 'rule' },
    });
    expect(browser.problems()).toEqual([]);
  });

  test('a clock that drifts is corrected by two comparisons, and by two times of one video', async () => {
    const name = nameOf(DAYS[0]!);
    await page.goto('/');
    await page.getByRole('gridcell').filter({ hasText: name }).getByRole('checkbox').click();
    await page.getByRole('region', { name: 'Selected videos' }).getByRole('button', { name: 'Clock' }).click();
    const dialog = page.getByRole('dialog', { name: 'Clock of 1 video' });
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await dialog.getByRole('checkbox', { name: 'The clock of the camera drifts' }).click();
    for (const [at, shown, actual] of [
      ['First', '2026-03-01T00:00:00', '2026-03-01T00:00:00'],
      ['Second', '2026-03-31T00:00:00', '2026-03-31T00:01:00'],
    ] as const) {
      const fields = dialog.getByRole('group', { name: `${at} comparison` });
      await fields.getByLabel('The camera showed').fill(shown);
      await fields.getByLabel('Right time').fill(actual);
    }
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 clock set').waitFor();
    // 2.3 of 30 days: 4.7 of 60 s.
    const at = Date.parse((await recordedAt(name)).recorded_at!) - Date.parse('2026-03-03T07:00:40Z');
    expect(at / 1_000).toBeCloseTo(4.7, 0);

    await page.goto(`/videos/${ids[name]}?tab=details`);
    await page.getByRole('button', { name: 'Correct by two known times' }).click();
    for (const [legend, second, local] of [
      ['First known time', '0', '2026-03-03T09:00:00'],
      ['Second known time', '10', '2026-03-03T09:00:20'],
    ] as const) {
      const fields = page.getByRole('group', { name: legend });
      await fields.getByRole('spinbutton', { name: 'Second of the video' }).fill(second);
      await fields.getByLabel('Recorded at').fill(local);
    }
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A second of the video is 2 s.').waitFor();
    // The name of the file contradicts what a person set.
    await page.getByText('The name of the file says', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Use what the file says' }).click();
    await page.getByText('A second of the video is 2 s.').waitFor({ state: 'detached' });
    expect(browser.problems()).toEqual([]);
  });

  test('a question about a day covers the videos of that day, by their own clocks', async () => {
    await page.goto('/');
    // The list has all 12 videos.
    await page.getByRole('button', { name: 'Ask all 12 videos' }).click();
    const dialog = page.getByRole('dialog');
    const box = dialog.getByRole('textbox', { name: 'Question about the video' });
    await box.fill('the picture is dark on 27 March 2026');
    await box.press('Enter');
    await page.waitForURL(/\/questions\//);
    // The day is that of the person, and on it both cameras recorded. The others are counted.
    for (const name of [nameOf(DAYS[8]!), '20260327_075955.mp4']) await page.getByText(name).first().waitFor();
    await page.getByText('9 recorded at another time', { exact: false }).first().waitFor();
    await page.getByText('1 without a known time: gate.mp4', { exact: false }).first().waitFor();
    expect(await page.getByText(nameOf(DAYS[7]!)).count()).toBe(0);
    expect(browser.problems()).toEqual([]);
  });
});
