import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nextAccount, othersCanRead, type ProcessAccount } from './account.ts';
import { CODE, listCode, SYSTEM } from './readable-files.ts';
import { buildFilter, startCalls } from './system-calls.ts';

/**
 * Containment of media processes. `isolated`: no network, no files but those of the task, no system call that is not
 * needed, no other process and no privileges. `user`: a user of its own. `limits`: limits on resources, no privileges.
 * `none`: only what the process checks itself.
 */
export type SandboxLevel = 'isolated' | 'user' | 'limits' | 'none';

export type MissingProtection = { protection: string; remedy: string };

export type SandboxReport = {
  level: SandboxLevel;
  /** True if media processes run as users of their own. */
  hasOwnUser: boolean;
  missing: readonly MissingProtection[];
};

/** Needs of one process. */
export type SandboxNeeds = { network: boolean; readable: readonly string[]; writable: readonly string[] };

export type Sandbox = SandboxReport & {
  /** True if the process reaches files only in its own folder, which they are linked into. */
  hasOwnFiles: boolean;
  /** The command that wraps a process. */
  command(needs: SandboxNeeds): string[];
  /** User and group of the next process; those of the service if null. */
  nextAccount(): ProcessAccount | null;
};

export type SandboxSettings = {
  /** Files and folders that all processes may read. */
  readable?: readonly string[];
  /** Longest file that a process may write in bytes. */
  maxFileBytes?: number;
  /** Levels that are not tried, for tests and measurements. */
  without?: readonly SandboxLevel[];
};

/** Writable memory of a media process in bytes. The largest accepted frame needs about half of it. */
const MEMORY_BYTES = 2 ** 31;
/**
 * CPU seconds of one process over its lifetime: the last resort against an endless loop. The process gets SIGXCPU; the
 * hard limit is higher, because the system then sends SIGKILL, as it does when memory is short.
 */
const CPU_SECONDS = 86_400;
const MAX_FILE_BYTES = 50 * 2 ** 30;
/** Processes and threads of one user. Models use one thread per processor, decoders four. */
const MAX_TASKS = 256 + 8 * availableParallelism();

const CONFINE = fileURLToPath(new URL('./confine.pl', import.meta.url));

const NETWORK = 'network isolation';
const FILES = 'file isolation';
const SYSTEM_CALLS = 'system call filter';
const OWN_USER = 'own user';
const PRIVILEGES = 'dropped privileges';
const LIMITS = 'resource limits';

export const NO_SANDBOX: Sandbox = {
  level: 'none',
  hasOwnUser: false,
  hasOwnFiles: false,
  missing: [NETWORK, FILES, SYSTEM_CALLS, OWN_USER, PRIVILEGES, LIMITS].map((protection) => ({
    protection,
    remedy: 'Run the service on Linux; other systems have none of it.',
  })),
  command: () => [],
  nextAccount: () => null,
};

/**
 * The sandboxes that this system offers, best first. Each was probed, but for the media engine in it. The last one is
 * what is always there.
 */
export async function findSandboxes(
  { readable = [], maxFileBytes = MAX_FILE_BYTES, without = [] }: SandboxSettings = {},
  platform: NodeJS.Platform = process.platform,
): Promise<Sandbox[]> {
  if (platform !== 'linux') return [NO_SANDBOX];
  const isRoot = process.getuid?.() === 0;
  const prlimit = (isAccount: boolean) => [
    'prlimit',
    // Not the address space, of which V8 and the media libraries reserve much more than they use.
    `--data=${MEMORY_BYTES}`,
    `--cpu=${CPU_SECONDS}:${CPU_SECONDS + 60}`,
    '--core=0',
    `--fsize=${maxFileBytes}`,
    // Counted per user, so that only a user of its own can have it.
    ...(isAccount ? [`--nproc=${MAX_TASKS}`] : []),
  ];
  const setpriv = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'];
  const unreadable = isRoot ? CODE.find((path) => !othersCanRead(path)) : undefined;
  const noUser =
    unreadable === undefined
      ? null
      : `Other users cannot read ${unreadable}: install the service in a folder that all users can read, such as /opt.`;
  const hasOwnUser = isRoot && noUser === null;
  const account = hasOwnUser ? nextAccount : () => null;
  const limits = await firstThatRuns([[...prlimit(hasOwnUser), ...setpriv], prlimit(hasOwnUser)], account());
  const programs = limits ? [] : [{ protection: LIMITS, remedy: 'Install util-linux (prlimit, setpriv).' }];
  const wrap = limits ?? [];

  const code = [...listCode(), ...readable];
  const confine = ({ network, readable: more, writable }: SandboxNeeds): string[] => {
    const calls = startCalls()!;
    return [
      ...wrap,
      'perl',
      CONFINE,
      ...SYSTEM.executable.map((path) => `x:${path}`),
      ...[...SYSTEM.readable, ...(network ? SYSTEM.names : []), ...code, ...more].map((path) => `r:${path}`),
      ...['/dev/null', ...writable].map((path) => `w:${path}`),
      ...(network ? ['network'] : []),
      `prctl:${calls.prctl}`,
      `seccomp:${calls.seccomp}`,
      `filter:${buildFilter({ network }).toString('hex')}`,
      '--',
    ];
  };
  const noIsolation = await whyNotIsolated(confine, account());
  const remedy = noIsolation ?? '';
  const lacksUser = hasOwnUser || !isRoot ? [] : [{ protection: OWN_USER, remedy: noUser! }];
  const lacksIsolation = [NETWORK, FILES, SYSTEM_CALLS].map((protection) => ({ protection, remedy }));

  const found: Sandbox[] = [];
  if (noIsolation === null && !without.includes('isolated')) {
    const missing = [...lacksUser, ...programs];
    found.push({ level: 'isolated', hasOwnUser, hasOwnFiles: true, missing, command: confine, nextAccount: account });
  }
  if (hasOwnUser && !without.includes('user')) {
    const missing = [...lacksIsolation, ...programs];
    found.push({ level: 'user', hasOwnUser, hasOwnFiles: true, missing, command: () => wrap, nextAccount: account });
  }
  // Root without a user of its own still loses all privileges but access to files, which it opens by path.
  const bounded = isRoot ? ['--bounding-set', '-all,+dac_override,+dac_read_search'] : [];
  const asService = await firstThatRuns(
    [[...prlimit(false), ...setpriv, ...bounded], [...prlimit(false), ...setpriv], prlimit(false)],
    null,
  );
  const lacksOwnUser = {
    protection: OWN_USER,
    remedy: noUser ?? (isRoot ? remedy : 'Start the service as root: media processes then run as other users.'),
  };
  if (asService && !without.includes('limits')) {
    const missing = [...lacksIsolation, lacksOwnUser, ...programs];
    const command = () => asService;
    found.push({ level: 'limits', hasOwnUser: false, hasOwnFiles: false, missing, command, nextAccount: () => null });
  }
  const missing = [...lacksIsolation, lacksOwnUser, { protection: PRIVILEGES, remedy: programs[0]?.remedy ?? remedy }];
  return [...found, { ...NO_SANDBOX, missing: [...missing, ...programs] }];
}

/** The reason why processes cannot be isolated on this system, with the remedy; null if they can. */
async function whyNotIsolated(
  confine: (needs: SandboxNeeds) => string[],
  account: ProcessAccount | null,
): Promise<string | null> {
  if (startCalls() === null) return `The filter of system calls has no table for ${process.arch}.`;
  if (!['/usr/bin/perl', '/usr/local/bin/perl', '/bin/perl'].some((path) => existsSync(path))) return 'Install perl.';
  const [program, ...args] = confine({ network: false, readable: [], writable: [] });
  const failure = await run([program!, ...args, process.execPath, '--version'], account);
  if (failure === null) return null;
  return /Landlock/.test(failure)
    ? `Use a kernel with Landlock (5.13 or later, "landlock" in /sys/kernel/security/lsm), and a container runtime that allows it: ${failure}`
    : failure;
}

async function firstThatRuns(prefixes: readonly string[][], account: ProcessAccount | null): Promise<string[] | null> {
  for (const prefix of prefixes) if ((await run([...prefix, 'true'], account)) === null) return prefix;
  return null;
}

/** Runs a program in the root folder. Returns null, or why it failed. */
async function run([program, ...args]: readonly string[], account: ProcessAccount | null): Promise<string | null> {
  try {
    await promisify(execFile)(program!, args, { timeout: 10_000, cwd: '/', ...account });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr?.trim() || message).split('\n')[0]!;
  }
}
