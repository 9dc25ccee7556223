import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { REPOSITORY } from '../harness/command.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { fillConsole, PROMPT } from '../harness/console-data.ts';
import { BUSY, layoutFaults, RECORD_TEXTS } from '../harness/page-faults.ts';
import { isAt, routesOfPages } from '../harness/page-routes.ts';
import { shareService } from '../harness/shared-service.ts';

/** All pages with data: in both languages and themes, from narrow telephones to 4K. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 300_000;
/** Only for members who have to set up a second factor: `second-factor.browser.test.ts` opens it. */
const ELSEWHERE = ['/second-factor'];
/** The frame is there before the data of a page. */
const FRAME = /\/api\/(auth\/(session|methods)|activity)$/;
/** Widths and heights of telephones, a tablet, a laptop and a 4K screen. */
const SIZES = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1440, 900],
  [3840, 2160],
] as const;
/** Length of the texts of a page; a page without them would have no faults. */
const LEAST_TEXT = 20;
/** Time in which a layout follows the size of the window on a busy machine. */
const SETTLE_MS = 5_000;
const ENGLISH_MARKS = /[“”]/;
/** A number like 0.82, but not a part of a version, of an address or of the name of a file. */
const ENGLISH_DECIMAL = /(?<![\w.-])\d+\.\d{1,2}(?![\w.])/;

/** The router of the console, which it publishes for debugging. */
type Window = { __TSR_ROUTER__: { navigate: (to: { href: string }) => Promise<void> } };

describe.runIf(program)('every page', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let page: Page;
  let paths: string[];

  beforeAll(async () => {
    browser = await openConsole(await shareService(), { expected: [/status of 404/] });
    page = browser.page;
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.addInitScript(RECORD_TEXTS);
    ({ paths } = await fillConsole(browser));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  /**
   * Loads a page by its address, with the responses of the API one after another. Returns what it showed meanwhile
   * that was not true: numbers, empty states and labels that are not there any more when all data is.
   */
  async function load(path: string): Promise<string[]> {
    const held: Route[] = [];
    let isHeld = true;
    const isData = (url: URL) => url.pathname.startsWith('/api/') && !FRAME.test(url.pathname);
    await page.route(isData, (route) => {
      if (isHeld && route.request().resourceType() === 'fetch') held.push(route);
      else return route.continue();
    });
    // "2 minutes ago" stays true while it loads.
    await page.clock.setFixedTime(new Date());
    await page.goto(path);
    await page.locator('h1').first().waitFor();
    // Each response is shown before the next one arrives.
    const isLoaded = async () => {
      await twoFrames();
      const route = held.shift();
      if (!route) return (await countBusy()) === 0;
      await route.continue();
      const response = await route.request().response();
      if (response?.headers()['content-type']?.includes('json')) await response.finished();
      return false;
    };
    await expect.poll(isLoaded, { interval: 20, timeout: TIMEOUT_MS }).toBe(true);
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await page.unrouteAll({ behavior: 'wait' });
    await waitForData();
    // Names that are not known yet are dots.
    return (await page.evaluate<string[]>('withdrawnTexts()')).filter((text) => !text.includes('…'));
  }
  /** Opens a page as links of the console do, in the same document. */
  async function follow(path: string): Promise<void> {
    // The router resolves this when the page is rendered.
    await page.evaluate((href) => (globalThis as unknown as Window).__TSR_ROUTER__.navigate({ href }), path);
    await waitForData();
  }
  async function waitForData(): Promise<void> {
    await page.locator('h1').first().waitFor();
    await expect.poll(countBusy).toBe(0);
    await expect.poll(async () => (await page.locator('main').innerText()).length).toBeGreaterThan(LEAST_TEXT);
  }
  /** The page has followed a change two frames later. */
  const twoFrames = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const countBusy = () => page.locator(BUSY).count();

  test('is one of these', async () => {
    const routes = (await routesOfPages()).filter((route) => !ELSEWHERE.includes(route));
    expect(routes.filter((route) => !paths.some((path) => isAt(route, path)))).toEqual([]);
    const router = await readFile(join(REPOSITORY, 'web/src/router.tsx'), 'utf8');
    // The modules of pages are named in one place.
    expect(router).not.toMatch(/loadPage\(\(\) => import/);
  });

  /** Texts of the open page that cannot be read in one of the sizes of the window, and controls that are covered. */
  async function faultsIn(path: string, sizes: readonly (readonly [number, number])[]): Promise<string[]> {
    const found: string[] = [];
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await twoFrames();
      await expect.poll(countBusy).toBe(0);
      const endMs = Date.now() + SETTLE_MS;
      let texts: string[];
      do {
        await twoFrames();
        texts = [];
        for (const search of layoutFaults('body')) texts.push(...(await page.evaluate<string[]>(search)));
      } while (texts.length > 0 && Date.now() < endMs);
      found.push(...texts.map((text) => `${width} ${path}: ${text}`));
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    return found;
  }

  test('is accessible in both themes, and readable on telephones and in 4K', async () => {
    const found: string[] = [];
    // One document for all: in a new one, the rules of accessibility and the console are compiled again.
    await load('/');
    for (const path of paths) {
      await follow(path);
      await browser.checkAccessibility();
      found.push(...(await faultsIn(path, SIZES)));
    }
    expect(found).toEqual([]);
  });

  test('shows nothing untrue before its data, and is German in German, and readable on a telephone', async () => {
    const english = await englishTexts();
    expect(english.size).toBeGreaterThan(500);
    await load('/');
    await page.evaluate(`localStorage.setItem('sightline.locale', 'de')`);
    onTestFinished(() => page.evaluate(`localStorage.removeItem('sightline.locale')`));
    const found: string[] = [];
    for (const path of paths) {
      for (const text of await load(path)) found.push(`${path}: ${text} (before its data)`);
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
      const texts = (await page.evaluate(SHOWN_TEXTS)) as string[];
      const isWrong = (text: string) =>
        english.has(text) || ENGLISH_MARKS.test(text.replaceAll(/„[^“]*“/g, '')) || ENGLISH_DECIMAL.test(text);
      for (const text of texts.filter((text) => !PROMPT.includes(text)).filter(isWrong)) found.push(`${path}: ${text}`);
      found.push(...(await faultsIn(path, [SIZES[0]])));
    }
    expect(found).toEqual([]);
  });
});

/** Texts and accessible names of the page, without those that are marked as English. */
const SHOWN_TEXTS = `(() => {
  const isShown = (element) => !element.closest('[lang=en]') && element.checkVisibility();
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (isShown(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
  for (const element of document.querySelectorAll('[aria-label]')) if (isShown(element)) texts.push(element.ariaLabel);
  return texts.map((text) => text.trim()).filter(Boolean);
})()`;

/** English texts of the console whose German differs, without those that contain values. */
async function englishTexts(): Promise<Set<string>> {
  const catalog = await readFile(join(REPOSITORY, 'web/src/locales/de.po'), 'utf8');
  const pairs = [...catalog.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)];
  return new Set(pairs.filter(([, id, text]) => id !== text && !id!.includes('{')).map(([, id]) => id!));
}
