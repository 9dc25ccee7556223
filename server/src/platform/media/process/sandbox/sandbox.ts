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
export type SandboxNeeds = {
  network: boolean;
  readable: readonly string[];
  writable: readonly string[];
  /** Its user; that of the service if null. */
  account: ProcessAccount | null;
};

export type Sandbox = SandboxReport & {
  /** True if the process reaches files only in its own folder, which they are linked into. */
  hasOwnFiles: boolean;
  /** The command that wraps a process. */
  command(needs: SandboxNeeds): string[];
  /** User and group of the next process; those of the service if null. */
  nextAccount(): ProcessAccount | null;
  /**
   * True if the command changes the user, and keeps the one capability to read files whatever their mode is. Otherwise
   * the command must be started as the user.
   */
  keepsReading: boolean;
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
const INSTALL = 'Install util-linux (prlimit, setpriv).';

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
  keepsReading: false,
};

/**
 * The sandboxes that this system offers, best first. Each was probed, though not with the media engine. The last one
 * is always available.
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
  /** Of root, whose installation other users cannot read, but processes with one capability can. */
  const keepsReading = unreadable !== undefined;
  type Wrap = (account: ProcessAccount | null) => string[];
  const asOther: Wrap = (account) => [
    ...prlimit(account !== null),
    ...setpriv,
    ...(keepsReading && account ? becomeReader(account) : []),
  ];
  const withLimits: Wrap = (account) => prlimit(account !== null);
  const choices = keepsReading ? [asOther] : [asOther, withLimits];
  const chosen = await firstThatRuns(choices, isRoot ? nextAccount() : null, keepsReading);
  const hasOwnUser = isRoot && (chosen !== null || !keepsReading);
  const account = hasOwnUser ? nextAccount : () => null;
  const programs = chosen ? [] : [{ protection: LIMITS, remedy: INSTALL }];
  const wrap: Wrap = chosen ?? (() => []);

  const code = [...listCode(), ...readable];
  const confine = ({ network, readable: more, writable, account }: SandboxNeeds): string[] => {
    const calls = startCalls()!;
    return [
      ...wrap(account),
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
  const noIsolation = await whyNotIsolated(confine, account(), keepsReading);
  const remedy = noIsolation ?? '';
  const noUser = unreadable && `Other users cannot read ${unreadable}, and setpriv is missing: ${INSTALL}`;
  const lacksUser = isRoot && !hasOwnUser ? [OWN_USER, PRIVILEGES].map((each) => lacking(each, noUser!)) : [];
  const lacksIsolation = [NETWORK, FILES, SYSTEM_CALLS].map((each) => lacking(each, remedy));
  const own = { hasOwnUser, hasOwnFiles: true, nextAccount: account, keepsReading };

  const found: Sandbox[] = [];
  if (noIsolation === null && !without.includes('isolated')) {
    found.push({ ...own, level: 'isolated', missing: [...lacksUser, ...programs], command: confine });
  }
  if (hasOwnUser && !without.includes('user')) {
    const missing = [...lacksIsolation, ...programs];
    const level = keepsReading ? 'limits' : 'user';
    found.push({ ...own, level, missing, command: (needs) => wrap(needs.account) });
  }
  // Root without a user of its own still loses all privileges but access to files, which it opens by path.
  const bounded = isRoot ? ['--bounding-set', '-all,+dac_override,+dac_read_search'] : [];
  const commands = [[...prlimit(false), ...setpriv, ...bounded], [...prlimit(false), ...setpriv], prlimit(false)];
  const asService = await firstThatRuns(
    commands.map((each) => () => each),
    null,
    false,
  );
  const lacksOwnUser = lacking(
    OWN_USER,
    noUser ?? (isRoot ? remedy : 'Start the service as root: media processes then run as other users.'),
  );
  if (asService && !without.includes('limits')) {
    const missing = [...lacksIsolation, lacksOwnUser, ...programs];
    found.push({ ...NO_SANDBOX, level: 'limits', missing, command: () => asService(null) });
  }
  const missing = [...lacksIsolation, lacksOwnUser, lacking(PRIVILEGES, programs[0]?.remedy ?? remedy)];
  return [...found, { ...NO_SANDBOX, missing: [...missing, ...programs] }];
}

const lacking = (protection: string, remedy: string): MissingProtection => ({ protection, remedy });

/** Options of `setpriv` that change the user and leave a process, of all capabilities, that to read files. */
function becomeReader({ uid, gid }: ProcessAccount): string[] {
  const only = '-all,+dac_read_search';
  const capabilities = ['--inh-caps', '--ambient-caps', '--bounding-set'].flatMap((option) => [option, only]);
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities];
}

/** The reason why processes cannot be isolated on this system, with the remedy; null if they can. */
async function whyNotIsolated(
  confine: (needs: SandboxNeeds) => string[],
  account: ProcessAccount | null,
  keepsReading: boolean,
): Promise<string | null> {
  if (startCalls() === null) return `The filter of system calls has no table for ${process.arch}.`;
  const perl = ['/usr/bin/perl', '/usr/local/bin/perl', '/bin/perl'].find((path) => existsSync(path));
  if (!perl) return 'Install perl.';
  const command = confine({ network: false, readable: [], writable: [], account });
  // Perl may run perl, so that the test needs no other program.
  const failure = await run([...command.slice(0, -1), `x:${perl}`, '--', perl, '-e', '1'], account, keepsReading);
  if (failure === null) return null;
  return /Landlock/.test(failure)
    ? `Use a kernel with Landlock (5.13 or later, "landlock" in /sys/kernel/security/lsm), and a container runtime that allows it: ${failure}`
    : failure;
}

/** The first of these commands that runs a program; null if none does. */
async function firstThatRuns(
  commands: readonly ((account: ProcessAccount | null) => string[])[],
  account: ProcessAccount | null,
  keepsReading: boolean,
): Promise<((account: ProcessAccount | null) => string[]) | null> {
  for (const each of commands) {
    if ((await run([...each(account), 'true'], account, keepsReading)) === null) return each;
  }
  return null;
}

/** Long, because a slow probe on a machine under load does not mean that a protection is missing. */
const PROBE_MS = 120_000;

/** Runs a program in the root folder. Returns null, or why it failed. */
async function run(
  [program, ...args]: readonly string[],
  account: ProcessAccount | null,
  keepsReading: boolean,
): Promise<string | null> {
  const as = keepsReading ? {} : account;
  try {
    await promisify(execFile)(program!, args, { timeout: PROBE_MS, cwd: '/', ...as });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr?.trim() || message).split('\n')[0]!;
  }
}
