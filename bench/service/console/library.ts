import type { Page } from 'playwright-core';
import type { BenchmarkBrowser } from '../../lib/browser.ts';
import { median } from '../../lib/measure.ts';
import type { BenchmarkRow } from '../../run.ts';

const LOADS = 7;
const PAINT_BAR = { max: 1_000 };
const INTERACTION_BAR = { max: 100 };
const FIRST_CARD = '[role=gridcell][data-index] >> nth=0';

/** Collects the duration of each interaction until its next paint, in milliseconds; at least 16 are reported. */
const COLLECT_INTERACTIONS = `
  globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries())
      if (interactionId) interactions.set(interactionId, { name: name + ' on ' + (target?.closest('[aria-label]')?.ariaLabel ?? target?.nodeName), ms: Math.max(duration, interactions.get(interactionId)?.ms ?? 0) });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

/** Time of the first contentful paint, in milliseconds. It is reported some time after its frame was shown. */
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/** First paint of the library with an empty cache, and the time that interactions take until the page shows them. */
export async function libraryRows(browser: BenchmarkBrowser): Promise<BenchmarkRow[]> {
  const paints: number[] = [];
  const lists: number[] = [];
  for (let load = 0; load <= LOADS; load++) {
    const page = await browser.openPage();
    await page.goto('/');
    await page.locator(FIRST_CARD).waitFor();
    const list = await page.evaluate<number>('performance.now()');
    const paint = await page.evaluate<number>(FIRST_PAINT);
    await page.context().close();
    // The first load builds the console.
    if (load === 0) continue;
    paints.push(paint);
    lists.push(list);
  }
  const page = await browser.openPage(COLLECT_INTERACTIONS);
  const interactions = await interact(page);
  const slowest = interactions.at(-1)!;
  return [
    {
      name: 'library of 1,000,000 videos, first contentful paint, worst',
      value: Math.max(...paints),
      unit: 'ms',
      bar: PAINT_BAR,
      note: `median ${median(paints).toFixed(0)} ms of ${LOADS}, empty cache`,
    },
    { name: 'the same until its first videos are shown, median', value: median(lists), unit: 'ms' },
    {
      name: 'interaction until the next paint, worst',
      value: slowest.ms,
      unit: 'ms',
      bar: INTERACTION_BAR,
      note: `${slowest.name}; median of ${interactions.length}: ${median(interactions.map(({ ms }) => ms)).toFixed(0)} ms`,
    },
  ];
}

type Interaction = { name: string; ms: number };

/** Uses the library with keyboard and mouse. Returns its interactions, fastest first. */
async function interact(page: Page): Promise<Interaction[]> {
  const shown = () => page.locator(FIRST_CARD).waitFor();
  await page.goto('/');
  await shown();
  await page.locator(FIRST_CARD).focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press(i % 4 === 3 ? 'ArrowRight' : 'ArrowDown');
  await page.keyboard.press('Space');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Filter by name' }).click();
  for (const letter of 'a1f') await page.keyboard.press(letter);
  await shown();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Backspace');
  await shown();
  for (const view of ['Table', 'Grid']) await page.getByRole('button', { name: view, exact: true }).click();
  for (const scope of ['Mine', 'Team', 'All']) {
    await page.getByRole('button', { name: scope, exact: true }).click();
    await shown();
  }
  await page.getByRole('button', { name: /^Folder:/ }).click();
  await page.getByRole('searchbox', { name: 'Filter folders' }).click();
  for (const letter of 'a1') await page.keyboard.press(letter);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Uploaded from').waitFor();
  await page.keyboard.press('Escape');
  for (let i = 0; i < 6; i++) {
    await page.mouse.wheel(0, 1_500);
    await shown();
    await page.keyboard.press('PageDown');
  }
  const entries = await page.evaluate<Interaction[]>('[...interactions.values()]');
  return entries.toSorted((a, b) => a.ms - b.ms);
}
