import { openAsBlob } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { basename } from 'node:path';
import type { EventSummary } from '@sightline/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const TIMEOUT_MS = 180_000;
const CLIPS = ['road/camvid_0016E5_cyclists_15fps.mp4', 'road/kitti_seq1_10fps.mp4'].map(footage);
const QUESTIONS = ['a person, a cyclist, a car', 'a car passes', 'a person walks', 'a car stops, a person stops'];
/** Events that a person reviews in a minute, without a mouse. */
const EVENTS = 20;
const MINUTE_MS = 60_000;

describe.runIf(inject('programs').chromium && hasFootage)('review', { timeout: TIMEOUT_MS }, () => {
  let view: Console;
  let page: Page;
  let videoIds: string[];

  const list = (query: Parameters<typeof view.sdk.events>[0]) => Array.fromAsync(view.sdk.events(query));
  /** Events to review, one of each incident, in the order of the page. */
  const listQueue = () => list({ to_review: true, per: 'incident', sort: 'confidence' });
  const get = async (event_id: string) =>
    (await view.sdk.api.GET('/api/events/{event_id}', { params: { path: { event_id } } })).data!;
  const currentId = () => new URL(page.url()).searchParams.get('event');
  /** True if the clip of the current event is shown. */
  const isShown = () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('video')].some((v) => v.checkVisibility({ visibilityProperty: true }) && v.readyState >= 2)`,
    );
  const shown = () => expect.poll(isShown, { timeout: 60_000 }).toBe(true);
  const isStored = (id: string, expected: Partial<EventSummary>) => expect.poll(() => get(id)).toMatchObject(expected);

  beforeAll(async () => {
    view = await openConsole(await shareService());
    page = view.page;
  }, TIMEOUT_MS);
  afterAll(() => view?.close());

  test('without events the page says what it is for', async () => {
    await page.goto('/review');
    await page.getByRole('heading', { name: 'Nothing to review' }).waitFor({ timeout: 120_000 });
    await view.checkAccessibility();
  });

  test(`${EVENTS} events are decided in a minute by keyboard, and the service has every verdict`, async () => {
    videoIds = [];
    for (const path of CLIPS) {
      const { video_id } = await view.sdk.upload(await openAsBlob(path), { name: basename(path) });
      await view.sdk.ready(video_id);
      videoIds.push(video_id);
    }
    for (const query of QUESTIONS) await Array.fromAsync(view.sdk.ask({ query, videoIds }));
    const queue = await listQueue();
    expect(queue.length).toBeGreaterThanOrEqual(EVENTS + 4);

    await page.goto('/review');
    await page.getByText(`Event 1 of ${queue.length}`).waitFor();
    await page.getByRole('link', { name: new RegExp(`^Review ?${queue.length}$`) }).waitFor();
    await shown();
    const keys = ['a', 'r1', 'a', 'f', 'a'];
    const verdicts = ['approved', 'rejected', 'approved', 'unsure', 'approved'];
    const started = performance.now();
    for (let n = 0; n < EVENTS; n++) {
      for (const key of keys[n % keys.length]!) await page.keyboard.press(key);
      await page.waitForURL((url) => url.searchParams.get('event') === queue[n + 1]!.event_id);
      await shown();
    }
    const tookMs = performance.now() - started;
    // Beside other test files everything waits for a processor.
    const share = Math.min(1, availableParallelism() / loadavg()[0]!);
    expect(tookMs * share).toBeLessThan(MINUTE_MS);
    for (let n = 0; n < EVENTS; n++) {
      await isStored(queue[n]!.event_id, { approval: verdicts[n % verdicts.length]! });
    }
    expect((await get(queue[1]!.event_id)).review).toMatchObject({ reason: 'wrong thing' });
    const left = (await listQueue()).map(({ event_id }) => event_id);
    expect(queue.slice(0, EVENTS).filter(({ event_id }) => left.includes(event_id))).toEqual([]);
    const inMinute = tookMs < MINUTE_MS / 2 ? String(EVENTS) : '\\d+';
    await page.getByText(new RegExp(`\\b${inMinute} in the last minute`)).waitFor();
    await page.getByRole('region', { name: 'This question so far' }).waitFor();
    await view.checkAccessibility();
    expect(view.problems()).toEqual([]);
  });

  test('an undo shows the event again; label and edges are corrected by keyboard', async () => {
    const reviewed = currentId();
    await page.keyboard.press('a');
    await page.waitForURL((url) => url.searchParams.get('event') !== reviewed);
    await page.keyboard.press('u');
    await page.waitForURL((url) => url.searchParams.get('event') === reviewed);
    const id = reviewed!;
    await isStored(id, { approval: 'pending' });

    await page.keyboard.press('e');
    await page.keyboard.type('a blue van');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'a blue van' }).waitFor();
    await isStored(id, { label: 'a blue van' });
    const before = await get(id);
    await page.keyboard.press('}');
    await expect.poll(async () => (await get(id)).end_s).toBeGreaterThan(before.end_s);
    await page.keyboard.press('k');
    await page.keyboard.press('.');
    await page.keyboard.press('[');
    await expect.poll(async () => (await get(id)).start_s).not.toBe(before.start_s);
    expect((await get(id)).review).toMatchObject({
      original: { label: expect.not.stringContaining('blue'), start_s: before.start_s, end_s: before.end_s },
    });
    expect(view.problems()).toEqual([]);
  });

  test('a missed event is added, and several events are approved together', async () => {
    const id = currentId()!;
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Add a missed event' });
    await dialog.getByRole('textbox', { name: 'Label' }).fill('a dog');
    await view.checkAccessibility();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await list({ added: true })).toMatchObject([{ label: 'a dog', approval: 'approved' }]);
    await page.keyboard.press('x');
    await page.keyboard.press('s');
    await page.waitForURL((url) => url.searchParams.get('event') !== id);
    const second = currentId()!;
    await page.keyboard.press('x');
    await page.getByText('2 events selected').waitFor();
    await page.keyboard.press('Shift+A');
    await isStored(id, { approval: 'approved' });
    await isStored(second, { approval: 'approved' });
    expect(view.problems()).toEqual([]);
  });

  test('filters are part of the address, and a question links to its review', async () => {
    const rejected = await list({ approval: 'rejected' });
    await page.goto('/review?show=rejected');
    await page.getByText(`Event 1 of ${rejected.length}`).waitFor();
    await page.reload();
    await page.getByText(`Event 1 of ${rejected.length}`).waitFor();
    await page.goto(`/questions/${rejected[0]!.batch_id}`);
    await page.getByRole('main').getByRole('link', { name: 'Review' }).click();
    await page.waitForURL((url) => url.searchParams.get('batch') === rejected[0]!.batch_id);
    await page.getByRole('button', { name: 'Remove the filter One question' }).click();
    await page.waitForURL((url) => !url.searchParams.has('batch'));
    expect(view.problems()).toEqual([]);
  });

  test('an event is approved on its card, and a second press withdraws that', async () => {
    const [event] = await list({ to_review: true, video_id: videoIds[0] });
    const { video_id, analysis_id, event_id, label } = event!;
    await page.goto(`/videos/${video_id}?tab=events&analysis=${analysis_id}&event=${event_id}`);
    const card = page.locator('article[aria-current]').filter({ hasText: new RegExp(label, 'i') });
    await card.getByRole('button', { name: 'Approve' }).click();
    await isStored(event_id, { approval: 'approved' });
    await card.getByRole('button', { name: 'Approve', pressed: true }).click();
    await isStored(event_id, { approval: 'pending' });
    expect(view.problems()).toEqual([]);
  });

  test('ranges without events are watched by keyboard, and missed events of a range are added', async () => {
    expect((await view.sdk.drawSamples()).length).toBeGreaterThan(1);
    await page.goto('/review?show=samples');
    await page.getByText(/^Range 1 of \d+$/).waitFor();
    await shown();
    await view.checkAccessibility();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Add a missed event' });
    for (const label of ['a walker', 'another walker']) {
      await dialog.getByRole('textbox', { name: 'Label' }).fill(label);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      if (label === 'a walker') await page.getByRole('button', { name: 'Add another missed event' }).click();
    }
    await page.getByRole('status').filter({ hasText: '2 missed events added' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText(/^Range 2 of \d+$/).waitFor();
    await page.keyboard.press('s');
    await page.getByText(/leaving out ranges/).waitFor();
    await page.keyboard.press('a');
    await page.getByText(/^Range 3 of \d+$|^2 ranges watched$/).waitFor();
    const sampled = async () => {
      const { scores } = (await view.sdk.api.GET('/api/review/scores')).data!;
      const of = (field: 'ranges' | 'missed' | 'events') =>
        scores.reduce((sum, score) => sum + (score.sampled?.[field] ?? 0), 0);
      return [of('ranges'), of('missed'), of('events')];
    };
    await expect.poll(sampled).toEqual([2, 1, 2]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/review?show=samples');
    await page.getByText(/^Range 1 of \d+$|^No range is left to watch$/).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await view.checkAccessibility();
    await page.setViewportSize({ width: 1_440, height: 900 });
    expect(view.problems()).toEqual([]);
  });

  test('on a phone, the clip and the verdict are on one page', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/review');
    await shown();
    const reviewed = currentId() ?? (await listQueue())[0]!.event_id;
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await view.checkAccessibility();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await isStored(reviewed, { approval: 'rejected' });
    expect(view.problems()).toEqual([]);
  });
});
