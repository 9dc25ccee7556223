import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '#test/app';
import { MissingBuildTools } from './build.ts';

const roles = { api: true, worker: false };

describe('the console', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ SIGHTLINE_CONSOLE: 'true' }, { roles });
    await app.sightline.console.prepare();
  });
  afterAll(() => app.close());

  const assetsIn = (page: string) => [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);

  test('is one page for all its addresses, which loads only its own files', async () => {
    const page = await app.api.call('GET', '/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toMatch(/frame-ancestors 'none'.*require-trusted-types-for 'script'/);
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|(src|href)="(https?:)?\/\//);
    expect(page.text).toContain('<noscript>');
    for (const path of [
      '/welcome?setup',
      '/videos/1',
      '/settings/keys',
      '/use-cases/rapid-review/batch-view/1',
      '/dataset-studio/1',
      '/events/1/2',
    ]) {
      expect((await app.api.call('GET', path)).text, path).toBe(page.text);
    }
    const assets = assetsIn(page.text);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const { status, headers } = await fetch(`${app.api.base}${path}`);
      expect([status, headers.get('cache-control')], path).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  test('is sent compressed, and not again while it is unchanged', async () => {
    const page = await app.api.call('GET', '/');
    const script = assetsIn(page.text).find((path) => path.endsWith('.js'))!;
    const plain = await fetch(`${app.api.base}${script}`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const text = await plain.text();
    for (const encoding of ['gzip', 'br']) {
      const response = await fetch(`${app.api.base}${script}`, { headers: { 'accept-encoding': encoding } });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(await response.text()).toBe(text);
    }
    const etag = plain.headers.get('etag')!;
    const again = await fetch(`${app.api.base}${script}`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('says that there is no such page to browsers; programs and the API get JSON', async () => {
    const { text } = await app.api.call('GET', '/');
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await app.api.call('GET', '/nowhere?x=/api/', { headers: { accept } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toBe(text);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const [method, path, headers] of [
      ['GET', '/nowhere', { accept: 'application/json' }],
      ['GET', '/nowhere', {}],
      ['GET', '/api/nowhere', { accept }],
      ['GET', '/api', { accept }],
      ['POST', '/nowhere', { accept }],
    ] as const) {
      const response = await app.api.call(method, path, { headers });
      expect([response.status, response.json.error], `${method} ${path}`).toEqual([404, 'route_not_found']);
    }
  });

  test('has no other files', async () => {
    for (const path of ['/assets/none.js', '/assets/..%2findex.html', '/assets/%2e%2e/%2e%2e/package.json']) {
      const { status, headers } = await fetch(`${app.api.base}${path}`);
      expect(status, path).toBe(404);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('has a path on the server for every page of its router', async () => {
    const sources = ['router.tsx', 'rooms/compat/addresses.ts'].map((path) =>
      readFile(new URL(`../../../../web/src/${path}`, import.meta.url), 'utf8'),
    );
    const router = (await Promise.all(sources)).join('');
    const paths = [...router.matchAll(/path: '(\/[^']*)'/g)].map((match) => match[1]!.replaceAll(/\$\w+/g, '1'));
    expect(paths).toContain('/welcome');
    for (const path of paths) expect((await app.api.call('GET', path)).status, path).toBe(200);
  });
});

test('a service without the console leads to the API documentation', async () => {
  const app = await startTestApp({}, { roles });
  try {
    const root = await fetch(`${app.api.base}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);
    const page = await app.api.call('GET', '/videos/1');
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('SIGHTLINE_CONSOLE=false')]);
  } finally {
    await app.close();
  }
});

test('an installation that cannot build the console has a page that says why, and does not reload', async () => {
  const app = await startTestApp({ SIGHTLINE_CONSOLE: 'true' }, { roles });
  onTestFinished(app.close);
  const reason = new MissingBuildTools().message;
  vi.spyOn(app.sightline.console, 'current').mockReturnValue({ state: 'not_installed', reason });
  for (const [path, status] of [
    ['/', 200],
    ['/videos/1', 503],
  ] as const) {
    const page = await app.api.call('GET', path);
    expect([page.status, page.text], path).toEqual([status, expect.stringContaining(reason)]);
    expect(page.text).not.toContain('<script');
  }
});

test('a console that is built is there before the API listens', async () => {
  const app = await startTestApp({ SIGHTLINE_CONSOLE: 'true' }, { roles });
  onTestFinished(app.close);
  expect((await app.api.call('GET', '/')).status).toBe(200);
});

const { chromium: program } = inject('programs');

test.runIf(program)(
  'a page that is opened while the console is built becomes the console, with its fragment',
  async () => {
    const app = await startTestApp({ SIGHTLINE_CONSOLE: 'true' }, { roles });
    onTestFinished(app.close);
    const browser = await chromium.launch({ executablePath: program!, args: ['--no-sandbox'] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ locale: 'en-US' });
    await app.sightline.console.prepare();
    const build = vi.spyOn(app.sightline.console, 'current').mockReturnValue({ state: 'building' });
    await page.goto(`${app.api.base}/welcome?setup#the-secret-of-the-link`);
    await page.getByText('Building the console').waitFor();
    build.mockRestore();
    // It reads the secret from the fragment.
    await page.getByRole('button', { name: 'Create account' }).waitFor();
  },
);
