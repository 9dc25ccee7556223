import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

/** The organization, its owner, and the sessions of a user. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
const PASSWORD = 'correct horse battery 9';

describe.runIf(program)('the organization', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;
  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service, { expected: [/status of 403/] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  test('is renamed, and another member becomes its owner', async () => {
    const { page, sdk } = browser;
    const email = `grace.${crypto.randomUUID()}@example.com`;
    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByText(/welcome\?invitation#/).innerText();
    const json = { token: new URL(link).hash.slice(1), name: 'Grace', password: PASSWORD };
    await service.call('POST', '/api/auth/accept', { key: null, json });

    await page.goto('/settings/organization');
    await page.getByLabel('Name of the organization').fill('Harbor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The organization was renamed.').waitFor();
    expect((await sdk.api.GET('/api/organization')).data!.name).toBe('Harbor');
    await page.getByRole('button', { name: 'Transfer ownership' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transfer ownership' });
    await dialog.getByRole('combobox', { name: 'New owner' }).click();
    await page.getByRole('option', { name: `Grace (${email})` }).click();
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
    await page.getByText('The ownership was transferred.').waitFor();
    const { members } = (await sdk.api.GET('/api/members')).data!;
    expect(members.find((each) => each.role === 'owner')!.email).toBe(email);
  });

  test('help leads to the documentation of the API', async () => {
    const { page } = browser;
    await page.goto('/');
    await page.getByRole('button', { name: /account of/ }).click();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('menuitem', { name: 'API documentation' }).click();
    const docs = await opened;
    await docs.waitForURL(/\/docs/);
    await docs.close();
  });

  test('other browsers of a user are signed out one by one, and all at once', async () => {
    const { page } = browser;
    await page.goto('/settings/profile');
    const email = (await page.getByRole('heading', { name: 'Name' }).locator('xpath=..').innerText())
      .split('\n')
      .at(-1)!;
    const signIn = () => service.call('POST', '/api/auth/sign-in', { key: null, json: { email, password: PASSWORD } });
    const other = await signIn();
    expect(other.status).toBe(200);
    const cookie = other.headers.getSetCookie()[0]!.split(';')[0]!;
    const statusOfOther = async () =>
      (await service.call('GET', '/api/auth/session', { key: null, headers: { cookie } })).status;
    expect(await statusOfOther()).toBe(200);
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Your sessions' });
    await sessions.getByRole('button', { name: 'Sign out' }).first().click();
    await expect.poll(() => sessions.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await expect.poll(statusOfOther).toBe(401);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL(/\/welcome/);

    // A visitor without a session signs in, and continues where they wanted to go.
    await page.goto('/questions');
    await page.waitForURL(/\/welcome\?return_to=/);
    await browser.checkAccessibility();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/questions`);
    await page.getByRole('heading', { name: 'No questions yet' }).waitFor();
  });
});
