import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { openLibrary, type TestLibrary } from '#test/library';
import { createBrowser, PASSWORD, statusAndError, tokenFromUrl } from '#test/people';

let library: TestLibrary;
const mails: { to: string; text: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      // Quoted-printable: lines may be wrapped.
      const text = Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text });
      done();
    });
  },
});

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  library = await openLibrary(
    {
      SIGHTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      SIGHTLINE_MAIL_FROM: 'sightline@example.com',
      SIGHTLINE_SIGN_INS_PER_MINUTE: '100000',
      SIGHTLINE_SIGN_INS_PER_DAY: '100000',
    },
    { worker: true },
  );
});
afterAll(async () => {
  await library?.close();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

const browserOf = () => createBrowser(library.api, { origin: library.api.base });
const accept = (token: string, password: string) => browserOf().post('/api/auth/accept', { token, password });
const request = (email: string) => browserOf().post('/api/auth/reset-password', { email });
const mailsTo = (email: string) => mails.filter(({ to }) => to === email);
const linkIn = ({ text }: { text: string }) => tokenFromUrl(/^(http\S+#\S+)/m.exec(text)![1]!.trim());
/** Resolves when all requested mails were sent, or not. */
const settled = () =>
  expect
    .poll(async () => (await library.jobs.queues()).find(({ name }) => name === 'accounts.mail-reset'), {
      timeout: 20_000,
    })
    .toMatchObject({ waiting: 0, delayed: 0, running: 0 });

async function addMember() {
  const email = `${newId()}@example.com`;
  const { url } = await library.people.links.invite(library.owner.orgId, { email, role: 'member' }, null);
  await accept(tokenFromUrl(url), PASSWORD);
  return email;
}

test('a user sets a new password by the link in a mail, once, and is signed out elsewhere', async () => {
  const email = await addMember();
  const elsewhere = browserOf();
  expect((await elsewhere.signIn(email)).status).toBe(200);
  expect((await browserOf().get('/api/auth/methods')).json).toMatchObject({ password_reset: true });
  expect(await request(`  ${email.toUpperCase()} `)).toMatchObject({ status: 200, json: { status: 'requested' } });
  await settled();
  const [mail] = mailsTo(email);
  const token = linkIn(mail!);
  // The password works until then.
  expect((await browserOf().signIn(email)).status).toBe(200);
  expect(await accept(token, `${PASSWORD} 2`)).toMatchObject({ status: 200, json: { email } });
  expect(statusAndError(await elsewhere.get('/api/auth/session'))).toEqual([401, 'session_ended']);
  expect((await browserOf().signIn(email)).status).toBe(401);
  expect((await browserOf().signIn(email, `${PASSWORD} 2`)).status).toBe(200);
  expect(statusAndError(await accept(token, PASSWORD))).toEqual([400, 'link_invalid']);
  const entries = await library.database.db
    .selectFrom('auditEvents')
    .select(['action', 'operation'])
    .where('action', 'in', ['password_link.created', 'password.set'])
    .where('operation', 'is not', null)
    .orderBy('id')
    .execute();
  expect(entries.slice(-2)).toEqual([
    { action: 'password_link.created', operation: 'requestPasswordReset' },
    { action: 'password.set', operation: 'acceptLink' },
  ]);
});

test('the response does not reveal whose address it is, and others get no mail', async () => {
  const count = mails.length;
  const sso = await addMember();
  const users = library.database.db.updateTable('users');
  await users.set({ passwordHash: null, ssoIssuer: 'a', ssoSubject: 'b' }).where('email', '=', sso).execute();
  const known = await addMember();
  const answers = await Promise.all(
    [known, 'nobody@example.com', sso, library.owner.email, 'correct horse battery'].map(request),
  );
  for (const { status, json } of answers) expect([status, json]).toEqual([200, { status: 'requested' }]);
  await settled();
  expect(mails.slice(count).map(({ to }) => to)).toEqual([known]);
  const { rows } = await library.database.db
    .selectFrom('rateLimits')
    .select('subject')
    .execute()
    .then((found) => ({ rows: found }));
  expect(JSON.stringify(rows)).not.toContain(known);
});

test('an address gets three mails a day; a link that works ends those that were mailed before', async () => {
  const email = await addMember();
  for (let i = 0; i < 5; i++) await request(email);
  await settled();
  expect(mailsTo(email)).toHaveLength(3);
  const [first, second, third] = mailsTo(email).map(linkIn);
  expect((await accept(second!, `${PASSWORD} 2`)).status).toBe(200);
  for (const other of [first, third]) expect((await accept(other!, PASSWORD)).status).toBe(400);
});

test('a link of the operator works after others have requested mails', async () => {
  const email = await addMember();
  const { database, people } = library;
  const url = await database.transaction((trx) => people.links.passwordLink(trx, email));
  await request(email);
  await settled();
  expect((await accept(tokenFromUrl(url), `${PASSWORD} 2`)).status).toBe(200);
});
