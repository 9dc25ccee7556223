import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './repository.ts';

/** A version whose nodes must run beside those of the present one, or the reason why none was found. */
export type PreviousVersion = { commit: string; name: string } | { missing: string };

type Lock = { packages: Record<string, { version?: string; link?: boolean; resolved?: string } & Marks> };
type Marks = { dev?: boolean; optional?: boolean; devOptional?: boolean };

const MIGRATIONS = 'server/migrations/*.sql';
const run = promisify(execFile);

/**
 * Finds the last release before HEAD, or the last commit without the newest migration if there is no release. It is in
 * the history of a whole clone.
 */
export async function findPreviousVersion(repository = REPOSITORY): Promise<PreviousVersion> {
  const git = (...args: string[]) =>
    run('git', ['-C', repository, ...args]).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    );
  const commitOf = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  const found = (commit: string, name: string) => ({ commit, name: `${name} (${commit.slice(0, 8)})` });

  const head = await commitOf('HEAD');
  if (!head) return { missing: `${repository} is not a clone of the repository` };
  const release = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^');
  if (release) return found((await commitOf(release))!, release);
  if (await git('ls-files', '--others', '--', MIGRATIONS)) return found(head, 'HEAD, before the new migration');
  const added = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
  const before = added && (await commitOf(`${added}^`));
  if (before) return found(before, 'the version before the newest migration');
  return { missing: 'the clone lacks the history before the newest migration (git fetch --unshallow gets it)' };
}

/**
 * Writes the files of a commit into an empty folder and links the packages that this checkout has. Packages of other
 * versions than the commit has locked, or that were removed since, are installed beside them. Throws if they cannot be.
 */
export async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`;
  await run('git', ['-C', REPOSITORY, 'archive', '--output', archive, commit]);
  await mkdir(folder);
  await run('tar', ['-xf', archive, '-C', folder]);
  const { packages } = await readJson<Lock>(join(folder, 'package-lock.json'));
  /** Packages to install by the folder of their workspace: each may need another version of one package. */
  const lacking = new Map<string, string[]>();
  for (const [path, { version, link, resolved, ...marks }] of Object.entries(packages)) {
    const [, workspace, name] = /^((?:(?!node_modules\/)[^/]+\/)*)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (workspace === undefined || name === undefined) continue;
    const target = link ? join(folder, resolved!) : join(REPOSITORY, path);
    if (link || (await installedVersion(target)) === version) await linkTo(target, join(folder, path));
    else if (!isLeftOut(marks)) lacking.set(workspace, [...(lacking.get(workspace) ?? []), `${name}@${version}`]);
  }
  for (const [workspace, names] of lacking) await install(names, workspace, folder);
}

/** Packages that a node can do without. */
const isLeftOut = ({ dev, optional, devOptional }: Marks) => Boolean(dev || optional || devOptional);

async function install(names: string[], workspace: string, folder: string): Promise<void> {
  const beside = join(`${folder} packages`, workspace);
  await mkdir(beside, { recursive: true });
  const args = ['install', '--prefix', beside, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...args, '--prefer-offline', ...names]).catch((error: { stderr: string }) => {
    throw new Error(
      `The previous version needs packages that this checkout lacks and npm cannot install: ${names.join(', ')}.\n${error.stderr}`,
    );
  });
  for (const name of names.map((each) => each.replace(/@[^@]*$/, ''))) {
    await linkTo(join(beside, 'node_modules', name), join(folder, workspace, 'node_modules', name));
  }
}

async function linkTo(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'junction');
}

const installedVersion = (folder: string) =>
  readJson<{ version: string }>(join(folder, 'package.json')).then(
    ({ version }) => version,
    () => null,
  );

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;
