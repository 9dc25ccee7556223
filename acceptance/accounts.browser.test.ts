import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sightline } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

/** From the first start, which prints its link once, to signed-in users. */
const { chromium: program } = inject('programs');
const PASSWORD = 'correct horse battery staple';
const TIMEOUT_MS = 180_000;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(`${folder.path}/data`, { env: { SIGHTLINE_BOOTSTRAP_KEY: '' } });
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const linkIn = (text: string) => new RegExp(`${service.url}/welcome\\?\\w+#[\\w-]{43}`).exec(text)![0];
const accounts = async (...args: string[]) => {
  const { code, stdout, stderr } = await sightline(['accounts', ...args], { env: service.env });
  return { code, stdout, stderr };
};
const accept = (link: string, fields: object) =>
  service.call('POST', '/api/auth/accept', {
    key: null,
    json: { token: new URL(link).hash.slice(1), password: PASSWORD, ...fields },
  });

test(
  'the first start prints a link; the user who opens it becomes the owner, once',
  async () => {
    const link = linkIn(service.command.stdout());
    expect(link).toContain('?setup#');
    const answer = await accept(link, { email: 'ada@example.com', name: 'Ada' });
    expect(answer.json).toMatchObject({ email: 'ada@example.com', permissions: ['read', 'write', 'admin'] });
    const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    const videos = await service.call('GET', '/api/my-videos', { key: null, headers: { cookie } });
    expect([videos.status, videos.json.videos]).toEqual([200, []]);
    expect((await accept(link, {})).json.error).toBe('link_invalid');
  },
  TIMEOUT_MS,
);

test(
  'the operator gives new links, sees who is there, and makes organizations',
  async () => {
    const [reset, unknown, made] = await Promise.all([
      accounts('link'),
      accounts('link', 'nobody@example.com'),
      accounts('create-organization', '--name', 'Another', '--email', 'eve@example.com'),
    ]);
    expect([reset.code, linkIn(reset.stdout)]).toEqual([0, expect.stringContaining('?reset#')]);
    expect((await accept(linkIn(reset.stdout), {})).json.email).toBe('ada@example.com');
    expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^There is no .+\.\n$/),
    ]);
    const eve = await accept(linkIn(made.stdout), { name: 'Eve' });
    expect(eve.json).toMatchObject({ email: 'eve@example.com', permissions: ['read', 'write', 'admin'] });
    const listed = await accounts('list');
    expect(listed.stdout).toMatch(/My organization.*ada@example\.com.*Ada.*owner.*password/);
    expect(listed.stdout).toMatch(/Another.*eve@example\.com.*Eve.*owner.*password/);
  },
  TIMEOUT_MS,
);

describe.runIf(program)('in a browser', { timeout: TIMEOUT_MS }, () => {
  test('a link becomes an account, its secret leaves the address bar, and scripts cannot read the session', async () => {
    const browser = await chromium.launch({ executablePath: program!, args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(
        linkIn((await accounts('create-organization', '--name', 'Third', '--email', 'mia@example.com')).stdout),
      );
      await page.getByLabel('Your name').waitFor();
      expect(page.url()).toBe(`${service.url}/welcome`);
      // A reload of the tab still knows the link.
      await page.reload();
      await page.getByLabel('Your name').waitFor();
      await expect.poll(() => page.locator('input').count()).toBe(2);
      await page.getByLabel('Your name').fill('Mia');
      await page.getByLabel('New password').fill('mia@example.com mia');
      await page.getByRole('button').click();
      await page.getByText('too easy to guess').waitFor();
      await page.getByLabel('New password').fill(PASSWORD);
      await page.getByRole('button').click();
      await page.waitForURL(`${service.url}/`);
      await page.getByRole('heading', { name: 'Library' }).waitFor();
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ name: 'sightline_session', httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(await page.evaluate('document.cookie')).toBe('');
      const made = await page.evaluate(
        `fetch('/api/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"robot"}' }).then((answer) => answer.status)`,
      );
      expect(made).toBe(200);

      await context.clearCookies();
      await page.goto(`${service.url}/welcome`);
      await page.getByLabel('E-mail address').fill('mia@example.com');
      await page.getByLabel('Password').fill('wrong password, long');
      // A proxy whose service is down responds with its own page.
      const away = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
      await page.route('**/api/auth/sign-in', (route) => route.fulfill(away));
      await page.getByRole('button').click();
      await page.getByText('The service does not respond. Try again in a moment.').waitFor();
      await page.unroute('**/api/auth/sign-in');
      await page.getByRole('button').click();
      await page.getByText('The e-mail address or the password is wrong.').waitFor();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button').click();
      await page.waitForURL(`${service.url}/`);
      const cookies = await context.cookies();
      expect(cookies.map(({ name }) => name)).toEqual(['sightline_session', 'sightline_device']);
      expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite !== 'None')).toBe(true);
    } finally {
      await browser.close();
    }
  });
});
