import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Console, openConsole } from '../harness/console.ts';
import { isAt, routesOfPages } from '../harness/page-routes.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

/** The pages while their data loads, when the service fails and when nothing responds. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 300_000;
const WAIT_MS = 60_000;
const BRIEFLY = { timeout: 2_000 };
const ignore = () => {};
/** Paths of all pages whose data comes from the API. */
const PAGES = [
  '/',
  '/videos/019bb2757200',
  '/search?q=dog',
  '/questions',
  '/questions/019bb2757200',
  '/comparisons/019bb2757200',
  '/saved-questions',
  '/datasets',
  '/datasets/019bb2757200',
  '/review',
  '/live',
  '/live/wall',
  '/live/cameras',
  '/recordings',
  '/imports',
  '/imports/new',
  '/imports/019bb2757200',
  '/exports',
  '/settings/profile',
  '/settings/organization',
  '/settings/members',
  '/settings/keys',
  '/settings/integrations',
  '/settings/webhooks',
  '/settings/audit',
  '/settings/usage',
  '/settings/system',
];
/** Pages of those who are not signed in yet: forms. */
const WITHOUT_DATA = ['/welcome', '/second-factor'];
/** The frame is there before the data of a page; a change feed that fails is opened again. */
const FRAME = /\/api\/(auth\/(session|methods)|activity)$/;
const FAILED = { error: 'internal_error', message: 'The service failed to handle the request.' };

const fail = (route: Route) =>
  route.fulfill({ status: 500, json: FAILED, headers: { 'x-request-id': 'request-of-the-test' } });
/** The response of a reverse proxy while the service behind it is down. */
const failAtProxy = (route: Route) =>
  route.fulfill({ status: 500, contentType: 'text/html', body: '<html><h1>500 Internal Server Error</h1></html>' });

describe.runIf(program)('every page', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;
  let page: Page;
  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service, { expected: [/status of (404|500)/, /net::ERR_/] });
    page = browser.page;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens a page whose requests of data are handled by `handle`, and calls `check`. */
  async function openWith(path: string, handle: (route: Route) => unknown, check: () => Promise<void>): Promise<void> {
    await page.route(
      (url) => url.pathname.startsWith('/api/') && !FRAME.test(url.pathname),
      (route) => void handle(route),
    );
    try {
      await page.goto(path);
      await check();
    } finally {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  }

  const alert = () => page.locator('main [role=alert]').first();

  test.each(PAGES)('%s says what failed, and loads when it is tried again', async (path) => {
    await openWith(path, fail, async () => {
      await alert().waitFor();
      const text = await alert().innerText();
      expect(text).toContain(FAILED.message);
      expect(text).toContain('request-of-the-test');
      await browser.checkAccessibility();
    });
    // Each list of a page has its own button. Another message may follow: that what the page is about does not exist.
    const failures = page.locator('main [role=alert]').filter({ hasText: FAILED.message });
    const retry = async () => {
      const left = await failures.count();
      // A button may disappear meanwhile: two lists can share one request.
      if (left > 0) await failures.first().getByRole('button', { name: 'Try again' }).click(BRIEFLY).catch(ignore);
      return left;
    };
    await expect.poll(retry, { timeout: WAIT_MS }).toBe(0);
  });

  test.each(PAGES)('%s has its frame while its data loads', async (path) => {
    await openWith(
      path,
      () => {},
      async () => {
        await page.locator('main .animate-pulse-slow, main [aria-busy=true]').first().waitFor();
        await expect.poll(() => page.locator('h1').first().innerText()).not.toBe('');
        await expect.poll(() => page.locator('main [role=alert]').count()).toBe(0);
      },
    );
  });

  test('is one of these', async () => {
    const routes = (await routesOfPages()).filter((route) => !WITHOUT_DATA.includes(route));
    expect(routes.filter((route) => !PAGES.some((path) => isAt(route, path)))).toEqual([]);
  });

  test('does not show the page of a proxy', async () => {
    await openWith('/questions', failAtProxy, async () => {
      await alert().waitFor();
      const text = await alert().innerText();
      expect(text).toContain('The service does not respond. Try again in a moment.');
      expect(text).not.toContain('<html>');
    });
  });

  test('says when nothing responds', async () => {
    await openWith(
      '/questions',
      (route) => route.abort('connectionrefused'),
      async () => {
        await page.getByText('The service does not respond. Try again in a moment.').first().waitFor();
      },
    );
  });

  test('states that there is no connection, and recovers', async () => {
    await page.goto('/review');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await page.getByText('Nothing to review').waitFor();
    await navigation.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await navigation.getByRole('link', { name: 'Review' }).click();
    await alert().filter({ hasText: 'The service does not respond. Try again in a moment.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Nothing to review').waitFor();
  });

  test('that does not exist keeps the navigation', async () => {
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).waitFor();
    await browser.checkAccessibility();
  });
});
