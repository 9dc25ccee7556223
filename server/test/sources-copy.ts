import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
/** Our own packages, which are those of the copy. */
const OWN = '@sightline';
const EXCLUDED = new Set(['.git', 'node_modules', 'data', 'packages']);

export type SourcesCopy = Awaited<ReturnType<typeof copySources>>;

/** Copies the sources into a new folder, with links to the installed packages, and changes and runs them there. */
export async function copySources() {
  const folder = await mkdtemp(join(tmpdir(), 'sightline sources '));
  const modules = ['node_modules'];
  for (const name of await readdir(REPOSITORY)) {
    if (EXCLUDED.has(name)) continue;
    const filter = (path: string) => {
      // Other tests may build while the copy is made.
      if (path.endsWith('/dist')) return false;
      if (!path.endsWith('node_modules')) return true;
      modules.push(path.slice(REPOSITORY.length + 1));
      return false;
    };
    await cp(join(REPOSITORY, name), join(folder, name), { recursive: true, filter });
  }
  for (const path of modules) await linkPackages(path);

  async function linkPackages(path: string): Promise<void> {
    await mkdir(join(folder, path));
    for (const name of await readdir(join(REPOSITORY, path))) {
      if (name.startsWith('.') || name === OWN) continue;
      await symlink(join(REPOSITORY, path, name), join(folder, path, name), 'junction');
    }
  }
  await mkdir(join(folder, 'node_modules', OWN));
  for (const name of ['sdk', 'server', 'web']) {
    await symlink(join(folder, name), join(folder, 'node_modules', OWN, name), 'junction');
  }

  const read = (file: string) => readFile(join(folder, file), 'utf8');
  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }

  return {
    folder,
    read,
    write,
    /**
     * Applies a diff whose hunks have no line numbers: `--- FILE`, then hunks between lines `@@`. The lines of a hunk
     * that are in the file must be there once. Returns the files; one of which only lines are added is new.
     */
    async apply(diff: string): Promise<string[]> {
      const files = diff.split(/^--- /m).filter(Boolean);
      const names: string[] = [];
      for (const [, file, hunks] of files.map((each) => /^(\S+)\n(.*)$/s.exec(each)!)) {
        names.push(file!);
        for (const hunk of hunks!.split(/^@@\n/m)) {
          const side = (mark: '-' | '+') =>
            [...hunk.matchAll(/^([-+ ])(.*\n)/gm)].flatMap(([, sign, line]) =>
              sign === ' ' || sign === mark ? line! : [],
            );
          const [before, after] = [side('-').join(''), side('+').join('')];
          if (before === '') {
            await write(file!, after);
            continue;
          }
          const text = await read(file!);
          expect(text.split(before), `${file} contains once:\n${before}`).toHaveLength(2);
          await write(
            file!,
            text.replace(before, () => after),
          );
        }
      }
      return names;
    },
    /** Runs a script of a package, or one of the copy, in the copy. Rejects with its output if it fails. */
    async run(script: string, args: readonly string[] = [], workspace = '.'): Promise<string> {
      const path = script.startsWith('scripts/') ? join(folder, script) : join(REPOSITORY, 'node_modules', script);
      const { NO_COLOR: _, DATABASE_URL: __, ...env } = process.env;
      // Beside the copy there is no footage.
      const footage = inject('footage');
      const options = {
        cwd: join(folder, workspace),
        env: { ...env, FORCE_COLOR: '0', ...(footage ? { SIGHTLINE_TEST_FOOTAGE: footage } : {}) },
        maxBuffer: 2 ** 24,
      };
      // In a session of its own: a test runner that runs in it ends its whole process group when it ends.
      return promisify(execFile)('setsid', ['--wait', process.execPath, path, ...args], options).then(
        ({ stdout }) => stdout,
        ({ stdout, stderr }) => expect.fail(`${script} ${args.join(' ')}\n${stdout}\n${stderr}`),
      );
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
