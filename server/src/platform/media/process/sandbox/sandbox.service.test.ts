import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { ExploitReport, ExploitRun } from '#test/media/exploit-service';
import { findSandboxes, type SandboxLevel } from './index.ts';
import { refusedCalls, startCalls } from './system-calls.ts';

const SERVICE = fileURLToPath(new URL('../../../../../test/media/exploit-service.ts', import.meta.url));
const LEVELS: readonly SandboxLevel[] = ['isolated', 'user', 'limits', 'none'];
const isRoot = process.getuid?.() === 0;
/** A user without privileges, for the service. */
const ORDINARY = 64_999;

const servers: Server[] = [];
const folders: string[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  for (const uid of USERS) folders.push(`/tmp/sightline-exploit-${uid}`);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function listen(at: { port: 0; host: string } | { path: string }): Promise<Server> {
  const server = createServer((socket) => socket.end()).listen(at);
  servers.push(server);
  await once(server, 'listening');
  return server;
}

/** A data folder as the service makes it, of this user. */
async function createWorld(uid: number) {
  const base = await mkdtemp(join(tmpdir(), 'sightline exploit '));
  folders.push(base);
  const data = join(base, 'data');
  const [files, postgres, temp, outside] = ['files', 'postgres', 'tmp', 'elsewhere'].map((name) => join(data, name));
  for (const folder of [files!, postgres!, temp!, outside!]) await mkdir(folder, { recursive: true });
  const targets = {
    secret: join(data, 'secret'),
    databaseFile: join(postgres!, '1259'),
    databaseSocket: join(postgres!, 'socket'),
    otherVideo: join(files!, 'other.mp4'),
    ownVideo: join(files!, 'own.mp4'),
    port: ((await listen({ port: 0, host: '127.0.0.1' })).address() as AddressInfo).port,
    outside: [join(outside!, 'a'), join(base, 'b'), `/tmp/sightline-exploit-${uid}`, join(data, 'secret')],
  };
  await listen({ path: targets.databaseSocket });
  for (const path of [targets.secret, targets.databaseFile, targets.otherVideo, targets.ownVideo]) {
    await writeFile(path, 'sixteen bytes or more');
  }
  if (isRoot) {
    const all = [base, data, ...(await readdir(data, { recursive: true })).map((name) => join(data, name))];
    for (const path of all) chownSync(path, uid, uid);
  }
  for (const path of [targets.secret, targets.databaseFile, targets.otherVideo, targets.ownVideo]) {
    chmodSync(path, 0o600);
  }
  for (const path of [base, data, files!, postgres!, temp!, outside!]) chmodSync(path, 0o700);
  return { targets, tempDir: temp!, ownFolder: data };
}

/** Runs the exploit in a service of this user, at this level or below. */
async function attack(level: SandboxLevel, uid: number, service = SERVICE): Promise<ExploitReport> {
  const without = LEVELS.slice(0, LEVELS.indexOf(level));
  const run: ExploitRun = { ...(await createWorld(uid)), without };
  const account = isRoot && uid !== 0 ? { uid, gid: uid } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [service, JSON.stringify(run)], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    ...account,
  });
  return JSON.parse(stdout);
}

/** The attempts that succeeded. */
const reached = ({ outcomes }: ExploitReport) =>
  Object.keys(outcomes).filter((name) => !outcomes[name]!.startsWith('contained'));

const OWN = 'reads its own video';
const USERS = isRoot ? [0, ORDINARY] : [process.getuid?.() ?? 0];
/** The attempts that succeed at each level, on Linux. */
const LEFT: Record<SandboxLevel, { root: string[]; user: string[] }> = {
  isolated: { root: [OWN], user: [OWN] },
  user: { root: [OWN, 'connects out', 'writes outside'], user: [] },
  limits: {
    root: [
      OWN,
      'reads the root secret',
      'reads files of the database',
      'reads another video',
      'reads /etc/shadow',
      'connects out',
      'connects to the database',
      'starts processes without end',
      'reads the memory of a sibling',
      'writes outside',
      'signals its parent',
    ],
    user: [
      OWN,
      'reads the root secret',
      'reads files of the database',
      'reads another video',
      'connects out',
      'connects to the database',
      'starts processes without end',
      'reads the memory of a sibling',
      'writes outside',
      'signals its parent',
    ],
  },
  none: { root: [], user: [] },
};

for (const uid of USERS) {
  const kind = uid === 0 ? 'root' : 'user';
  for (const level of LEVELS.filter((each) => LEFT[each][kind].length > 0)) {
    test(`an exploit in a media process of ${kind}, at the level ${level}, makes twelve attempts`, async ({
      annotate,
    }) => {
      const report = await attack(level, uid);
      if (report.level !== level) {
        // A machine that lacks a tool tries the levels that it has.
        await annotate(`sandbox ${level} (${kind}): not offered here, ${report.level} was tried instead`);
        return expect(LEVELS.indexOf(report.level as SandboxLevel)).toBeGreaterThan(LEVELS.indexOf(level));
      }
      await annotate(`sandbox ${level} (${kind}): tried`);
      expect(Object.keys(report.outcomes).filter((name) => name !== OWN)).toHaveLength(12);
      expect(reached(report), JSON.stringify(report.outcomes)).toEqual(LEFT[level][kind]);
      expect(report.hasOwnUser).toBe(uid === 0 && level !== 'limits');
    });
  }
}

test.runIf(isRoot)(
  'root whose installation others cannot read also starts media processes as other users',
  async () => {
    const base = await mkdtemp(join(tmpdir(), 'sightline-installed-'));
    folders.push(base);
    const server = join(base, 'server');
    const here = fileURLToPath(new URL('../../../../../', import.meta.url));
    const names = ['package.json', 'src', 'test'];
    for (const name of names) await cp(join(here, name), join(server, name), { recursive: true });
    await symlink(join(here, 'node_modules'), join(server, 'node_modules'));
    await symlink(join(here, '../node_modules'), join(base, 'node_modules'));
    chmodSync(base, 0o700);
    const service = join(server, 'test/media/exploit-service.ts');
    const report = await attack('isolated', 0, service);
    expect(report.hasOwnUser).toBe(true);
    if (report.level !== 'isolated') return console.info(`NOT OFFERED HERE: isolated; ${report.level}`);
    expect(reached(report), JSON.stringify(report.outcomes)).toEqual([OWN]);
    const below = await attack('user', 0, service);
    // Without the isolation, such a process reads what root may read, which its level states.
    expect(below).toMatchObject({ level: 'limits', hasOwnUser: true });
    expect(reached(below)).toContain('reads the root secret');
    expect(reached(below)).not.toContain('signals its parent');
  },
);

test('each system call of the filter is refused, by its number', async () => {
  const isolated = (await findSandboxes()).find(({ level }) => level === 'isolated');
  if (!isolated) return console.info('NOT OFFERED HERE: isolated');
  const command = isolated.command({ network: false, readable: [], writable: [], account: null });
  const end = command.indexOf('--');
  const perl = ['/usr/bin/perl', '/usr/local/bin/perl'].find((path) => existsSync(path))!;
  const script =
    'for (@ARGV) { my ($n, $c) = split /=/; $! = 0; syscall($c, 0, 0, 0, 0, 0, 0); print "$n $!{EPERM}\\n" }';
  const calls = refusedCalls().map(([name, number]) => `${name}=${number}`);
  const [program, ...args] = [...command.slice(0, end), `x:${perl}`, '--', perl, '-MErrno', '-e', script, ...calls];
  const { stdout } = await promisify(execFile)(program!, args, { cwd: '/' });
  const outcomes = stdout.trim().split('\n');
  expect(outcomes).toHaveLength(calls.length);
  expect(outcomes.filter((line) => !/ [1-9]/.test(line))).toEqual([]);
  expect(calls.length).toBeGreaterThan(70);
});

test('every architecture with a filter starts, and others say so', () => {
  expect(startCalls('x64')).not.toBeNull();
  expect(startCalls('arm64')).not.toBeNull();
  expect(startCalls('s390x')).toBeNull();
});

test.each(['darwin', 'win32'] as const)(
  'on %s nothing is contained, and each protection is named',
  async (platform) => {
    const [only, ...others] = await findSandboxes({}, platform);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ level: 'none', hasOwnUser: false, hasOwnFiles: false });
    expect(only!.missing.map(({ protection }) => protection)).toContain('network isolation');
    for (const { remedy } of only!.missing) expect(remedy).toContain('Linux');
  },
);
