import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { DARK_QUESTIONS } from '../harness/answers.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

/** Five questions on one video, about the same seconds, in which it is dark. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
const NAME = 'five questions in the console.mp4';

describe.runIf(program)('incidents', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let page: Page;
  let videoId: string;

  const list = (per?: 'incident') =>
    Array.fromAsync(browser.sdk.events({ video_id: videoId, ...(per ? { per } : {}) }));
  const incidents = async () => new Map((await list()).map(({ event_id, incident_id }) => [event_id, incident_id]));

  beforeAll(async () => {
    browser = await openConsole(await shareService());
    page = browser.page;
    const clip = new Blob([await readFile(await sceneClip())]);
    videoId = (await browser.sdk.upload(clip, { name: NAME })).video_id;
    await browser.sdk.ready(videoId);
    for (const query of DARK_QUESTIONS) await Array.fromAsync(browser.sdk.ask({ query, videoIds: [videoId] }));
  }, TIMEOUT_MS);
  afterAll(() => browser?.close());

  test('the library counts what happened once, whatever the number of questions', async () => {
    expect(await list()).toHaveLength(5);
    await page.goto(`/?q=${encodeURIComponent(NAME)}`);
    const video = page
      .getByRole('listitem')
      .filter({ hasText: NAME })
      .or(page.getByRole('row', { name: NAME }))
      .first();
    await video.getByText(/\b1 (?:event|incident)\b/).waitFor();
    expect(browser.problems()).toEqual([]);
  });

  test('a person parts an event from the incident, and joins it again', async () => {
    const [event] = await list('incident');
    await page.goto(`/review?event=${event!.event_id}`);
    const others = page.getByRole('region', { name: 'Events at this time' });
    await expect.poll(() => others.getByRole('listitem').count()).toBe(4);
    await browser.checkAccessibility();
    await others
      .getByRole('button', { name: /^Not the same incident/ })
      .first()
      .click();
    await others.getByRole('button', { name: /^The same incident/ }).waitFor();
    expect(new Set((await incidents()).values()).size).toBe(2);
    await others.getByRole('button', { name: /^The same incident/ }).click();
    await expect.poll(async () => new Set((await incidents()).values()).size).toBe(1);
    await others.getByRole('button', { name: /^The same incident/ }).waitFor({ state: 'detached' });
    expect(browser.problems()).toEqual([]);
  });
});
