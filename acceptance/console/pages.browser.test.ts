import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
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
/** A name that is too long for most places. */
const LONG = 'Entrance north, camera 3 at the loading dock of the warehouse, Monday morning shift';
/** The frame is there before the data of a page. */
const FRAME = /\/api\/(auth\/(session|methods)|activity)$/;
const SECTIONS = ['profile', 'organization', 'members', 'keys', 'integrations', 'webhooks', 'audit', 'usage', 'system'];
const TABS = ['ask', 'events', 'coverage', 'zones', 'captions', 'details'];
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
    const { sdk } = browser;
    const file = new File([await readFile(await sceneClip())], 'scene.mp4');
    const { video_id } = await sdk.upload(file, { name: `${LONG}.mp4` });
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
    const question = await sdk.saveQuestion({ name: LONG, query: DARK });
    const camera = await sdk.addCamera({ name: LONG, source_url: 'rtsp://127.0.0.1:9/x', enabled: false });
    const dataset = await sdk.createDataset({ name: LONG, batch_ids: [batch_id] });
    await sdk.api.POST('/api/folders', { body: { name: LONG } });
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
        for (const search of [CUT_TEXTS, SHRUNK_TEXTS, COVERED_CONTROLS])
          texts.push(...(await page.evaluate<string[]>(search)));
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

const ZONE = [
  { x: 0.1, y: 0.4 },
  { x: 0.6, y: 0.4 },
  { x: 0.6, y: 0.9 },
];

/** Texts beyond the right edge that nothing scrolls to or marks as cut, and the page itself if it is too wide. */
const CUT_TEXTS = `(() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [];
  const isScrolled = (each) =>
    ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1;
  const isReachable = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (isScrolled(each) || getComputedStyle(each).textOverflow === 'ellipsis') return true;
    return false;
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility()) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const { width, right } = element.getBoundingClientRect();
    if (hasText && width > 3 && right > innerWidth + 1 && !isReachable(element)) found.push(element.textContent.trim());
  }
  return found;
})()`;

/** Texts that have shrunk to some letters, and cut ones that the title at a mouse over them does not show whole. */
const SHRUNK_TEXTS = `(() => {
  const found = [];
  const join = (text) => text.replaceAll(/\\s+/g, ' ').trim();
  for (const element of document.querySelectorAll('body *')) {
    const { textOverflow, webkitLineClamp } = getComputedStyle(element);
    if ((textOverflow !== 'ellipsis' && webkitLineClamp === 'none') || !element.checkVisibility()) continue;
    const text = join(element.textContent);
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element;
    const isCut = scrollWidth > clientWidth || (webkitLineClamp !== 'none' && scrollHeight > clientHeight);
    // Texts for screen readers have a pixel.
    if (!text || clientWidth <= 1 || !isCut) continue;
    if (clientWidth < 40) found.push(text + ' has shrunk to ' + clientWidth + ' pixels');
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const [clientX, clientY] = [x + width / 2, y + height / 2];
    const hit = document.elementFromPoint(clientX, clientY);
    hit?.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY }));
    const titled = hit?.closest('[title]');
    // A title of its own may state more than the text.
    if (!(titled && element.contains(titled)) && !join(titled?.title ?? '').includes(text)) found.push(text + ' is cut, and a mouse over it shows no title: ' + hit?.outerHTML.slice(0, 100));
  }
  document.querySelector('main')?.scrollTo(0, 0);
  return found;
})()`;

/** Controls whose middle something else covers, wherever the page is scrolled to. */
const COVERED_CONTROLS = `(() => {
  const CONTROLS = 'a[href], button, input, select, textarea, [role=button], [role=tab], [role=checkbox], [role=combobox], [role=switch], [role=slider]';
  const hitOf = (control) => {
    // A link that is wrapped has nothing in the middle of its lines.
    const { x, y, width, height } = control.getClientRects()[0];
    return document.elementFromPoint(x + width / 2, y + height / 2);
  };
  const belongs = (control, hit) => control.contains(hit) || hit?.closest('label')?.control === control;
  const found = [];
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled')) continue;
    const { width, height, bottom } = control.getBoundingClientRect();
    // Such are the inputs behind drawn ones, and the link to the page, which is above it until it has the focus.
    if (width < 4 || height < 4 || bottom <= 0 || getComputedStyle(control).pointerEvents === 'none') continue;
    if (belongs(control, hitOf(control))) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const hit = hitOf(control);
    if (!belongs(control, hit)) found.push((control.ariaLabel ?? control.textContent) + ' is covered by ' + (hit?.outerHTML.slice(0, 100) ?? 'nothing'));
  }
  document.querySelector('main')?.scrollTo(0, 0);
  return found;
})()`;

/**
 * Records the texts that the page shows: those with numbers, and those of empty states and labels. `withdrawnTexts`
 * returns those that it does not show any more.
 */
const RECORD_TEXTS = `(() => {
  const shown = new Set();
  const read = () => {
    const texts = new Set();
    const walker = document.createTreeWalker(document.querySelector('main') ?? document.createElement('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const block = parentElement.closest('p, li, h1, h2, h3, td, th, button, a, dd, dt, label, [data-badge]') ?? parentElement;
      const says = /\\d/.test(block.textContent) || block.closest('[data-empty], [data-badge]');
      if (data.trim() && says && !block.closest('[role=alert]') && parentElement.checkVisibility()) texts.add(block.textContent.trim());
    }
    return texts;
  };
  const record = () => {
    for (const text of read()) shown.add(text);
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
  globalThis.withdrawnTexts = () => {
    const now = [...read()];
    const isTrue = (text) => now.some((each) => each.startsWith(text) && !/^\\d/.test(each.slice(text.length)));
    return [...shown].filter((text) => !isTrue(text));
  };
})()`;

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
