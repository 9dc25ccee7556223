import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { begin, REPOSITORY, sightline } from './harness/command.ts';
import { checkoutFor, NOBODY } from './harness/ordinary-user.ts';
import { treeOf } from './harness/processes.ts';
import { makeFolder, startService } from './harness/service.ts';

/** The full drop: started by root, the whole tree runs as another user. */
describe.runIf(process.getuid?.() === 0)('SIGHTLINE_USER, started by root', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  /** Where the program is, if not in this checkout, which the user may not be able to read. */
  let at: { cwd?: string };
  beforeAll(async () => {
    folder = await makeFolder();
    // Others can pass through to the data folder, as through /var/lib.
    chmodSync(folder.path, 0o755);
    const cwd = await checkoutFor(NOBODY, folder.path);
    at = cwd === REPOSITORY ? {} : { cwd };
  });
  afterAll(() => folder?.remove());

  const user = { SIGHTLINE_USER: 'nobody', SIGHTLINE_CONSOLE: 'false' };
  /** Real and effective users, and capabilities, of a process; null if it has ended. */
  function rightsOf(pid: number) {
    let status: string;
    try {
      status = readFileSync(`/proc/${pid}/status`, 'utf8');
    } catch {
      return null;
    }
    const [uids, groups, capabilities] = ['Uid', 'Groups', 'CapEff'].map((name) =>
      new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)![1]!.trim().replaceAll(/\s+/g, ' '),
    );
    return { uids, groups, capabilities };
  }
  const ownersIn = (path: string) => [
    ...new Set(
      ['', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]
        .map((name) => lstatSync(join(path, name), { throwIfNoEntry: false })?.uid)
        .filter((uid) => uid !== undefined),
    ),
  ];

  test('takes over the data of root, and no process of the service is root', async () => {
    const dataDir = join(folder.path, 'data');
    const before = await startService(dataDir, { ...at, env: { SIGHTLINE_CONSOLE: 'false' } });
    const { json: root } = await before.call('GET', '/api/system');
    expect(root.runs_as).toEqual({ user: 'root', is_root: true });
    expect(before.command.stdout()).toContain('; as root;');
    const created = await before.call('POST', '/api/folders', { json: { name: 'Night' } });
    expect(created.status).toBeLessThan(300);
    const claimed = await sightline(['accounts', 'list'], { ...at, env: { SIGHTLINE_DATA_DIR: dataDir, ...user } });
    expect(claimed.code).toBe(1);
    expect(claimed.stderr).toMatch(/SIGHTLINE_USER cannot take over .* while its database runs \(process \d+\)/);
    await before.stop();
    expect(ownersIn(dataDir)).toContain(0);

    const service = await startService(dataDir, { ...at, env: user });
    try {
      expect(service.command.stderr()).toMatch(/belongs to nobody now \(\d+ files and folders\)/);
      expect(service.command.stdout()).toContain('; as nobody;');
      const { json } = await service.call('GET', '/api/system');
      expect(json.runs_as).toEqual({ user: 'nobody', is_root: false });
      const { json: folders } = await service.call('GET', '/api/folders');
      expect(JSON.stringify(folders)).toContain('"Night"');
      // Processes of the database and of media may end at any time.
      const tree = treeOf(service.pid).flatMap((pid) => rightsOf(pid) ?? []);
      expect(tree.length).toBeGreaterThan(3);
      for (const { uids, groups, capabilities } of tree) {
        expect([uids, capabilities]).toEqual([Array(4).fill(NOBODY).join(' '), '0'.repeat(16)]);
        expect(groups!.split(' ')).not.toContain('0');
      }
      expect(ownersIn(dataDir)).toEqual([NOBODY]);
      // Commands of the node drop as well, and find the database that runs.
      const listed = await sightline(['accounts', 'list'], { ...at, env: { SIGHTLINE_DATA_DIR: dataDir, ...user } });
      expect(listed).toMatchObject({ code: 0, stderr: '' });
    } finally {
      await service.stop();
    }
    expect(ownersIn(dataDir)).toEqual([NOBODY]);
    const again = await startService(dataDir, { ...at, env: user });
    expect(again.command.stderr()).not.toContain('belongs to nobody');
    await again.stop();
  }, 240_000);

  test.each([
    ['an account that does not exist', { SIGHTLINE_USER: 'nobody-here' }, /names nobody-here, which is no account/],
    ['root', { SIGHTLINE_USER: 'root' }, /must name another user than root/],
    ['a folder of the system', { ...user, SIGHTLINE_DATA_DIR: '/etc' }, /would give \/etc to nobody/],
    ['a folder of the system for files', { ...user, SIGHTLINE_STORAGE: 'file:/usr' }, /would give \/usr to nobody/],
    ['the home of another account', { ...user, SIGHTLINE_DATA_DIR: '/root' }, /would give \/root to nobody/],
  ])('refuses %s', async (_, env, sentence) => {
    const before = ['/etc', '/usr', '/root'].map((path) => statSync(path).uid);
    const { code, stderr } = await sightline(['start'], {
      ...at,
      env: { SIGHTLINE_DATA_DIR: join(folder.path, 'refused'), ...env },
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(['/etc', '/usr', '/root'].map((path) => statSync(path).uid)).toEqual(before);
  });

  test('names a data folder that the user cannot reach', async () => {
    const closed = join(folder.path, 'closed');
    const dataDir = join(closed, 'data');
    mkdirSync(closed, { mode: 0o700 });
    const { code, stderr } = await sightline(['start'], { ...at, env: { SIGHTLINE_DATA_DIR: dataDir, ...user } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`who cannot reach ${dataDir}`)]);
  });

  test('is refused for a user who cannot become another one', async () => {
    const env = { SIGHTLINE_USER: 'daemon', SIGHTLINE_DATA_DIR: join(folder.path, 'other') };
    const command = begin(['accounts', 'list'], { ...at, uid: NOBODY, env });
    expect([await command.ended, command.stderr()]).toEqual([1, expect.stringContaining('which only root can become')]);
  });
});
