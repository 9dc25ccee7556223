import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 300_000;
const CLIPS = ['road/kitti_seq1_10fps.mp4', 'road/udacity_solidWhiteRight.mp4'];
const widthOf = (picture: Locator) =>
  picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);
const plural = (count: number) => (count === 1 ? '1 incident' : `${count} incidents`);

describe.runIf(program && hasFootage)('search', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;
  /** The first video is in the folder "Kitti drives", the second in none. */
  let videoIds: string[];
  let folderId: string;

  const count = async (query: Parameters<typeof browser.sdk.events>[0]) => {
    let events = 0;
    for await (const _ of browser.sdk.events(query)) events++;
    return events;
  };

  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service);
    const { api } = browser.sdk;
    folderId = (await api.POST('/api/folders', { body: { name: 'Kitti drives', scope: 'user' } })).data!.id;
    videoIds = [];
    for (const [index, clip] of CLIPS.entries()) {
      const file = new File([await readFile(footage(clip))], basename(clip));
      const options = { name: file.name, ...(index === 0 ? { folderId } : {}) };
      videoIds.push((await browser.sdk.upload(file, options)).video_id);
    }
    for (const videoId of videoIds) await browser.sdk.ready(videoId);
    for await (const event of browser.sdk.ask({ query: 'a car', videoIds })) if (event.kind === 'error') throw event;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  test('an empty search says what it is for', async () => {
    const newcomer = await openConsole(service);
    try {
      const { page } = newcomer;
      await page.goto('/search');
      await page.getByRole('heading', { name: 'Search everything that was found' }).waitFor();
      await newcomer.checkAccessibility();
      expect(newcomer.problems()).toEqual([]);
    } finally {
      await newcomer.close();
    }
  });

  test('it shows all events as evidence, in folders and outside, and the library their number', async () => {
    const { page } = browser;
    const [all, first] = [await count({}), await count({ video_id: videoIds[0] })];
    expect([first > 0, all > first]).toEqual([true, true]);

    await page.goto('/search');
    await page.getByRole('heading', { name: plural(all), exact: true }).waitFor();
    const picture = page.getByRole('list', { name: 'Events' }).locator('img').first();
    await expect.poll(() => widthOf(picture), { timeout: TIMEOUT_MS }).toBeGreaterThan(100);
    await browser.checkAccessibility();

    await page.goto('/');
    for (const [clip, events] of [first, all - first].entries()) {
      const card = page.getByRole('gridcell').filter({ hasText: basename(CLIPS[clip]!) });
      await card.getByText(plural(events), { exact: true }).waitFor();
    }
    expect(browser.problems()).toEqual([]);
  });

  test('words and filters are part of the address, and each is removed by its chip', async () => {
    const { page } = browser;
    await page.goto('/search');
    const words = page.getByRole('searchbox', { name: 'Words to search for' });
    await words.fill('kitti');
    await words.press('Enter');
    await page.waitForURL(/q=kitti/);
    const names = page.getByRole('list', { name: 'Videos and folders' });
    await names.getByRole('link', { name: 'Kitti drives' }).waitFor();
    await names.getByRole('link', { name: 'kitti_seq1_10fps.mp4' }).waitFor();
    await page.getByRole('heading', { name: 'No event matches' }).waitFor();
    // The same words can be a new question.
    await page.getByRole('button', { name: 'Ask all videos' }).click();
    const box = page.getByRole('dialog').getByRole('textbox', { name: 'Question about the video' });
    await expect.poll(() => box.inputValue()).toBe('kitti');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    // Without Enter, after a pause of typing.
    await words.fill('udacity');
    await names.getByRole('link', { name: 'udacity_solidWhiteRight.mp4' }).waitFor();

    await words.fill('cars');
    await words.press('Enter');
    const [all, inFolder] = [await count({ q: 'cars' }), await count({ q: 'cars', folder_id: folderId })];
    await page.getByRole('heading', { name: plural(all), exact: true }).waitFor();
    await page.getByRole('region', { name: 'Folder' }).getByRole('button', { name: 'Kitti drives' }).click();
    await page.waitForURL(new RegExp(`folder=${folderId}`));
    await page.getByRole('heading', { name: plural(inFolder), exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: plural(inFolder), exact: true }).waitFor();
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Remove the filter Kitti drives' }).click();
    await page.getByRole('heading', { name: plural(all), exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.has('folder')).toBe(false);
    expect(browser.problems()).toEqual([]);
  });

  test('events are filtered by when their video was recorded', async () => {
    const { page, sdk } = browser;
    const [first, second] = await Promise.all(videoIds.map((video_id) => count({ video_id })));
    const record = (at: number, recorded_at: string) =>
      sdk.api.PATCH('/api/video/{video_id}', {
        params: { path: { video_id: videoIds[at]! } },
        body: { recorded_at, time_zone: 'Europe/Berlin' },
      });
    // A Thursday night and a Saturday noon.
    await record(0, '2026-11-26T21:30:00Z');
    await record(1, '2026-11-28T11:00:00Z');
    const found = (events: number) => page.getByRole('heading', { name: plural(events), exact: true }).waitFor();
    await page.goto('/search');
    await found(first! + second!);
    await page.getByLabel('Time of day from').fill('22:00');
    await page.getByLabel('Time of day until').fill('06:00');
    await found(first!);
    await page.getByRole('button', { name: 'Remove the filter Recorded 22:00–06:00' }).click();
    await found(first! + second!);
    expect(await page.getByLabel('Time of day until').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Sat', exact: true }).click();
    await found(second!);
    await page.getByRole('button', { name: 'Sat', exact: true }).click();
    await page.getByLabel('Recorded until').fill('2026-11-27');
    await page.waitForURL(/recorded_before=2026-11-27/);
    await found(first!);
    expect(browser.problems()).toEqual([]);
  });

  test('words that are spoken are found in events and on their own, and open the video at their time', async () => {
    const { page, sdk } = browser;
    const subtitles = 'WEBVTT\n\n00:00.500 --> 00:02.000\nThe zebra crossing is ahead.\n';
    await sdk.putSubtitles(videoIds[0]!, new Blob([subtitles]), { filename: 'drive.vtt' });
    await sdk.observe({ observers: ['subtitles'], video_ids: [videoIds[0]!] });
    await page.goto('/search?q=zebra');
    const spoken = page.getByRole('list', { name: 'Spoken and written words' }).getByRole('link');
    await spoken.waitFor();
    await expect.poll(() => spoken.textContent()).toContain('The zebra crossing is ahead.');
    await page.getByRole('heading', { name: plural(await count({ q: 'zebra' })), exact: true }).waitFor();
    const tile = page.getByRole('list', { name: 'Events' }).getByRole('article').first();
    await tile.getByText('Spoken at 0:00.5: “The zebra crossing is ahead.”').waitFor();
    await browser.checkAccessibility();
    await spoken.click();
    await page.waitForURL(new RegExp(`/videos/${videoIds[0]}\\?.*t=0.5`));
    expect(browser.problems()).toEqual([]);
  });

  test('by keyboard alone, a search leads to the moment in its video', async () => {
    const { page } = browser;
    await page.goto('/search');
    await page.getByRole('list', { name: 'Events' }).waitFor();
    await page.getByRole('searchbox', { name: 'Words to search for' }).focus();
    await page.keyboard.type('car');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=car/);
    const label = page.getByRole('region', { name: 'Label' }).getByRole('button').first();
    await label.waitFor();
    const focused = (element: Locator) => element.evaluate((node) => node === node.ownerDocument.activeElement);
    const tabTo = async (element: Locator) => {
      for (let presses = 0; !(await focused(element)); presses++) {
        expect(presses).toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo(label);
    await page.keyboard.press('Enter');
    await page.waitForURL(/label=/);
    const result = page.getByRole('list', { name: 'Events' }).getByRole('link').first();
    await result.waitFor();
    await tabTo(result);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/videos\/\w{32}\?.*event=\w{32}-\d+/);
    const { pathname, searchParams } = new URL(page.url());
    expect(videoIds).toContain(pathname.split('/').at(-1));
    expect(Number(searchParams.get('t'))).toBeGreaterThanOrEqual(0);
    await page.getByRole('tab', { name: /Events/, selected: true }).waitFor();
    expect(browser.problems()).toEqual([]);
  });

  test('the palette leads to events, videos, folders, pages and settings', async () => {
    const { page } = browser;
    const option = (name: string | RegExp) => page.getByRole('option', { name });
    const open = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill(text);
    };
    await page.goto('/imports');
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor();
    await open('kitti');
    await option('Kitti drives').waitFor();
    await option('kitti_seq1_10fps.mp4').waitFor();
    await browser.checkAccessibility();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=kitti/);
    await open('kitti');
    await option('kitti_seq1_10fps.mp4').click();
    await page.waitForURL(new RegExp(`/videos/${videoIds[0]}`));
    await open('Kitti');
    await option('Kitti drives').click();
    await page.waitForURL(new RegExp(`folder=${folderId}`));
    await open('members');
    await option(/^Members/).click();
    await page.waitForURL(/\/settings\/members/);
    expect(browser.problems()).toEqual([]);
  });

  test('the palette offers to upload, to ask, to invite, and all settings by their names', async () => {
    const { page } = browser;
    await page.goto('/imports');
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    const names = async () => (await options.allInnerTexts()).map((text) => text.split('\n')[0]);
    await expect.poll(names).toEqual(expect.arrayContaining(['Upload videos', 'Ask all videos', 'Invite someone']));
    const sections = page.locator('[role=option]', { hasText: /Settings$/ });
    expect((await sections.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Profile',
      'General',
      'Members',
      'API keys',
      'Integrations',
      'Webhooks',
      'Audit log',
      'Usage and limits',
      'System',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const [words, name, path] of [
      ['password', 'Password', '/settings/profile'],
      ['two-factor', 'Two-factor sign-in', '/settings/profile'],
      ['queues', 'Queues', '/settings/system'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill(words);
      await options.filter({ hasText: new RegExp(`^${name}`) }).click();
      await page.waitForURL(`**${path}`);
    }
    expect(browser.problems()).toEqual([]);
  });

  test('the palette opens and closes by the same keys, also from a field and from a dialog', async () => {
    const { page } = browser;
    await page.goto('/imports');
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor();
    const palette = page.getByRole('combobox', { name: 'Search and commands' });
    const toggle = async (state: 'visible' | 'detached', keys = 'Control+k') => {
      await page.keyboard.press(keys);
      await palette.waitFor({ state });
    };
    await toggle('visible');
    await page.keyboard.type('memb');
    await toggle('detached');
    await toggle('visible', 'Meta+k');
    expect(await palette.inputValue()).toBe('');
    // Those of the browser.
    await page.keyboard.press('Control+Shift+k');
    await page.keyboard.press('Control+Alt+k');
    await palette.press('a');
    expect(await palette.inputValue()).toBe('a');
    await toggle('detached');

    await page.goto('/?q=abc');
    const field = page.getByRole('searchbox').first();
    await field.focus();
    await toggle('visible');
    await toggle('detached');
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);

    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const name = page.getByRole('dialog').getByRole('textbox').first();
    await name.fill('kept');
    await toggle('visible');
    await page.keyboard.type('abc');
    expect(await palette.inputValue()).toBe('abc');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('kept');
    await expect.poll(() => name.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(browser.problems()).toEqual([]);
  });

  test('what is typed while the palette loads is not lost', async () => {
    const { page } = browser;
    const { promise: isTyped, resolve } = Promise.withResolvers<void>();
    await page.route(/palette-dialog/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.goto('/imports');
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor();
    const requested = page.waitForRequest(/palette-dialog/);
    await page.keyboard.press('Control+k');
    await requested;
    await page.keyboard.type('members');
    resolve();
    await page.getByRole('option', { name: /^Members/ }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Search and commands' }).inputValue()).toBe('members');
    await page.keyboard.press('Escape');
    await page.unroute(/palette-dialog/);
  });

  test('the events of a search are exported, and the files are listed', async () => {
    const { page } = browser;
    await page.goto(`/search?q=cars&folder=${folderId}`);
    const events = await count({ q: 'cars', folder_id: folderId });
    const download = async (format: 'CSV' | 'JSON') => {
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export events' });
      await dialog.getByRole('radio', { name: `${format} For` }).check();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(new RegExp(`^events-.*\\.${format.toLowerCase()}$`));
      await dialog.waitFor({ state: 'detached' });
      return readFile(await file.path(), 'utf8');
    };
    const exported = JSON.parse(await download('JSON')).events as { video_id: string; url: string }[];
    expect(exported).toHaveLength(events);
    expect(new Set(exported.map((event) => event.video_id))).toEqual(new Set([videoIds[0]]));
    expect((await download('CSV')).trimEnd().split('\r\n')).toHaveLength(events + 1);
    await page.goto(exported[0]!.url);
    await page.locator('article[aria-current=true]').first().waitFor();

    await page.goto('/exports');
    const rows = page.getByRole('region', { name: 'Exports' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(3);
    await browser.checkAccessibility();
    await rows.last().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(browser.problems()).toEqual([]);
  });

  test('on a phone, the filters open above the results', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/search?confidence=0.6&sort=confidence');
    await page.getByRole('list', { name: 'Events' }).waitFor();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await expect.poll(() => verdict.count()).toBe(0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await verdict.waitFor();
    // No rule for danger found these events: the severities that the engine gives them are not shown.
    expect(await page.getByRole('region', { name: 'Severity' }).count()).toBe(0);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });
});
