import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { findPrograms } from '../../server/test/programs.ts';
import type { BenchmarkService } from './service.ts';

/** On a busy machine, the first page waits for the console to be built. */
const BUILD_MS = 180_000;

const PASSWORD = 'correct horse battery 9';

export type BenchmarkBrowser = {
  /** A new page that is signed in as the owner, with an empty cache. `script` runs in it before its own code. */
  openPage(script?: string): Promise<Page>;
  close(): Promise<void>;
};

/** Starts a browser for the console of a service. */
export async function startBrowser({ sightline }: BenchmarkService): Promise<BenchmarkBrowser> {
  const executablePath = findPrograms({ ci: false, tier: 'browser' }).chromium;
  if (!executablePath) throw new Error('This benchmark needs a browser (apt-get install chromium).');
  // The link has the address for which browsers are let in.
  const link = new URL(sightline.setUpUrl!);
  const accepted = await fetch(`${link.origin}/api/auth/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: link.origin },
    body: JSON.stringify({ token: link.hash.slice(1), password: PASSWORD, name: 'Ada', email: 'ada@example.com' }),
  });
  if (!accepted.ok) throw new Error(`Signing in was answered with ${accepted.status}: ${await accepted.text()}`);
  const [name, value] = accepted.headers.getSetCookie()[0]!.split(';')[0]!.split('=') as [string, string];
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const contexts: BrowserContext[] = [];
  return {
    async openPage(script) {
      const context = await browser.newContext({ baseURL: link.origin, viewport: { width: 1440, height: 900 } });
      contexts.push(context);
      await context.addCookies([{ name, value, url: link.origin, httpOnly: true, sameSite: 'Lax' }]);
      const page = await context.newPage();
      page.setDefaultTimeout(BUILD_MS);
      if (script) await page.addInitScript(script);
      return page;
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
    },
  };
}

/** Bytes of live objects of a page, after garbage collection. */
export async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize;
}
