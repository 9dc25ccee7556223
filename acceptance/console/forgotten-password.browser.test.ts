import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsole } from '../harness/console.ts';
import { KEY, makeFolder, type Service, startService } from '../harness/service.ts';

const EMAIL = 'ada@example.com';
const mails: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _, done) {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      mails.push(Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='));
      done();
    });
  },
});

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  folder = await makeFolder();
  const env = { SIGHTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`, SIGHTLINE_MAIL_FROM: 'sightline@example.com' };
  service = await startService(join(folder.path, 'data'), { env });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

test('a user who has forgotten the password gets a link by mail, and is signed in with a new one', async () => {
  const invited = await service.call('POST', '/api/invitations', { key: KEY, json: { email: EMAIL, role: 'member' } });
  const token = new URL(String(invited.json.url)).hash.slice(1);
  const password = 'correct horse battery staple';
  await service.call('POST', '/api/auth/accept', { key: null, json: { token, password, name: 'Ada' } });

  const browser = await openConsole(service, { signIn: false, expected: [/status of 401/] });
  try {
    const { page } = browser;
    await page.goto(`${service.url}/welcome`);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(1);

    const link = /http\S+\/welcome\?reset#[\w-]{43}/.exec(mails[0]!)![0];
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('input[name=password]').fill(`${password} 2`);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    const session = await page.evaluate(() => fetch('/api/auth/session').then((response) => response.json()));
    expect(session).toMatchObject({ email: EMAIL });
  } finally {
    await browser.close();
  }
});
