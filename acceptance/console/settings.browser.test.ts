import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { REPOSITORY } from '../harness/command.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
const SECTIONS = ['profile', 'organization', 'members', 'keys', 'integrations', 'webhooks', 'audit', 'usage', 'system'];

describe.runIf(program)('the settings', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;

  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens a section and waits until its data is shown. */
  async function open(section: string) {
    const { page } = browser;
    await page.goto(`/settings/${section}`);
    await page.locator('main h2').first().waitFor();
    await page.locator('main .animate-pulse-slow').first().waitFor({ state: 'detached' });
  }

  test('a key is shown once, works, and stops to work when it is revoked', async () => {
    const { page } = browser;
    await open('keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Rover');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByText(/^sk_\w+$/).innerText();
    const list = () => service.call('GET', '/api/my-videos', { key });
    expect((await list()).status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'Rover' });
    await row.getByText('Active').waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Revoke Rover' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    await expect.poll(async () => (await list()).status).toBe(401);
  });

  test('the link of an invitation makes a member, whose role can be changed', async () => {
    const { page } = browser;
    await open('members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail address').fill('grace@example.com');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByText(/welcome\?invitation#/).innerText();
    const json = { token: new URL(link).hash.slice(1), name: 'Grace', password: 'correct horse battery 10' };
    expect((await service.call('POST', '/api/auth/accept', { key: null, json })).json.email).toBe('grace@example.com');
    await page.reload();
    await page.getByRole('combobox', { name: 'Role of grace@example.com' }).click();
    await page.getByRole('option', { name: 'Admin' }).click();
    await expect
      .poll(async () => (await browser.sdk.api.GET('/api/members')).data!.members.map(({ role }) => role))
      .toEqual(['owner', 'admin']);
    await page.getByRole('button', { name: 'Remove grace@example.com' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('row').filter({ hasText: 'Grace' }).waitFor({ state: 'detached' });
  });

  test('a webhook shows its secret once, sends a test message, and its deliveries are sent again', async () => {
    const { page } = browser;
    const answers = [200, 500];
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(answers.shift() ?? 200).end('heard');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      await open('webhooks');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL').fill(url);
      await dialog.getByRole('checkbox', { name: 'All, also those of later versions' }).click();
      await browser.checkAccessibility();
      await dialog.getByRole('checkbox', { name: 'Video ready' }).click();
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      const secret = await page.getByText(/^whsec_/).innerText();
      await page.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: url });
      await row.getByText('Video ready').waitFor();
      expect(await page.content()).not.toContain(secret);

      await row.getByRole('button', { name: `Test ${url}` }).click();
      const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
      await deliveries.filter({ hasText: 'Test message' }).getByText('Delivered').waitFor();
      await deliveries.getByText('heard').waitFor();
      await page.waitForURL(/webhook=/);
      await row.getByRole('button', { name: `Test ${url}` }).click();
      await deliveries.getByText('Status 500').waitFor();
      await row.getByText('Enabled').waitFor();
      await deliveries.filter({ hasText: 'Failed' }).getByRole('button', { name: 'Send again' }).click();
      await expect.poll(() => deliveries.filter({ hasText: 'Delivered' }).count()).toBe(2);
      await browser.checkAccessibility();
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Failed' }).click();
      await expect.poll(() => deliveries.count()).toBe(2);

      const choose = async (name: string) => {
        await row.getByRole('button', { name: `More for ${url}` }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await choose('Rotate secret');
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      await expect.poll(() => page.getByText(/^whsec_/).innerText()).not.toBe(secret);
      await page.getByRole('button', { name: 'Done' }).click();
      await choose('Disable');
      await row.getByText('Disabled').waitFor();
      await choose('Delete');
      await page.getByRole('button', { name: 'Delete webhook' }).click();
      await row.waitFor({ state: 'detached' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('the audit log shows one action alone, also after a reload', async () => {
    const { page } = browser;
    await open('audit');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Key revoked' }).click();
    await page.waitForURL(/action=key\.revoked/);
    await page.reload();
    const rows = page.getByRole('table').getByRole('row');
    await rows.filter({ hasText: 'Key revoked' }).waitFor();
    await expect.poll(() => rows.count()).toBe(2);
  });

  test('the operator sees what the workers do, and all kinds of jobs on demand', async () => {
    const operator = await openConsole(service, { operator: true });
    try {
      const { page } = operator;
      await page.goto('/settings/system');
      const workers = page.getByRole('region', { name: 'Workers' });
      await workers.getByText('Running', { exact: true }).waitFor();
      await workers.getByRole('cell', { name: hostname() }).first().waitFor();
      const job = page.getByRole('region', { name: 'Queues' }).getByRole('cell', { name: /^Finish an upload/ });
      await page.getByRole('button', { name: /^Show \d+ idle kinds of jobs/ }).click();
      await job.waitFor();
      await operator.checkAccessibility();
      await page.getByRole('button', { name: 'Hide idle kinds of jobs' }).click();
      await job.waitFor({ state: 'detached' });
      await browser.page.goto('/settings/system');
      await browser.page.getByRole('heading', { name: 'Observers' }).waitFor();
      await expect.poll(() => browser.page.locator('.animate-pulse-slow, [aria-busy=true]').count()).toBe(0);
      await expect.poll(() => browser.page.getByRole('heading', { name: 'Workers' }).count()).toBe(0);
    } finally {
      await operator.close();
    }
  });

  test('on a phone, the row of sections shows the selected one', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/settings/profile');
    await page.getByRole('heading', { name: 'Language and theme' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('webhooks');
    await page.getByRole('option', { name: /^Webhooks/ }).click();
    const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' });
    const endOf = async () => {
      const box = await link.boundingBox();
      return box!.x + box!.width;
    };
    await expect.poll(endOf).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  test('every section is accessible in both themes', async () => {
    for (const section of SECTIONS) {
      await open(section);
      await browser.checkAccessibility();
    }
  });

  test('no English text is left after a change to German', async () => {
    const { page } = browser;
    await open('profile');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    await expect
      .poll(() => page.evaluate(`fetch('/api/auth/session').then((got) => got.json()).then(({ locale }) => locale)`))
      .toBe('de');
    const english = await englishTexts();
    expect(english.size).toBeGreaterThan(100);
    for (const section of SECTIONS) {
      await open(section);
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
      const shown = (await page.evaluate(SHOWN_TEXTS)) as string[];
      expect(shown).toContain('Einstellungen');
      expect(shown.filter((text) => english.has(text))).toEqual([]);
    }
  });
});

/** Texts and accessible names of the page. */
const SHOWN_TEXTS = `[
  ...document.body.innerText.split('\\n'),
  ...[...document.querySelectorAll('[aria-label]')].map((element) => element.ariaLabel),
].map((text) => text.trim())`;

/** English texts of the console whose German differs, without those that contain values. */
async function englishTexts(): Promise<Set<string>> {
  const catalog = await readFile(join(REPOSITORY, 'web/src/locales/de.po'), 'utf8');
  const pairs = [...catalog.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)];
  return new Set(pairs.filter(([, id, text]) => id !== text && !id!.includes('{')).map(([, id]) => id!));
}
