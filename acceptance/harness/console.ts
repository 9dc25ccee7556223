import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSightline, type Sightline } from '@sightline/sdk';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { expect, inject } from 'vitest';
import { findViolations } from '../../server/test/accessibility.ts';
import { startShared } from '../../server/test/child-processes.ts';
import { sightline } from './command.ts';
import type { Service } from './service.ts';

/** The rules that depend on colors. Themes differ in nothing else, so the second one needs no others. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Longest wait for something on the page, beside other tests on the same processors. */
const WAIT_MS = 60_000;

/** This machine by a name of the network: browsers trust `localhost` without TLS, but no other name. */
const NETWORK_HOST = 'sightline.example';

const PASSWORD = 'correct horse battery 9';

/**
 * The file that marks a tree of a page as accessible: an equal one, in another width or test file, is not examined
 * again.
 */
function accessibleMark(tree: string): string {
  const folder = join(inject('folder'), 'accessible pages');
  mkdirSync(folder, { recursive: true });
  return join(folder, createHash('sha256').update(tree).digest('hex'));
}

/**
 * Describes the visible part of a page as the rules of accessibility see it: elements, classes, attributes, and which
 * of them have texts. Texts, ids and numbers in styles are left out.
 */
const VISIBLE_TREE = `(() => {
  const VARIES = /^(id|for|href|src|title|alt|value|placeholder|d|aria-(label|labelledby|describedby|controls|owns|activedescendant|valuetext))$/;
  const describeAttribute = ({ name, value }) => {
    if (VARIES.test(name)) return value ? name : name + ' is empty';
    return name + '=' + (name === 'style' ? value.replaceAll(/[0-9.]+/g, '0') : value);
  };
  const describe = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return '';
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const start = [element.localName, ...[...element.attributes].map(describeAttribute)].join(' ');
    return '<' + start + (hasText ? '>text' : '>') + [...element.children].map(describe).join('') + '</>';
  };
  return describe(document.documentElement);
})()`;

/** Stops transitions, which would be measured halfway. A script: the page's policy forbids foreign style elements. */
const STOP_TRANSITIONS = `(() => {
  const stopped = new CSSStyleSheet();
  stopped.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(stopped);
})()`;
const ALLOW_TRANSITIONS = 'void document.adoptedStyleSheets.pop()';

let launched: Promise<Browser> | null = null;

/** The browser that the test files of a worker share, each with a context of its own. It ends with the worker. */
function shareBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${NETWORK_HOST} 127.0.0.1`];
  launched ??= startShared(() => chromium.launch({ executablePath: inject('programs').chromium!, args }));
  return launched;
}

/** The console in a browser, signed in as the owner of a new organization, or of that of the operator. */
export type Console = {
  page: Page;
  /** The API with a key of the same organization. */
  sdk: Sightline;
  /** Fails on accessibility violations of the shown page, in the light and in the dark theme. */
  checkAccessibility(): Promise<void>;
  /** Problems that the browser reported since the last call: errors, violated policies, requests elsewhere. */
  problems(): string[];
  /** Describes what the page shows and waits for, for the report of a failed test. */
  describe(): Promise<string>;
  /** Closes the page. Problems that the browser reported fail the test, or the file (`console-problems.ts`). */
  close(): Promise<void>;
};

/** Problems that browsers reported, of consoles that are open or were closed since the last call. */
const reported: string[][] = [];

/** Returns the problems that browsers reported since the last call, and forgets them. */
export const takeProblems = (): string[] => reported.flatMap((found) => found.splice(0));

/**
 * Opens a browser on the console of a running service, signed in unless `signIn` is false, as the owner of a new
 * organization or, with `operator`, of the first one. With `overNetwork` its address is a name of the network instead
 * of `localhost`. `expected` lists messages of the browser's console that are no problem, such as those about a video
 * that does not exist.
 */
export async function openConsole(
  service: Service,
  {
    expected = [],
    signIn = true,
    operator = false,
    overNetwork = false,
    ...options
  }: BrowserContextOptions & {
    expected?: readonly RegExp[];
    signIn?: boolean;
    operator?: boolean;
    overNetwork?: boolean;
  } = {},
): Promise<Console> {
  const { cookie, sdk } = signIn ? await signUp(service, operator) : { cookie: null, sdk: service.sdk };
  const baseURL = overNetwork ? service.url.replace(/(localhost|127\.0\.0\.1)/, NETWORK_HOST) : service.url;
  const context = await (await shareBrowser()).newContext({
    baseURL,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  if (cookie) {
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: baseURL, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const found: string[] = [];
  reported.push(found);
  const report = (problem: string) => expected.some((each) => each.test(problem)) || found.push(problem);
  page.on('console', (message) => {
    if (message.type() === 'error') report(`${message.text()} (${message.location().url})`);
  });
  // Rejected promises that nothing handles are reported here, too.
  page.on('pageerror', (error) => report(error.stack || String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:/.test(protocol) && origin !== baseURL) report(`request to ${request.url()}`);
  });
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return {
    page,
    sdk,
    async describe() {
      const shown = await page.locator('body').innerText({ timeout: 5_000 });
      const waiting = [...pending].map((request) => `waits for ${request.url()}`);
      return [page.url(), ...waiting, ...found, shown].join('\n');
    },
    async checkAccessibility() {
      const mark = accessibleMark(await page.evaluate<string>(VISIBLE_TREE));
      if (existsSync(mark)) return;
      await page.evaluate(STOP_TRANSITIONS);
      for (const [colorScheme, rules] of [
        ['light', undefined],
        ['dark', COLOR_RULES],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        expect(await findViolations(page, rules), `violations in the ${colorScheme} theme`).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: null, reducedMotion: null });
      await page.evaluate(ALLOW_TRANSITIONS);
      writeFileSync(mark, '');
    },
    problems: () => found.splice(0),
    close: () => context.close(),
  };
}

/**
 * Creates an organization with its owner, or resets the password of the operator. Returns the cookie of a session, and
 * the API with a key.
 */
async function signUp({ url, env, call }: Service, operator: boolean): Promise<{ cookie: string; sdk: Sightline }> {
  const email = `ada.${crypto.randomUUID()}@example.com`;
  const created = ['create-organization', '--name', 'Console', '--email', email];
  const { stdout } = await sightline(['accounts', ...(operator ? ['link'] : created)], { env });
  const token = /#([\w-]{43})/.exec(stdout)![1]!;
  const accepted = await call('POST', '/api/auth/accept', {
    key: null,
    json: { token, password: PASSWORD, name: 'Ada' },
  });
  const cookie = accepted.headers.getSetCookie()[0]!.split(';')[0]!;
  const headers = { cookie, origin: url };
  const { json } = await call('POST', '/api/keys', { key: null, headers, json: { name: 'test' } });
  return { cookie, sdk: createSightline({ baseUrl: url, apiKey: json.key as string }) };
}
