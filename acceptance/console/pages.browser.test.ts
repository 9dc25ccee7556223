import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { DARK } from '../harness/answers.ts';
import { REPOSITORY } from '../harness/command.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

/** All pages with data: in both languages and themes, from narrow telephones to 4K. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 300_000;
/** Its parts keep their words in all languages. */
const PROMPT = `${DARK}, there is a cut, a siren`;
/** Only for members who have to set up a second factor: `second-factor.browser.test.ts` opens it. */
const ELSEWHERE = ['/second-factor'];
const SECTIONS = ['profile', 'organization', 'members', 'keys', 'integrations', 'webhooks', 'audit', 'usage', 'system'];
const TABS = ['ask', 'events', 'coverage', 'zones', 'captions', 'details'];
/** Widths and heights of telephones, a small laptop and a 4K screen. */
const SIZES = [
  [320, 640],
  [390, 844],
  [1280, 800],
  [3840, 2160],
] as const;
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
    const { sdk } = browser;
    const file = new File([await readFile(await sceneClip())], 'scene.mp4');
    const { video_id } = await sdk.upload(file, { name: 'scene.mp4' });
    await sdk.ready(video_id);
    const { batch_id, stream_id } = await sdk.start({
      query: PROMPT,
      videoIds: [video_id],
    });
    await Array.fromAsync(sdk.follow(stream_id));
    const events = await Array.fromAsync(sdk.events({ video_id }));
    const { event_id, analysis_id } = events[0]!;
    await sdk.review([event_id], { approval: 'approved' });
    await sdk.createZone({ name: 'crossing', video_id, points: ZONE });
    const question = await sdk.saveQuestion({ name: 'Dusk', query: DARK });
    const camera = await sdk.addCamera({ name: 'Gate', source_url: 'rtsp://127.0.0.1:9/x', enabled: false });
    const dataset = await sdk.createDataset({ name: 'Dusk', batch_ids: [batch_id] });
    await sdk.exportEvents({ format: 'csv', batch_id });
    const comparison = await sdk.startComparison({ query: DARK, baseline_query: PROMPT });
    const readComparison = () => sdk.comparison(comparison.batch_id);
    await sdk.settled(readComparison, ({ status }) => status !== 'processing');
    paths = [
      '/',
      '/?view=table',
      '/?trash=true',
      '/search?q=dark',
      '/questions',
      `/questions/${batch_id}`,
      `/questions/${batch_id}?sort=confidence`,
      `/comparisons/${comparison.batch_id}`,
      `/saved-questions?question=${question.saved_question_id}`,
      '/datasets',
      `/datasets/${dataset.id}`,
      '/review',
      `/review?show=samples&query=${encodeURIComponent(PROMPT)}`,
      '/live',
      '/live/wall',
      `/live/cameras?camera=${camera.camera_id}`,
      '/recordings',
      '/imports',
      '/imports/new',
      '/imports/019bb2757200',
      '/exports',
      '/welcome',
      '/nothing',
      ...TABS.map((tab) => `/videos/${video_id}?tab=${tab}&analysis=${analysis_id}`),
      ...SECTIONS.map((section) => `/settings/${section}`),
    ];
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  /** Loads a page by its address and waits until its data is shown. */
  async function load(path: string): Promise<void> {
    await page.goto(path);
    await waitForData();
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
  }
  const countBusy = () => page.locator('.animate-pulse-slow, [aria-busy=true]').count();

  test('is one of these', async () => {
    const source = await readFile(join(REPOSITORY, 'web/src/pages.ts'), 'utf8');
    const routes = [...source.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, route]) => route!);
    expect(routes.length).toBeGreaterThan(15);
    const opened = paths.map((path) => new URL(path, 'http://console').pathname);
    const isOpened = (route: string) =>
      opened.some((path) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path));
    expect(routes.filter((route) => !isOpened(route) && !ELSEWHERE.includes(route))).toEqual([]);
    const router = await readFile(join(REPOSITORY, 'web/src/router.tsx'), 'utf8');
    // The modules of pages are named in one place.
    expect(router).not.toMatch(/loadPage\(\(\) => import/);
  });

  /** Texts of the open page that are cut off in one of the sizes of the window. */
  async function cutTexts(path: string, sizes: readonly (readonly [number, number])[]): Promise<string[]> {
    const cut: string[] = [];
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      // The page has followed two frames later.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await expect.poll(countBusy).toBe(0);
      for (const text of (await page.evaluate(CUT_TEXTS)) as string[]) cut.push(`${width} ${path}: ${text}`);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    return cut;
  }

  test('is accessible in both themes, and readable on telephones and in 4K', async () => {
    const cut: string[] = [];
    // One document for all: in a new one, the rules of accessibility and the console are compiled again.
    await load('/');
    for (const path of paths) {
      await follow(path);
      await browser.checkAccessibility();
      cut.push(...(await cutTexts(path, SIZES)));
    }
    expect(cut).toEqual([]);
  });

  test('is German in German: texts, numbers, times and quotation marks; and readable on a telephone', async () => {
    const english = await englishTexts();
    expect(english.size).toBeGreaterThan(500);
    await page.evaluate(`localStorage.setItem('sightline.locale', 'de')`);
    const found: string[] = [];
    for (const path of paths) {
      await load(path);
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
      const texts = (await page.evaluate(GERMAN_TEXTS)) as string[];
      expect(texts.length).toBeGreaterThan(3);
      const isWrong = (text: string) =>
        english.has(text) || ENGLISH_MARKS.test(text.replaceAll(/„[^“]*“/g, '')) || ENGLISH_DECIMAL.test(text);
      for (const text of texts.filter((text) => !PROMPT.includes(text)).filter(isWrong)) found.push(`${path}: ${text}`);
      found.push(...(await cutTexts(path, [SIZES[0]])));
    }
    expect(found).toEqual([]);
    await page.evaluate(`localStorage.removeItem('sightline.locale')`);
  });
});

const ZONE = [
  { x: 0.1, y: 0.4 },
  { x: 0.6, y: 0.4 },
  { x: 0.6, y: 0.9 },
];

/** Texts beyond the right edge of the page that nothing scrolls to, and the page itself if it is too wide. */
const CUT_TEXTS = `(() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [];
  const scrolls = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1) return true;
    return false;
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility()) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const { width, right } = element.getBoundingClientRect();
    if (hasText && width > 3 && right > innerWidth + 1 && !scrolls(element)) found.push(element.textContent.trim());
  }
  return found;
})()`;

/** Texts and accessible names of the page, without those that are marked as English. */
const GERMAN_TEXTS = `(() => {
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
