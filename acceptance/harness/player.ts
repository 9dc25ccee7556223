import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { REPOSITORY } from './command.ts';

/** A page of another origin with a player of signed URLs, `player.html`. */
const PLAYER = 'http://player.example/';

/** Starts Chromium for `openPlayer`. */
export function launchPlayerBrowser(program: string): Promise<Browser> {
  // The player's page is synthetic, so the browser treats it as external, where this machine is out of reach.
  const args = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'];
  return chromium.launch({ executablePath: program, args });
}

export async function openPlayer(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route(`${PLAYER}**`, (route) => {
    const file =
      route.request().url() === PLAYER ? 'acceptance/harness/player.html' : 'node_modules/hls.js/dist/hls.min.js';
    return route.fulfill({ path: join(REPOSITORY, file) });
  });
  await page.goto(PLAYER);
  return page;
}

/** Calls a function of `player.html`, which must not fail. */
export async function callPlayer<T>(page: Page, name: string, argument: unknown): Promise<T> {
  const { result, problem } = (await page.evaluate(
    `${name}(${JSON.stringify(argument)}).then((result) => ({ result }), (problem) => ({ problem: String(problem) }))`,
  )) as { result: T; problem?: string };
  expect(problem).toBeUndefined();
  return result;
}
