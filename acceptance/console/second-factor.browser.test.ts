import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appCode } from '../../server/test/authenticator.ts';
import { openConsole } from '../harness/console.ts';
import { checkDialog } from '../harness/dialogs.ts';
import { KEY, makeFolder, type Service, startService } from '../harness/service.ts';

const PASSWORD = 'correct horse battery staple';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(`${folder.path}/data`);
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

async function invite(email: string, role: string): Promise<string> {
  const { json } = await service.call('POST', '/api/invitations', { key: KEY, json: { email, role } });
  return String(json.url).replace(/^https?:\/\/[^/]+/, service.url);
}

async function fillPassword(page: Page, button: string): Promise<void> {
  await page.locator('input[type=password][name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Sets a second factor up, from the step of the password on. Returns the recovery codes. */
async function enroll(page: Page): Promise<string[]> {
  await fillPassword(page, 'Continue');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code of your authenticator app').fill(appCode(key));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Store these recovery codes').waitFor();
  const codes = (await page.locator('code').innerText()).split('\n');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(await readFile((await download.path())!, 'utf8')).toContain(codes.join('\n'));
  await page.getByRole('button', { name: 'I have stored them' }).click();
  return codes;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${service.url}/welcome`);
  await page.getByLabel('E-mail address').fill(email);
  await fillPassword(page, 'Sign in');
}

/** Clicks a link until a request is refused, of the click or in the background, and the page is replaced by `path`. */
async function leave(page: Page, path: string): Promise<void> {
  const link = page.getByRole('link', { name: 'Review' }).first();
  const open = async () => {
    await link.click({ timeout: 2_000 }).catch(() => {});
    return new URL(page.url()).pathname;
  };
  await expect.poll(open, { timeout: 60_000 }).toBe(path);
}

const isLibrary = (url: URL) => url.pathname === '/';

test('an open page is replaced by the page that renews its session', async () => {
  const browser = await openConsole(service, { signIn: false, expected: [/status of 40[13]/] });
  const { json: organization } = await service.call('GET', '/api/organization', { key: KEY });
  const require = (second_factor_required: boolean) =>
    service.call('PATCH', '/api/organization', { key: KEY, json: { second_factor_required } });
  try {
    const { page } = browser;
    await page.goto(await invite('bob@example.com', 'member'));
    await page.getByLabel('Your name').fill('Bob');
    await fillPassword(page, 'Join');
    await page.waitForURL(isLibrary);
    await page.goto(`${service.url}/questions`);
    await page.getByRole('heading', { name: 'No questions yet' }).waitFor();
    // The page stays open while somebody else requires a second factor; what it fetches next is refused.
    expect((await require(true)).status).toBe(200);
    await leave(page, '/second-factor');
    expect((await require(organization.second_factor_required === true)).status).toBe(200);
    await page.goto(`${service.url}/questions`);
    await page.getByRole('heading', { name: 'No questions yet' }).waitFor();
    // The session ends elsewhere.
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin: service.url };
    expect((await service.call('POST', '/api/auth/sign-out', { key: null, headers })).status).toBeLessThan(300);
    await leave(page, '/welcome');
    await page.getByLabel('E-mail address').fill('bob@example.com');
    await fillPassword(page, 'Sign in');
    // Back to where the session ended.
    await page.waitForURL((url) => ['/questions', '/review'].includes(url.pathname));
  } finally {
    await browser.close();
  }
});

test('a second factor is set up, needed, required from others, and reset', async () => {
  const browser = await openConsole(service, { signIn: false, expected: [/status of 40[13]/] });
  try {
    const { page } = browser;
    await page.goto(await invite('ada@example.com', 'admin'));
    await page.getByLabel('Your name').fill('Ada');
    await fillPassword(page, 'Join');
    await page.waitForURL(isLibrary);
    await page.goto(`${service.url}/settings/profile`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await checkDialog(browser, 'Two-factor sign-in');
    const codes = await enroll(page);
    await page.getByText('You have 10 recovery codes left').waitFor();

    await signIn(page, 'ada@example.com');
    const code = page.getByLabel('Code of your authenticator app, or a recovery code');
    await code.fill('000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This code is wrong').waitFor();
    await page.goto(`${service.url}/settings/profile`);
    await page.waitForURL((url) => url.pathname === '/welcome');

    await signIn(page, 'ada@example.com');
    await code.fill(codes[0]!);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(isLibrary);
    await page.goto(`${service.url}/settings/organization`);
    await page.getByRole('button', { name: 'Require', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Require' }).click();
    await page.getByText('A second factor is required now').waitFor();
    await page.getByRole('button', { name: 'Make optional' }).click();
    await checkDialog(browser, 'Make the second factor optional?');
    await page.goto(`${service.url}/settings/profile`);
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await checkDialog(browser, 'New recovery codes');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await checkDialog(browser, 'Turn two-factor sign-in off');

    const invitation = await invite('eve@example.com', 'member');
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(invitation);
    await page.getByLabel('Your name').fill('Eve');
    await fillPassword(page, 'Join');
    await page.waitForURL((url) => url.pathname === '/second-factor');
    await page.goto(`${service.url}/settings/members`);
    await page.waitForURL((url) => url.pathname === '/second-factor');
    await enroll(page);
    await page.waitForURL((url) => url.pathname === '/settings/members');

    await signIn(page, 'ada@example.com');
    await code.fill(codes[1]!);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(isLibrary);
    await page.goto(`${service.url}/settings/members`);
    await page.getByRole('button', { name: 'Reset the second factor of eve@example.com' }).click();
    await checkDialog(browser, 'Reset the second factor of eve@example.com?');
    await page.getByRole('button', { name: 'Reset second factor' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await signIn(page, 'eve@example.com');
    await page.waitForURL((url) => url.pathname === '/second-factor');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.pathname === '/welcome');
  } finally {
    await browser.close();
  }
});
