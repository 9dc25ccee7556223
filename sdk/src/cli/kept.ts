import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Login = { url: string; key: string };

/** What the command line keeps between two runs, in a folder and files that nobody else can read. */
export function openKept(env: NodeJS.ProcessEnv) {
  const folder = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'sightline');
  const read = async <T>(name: string): Promise<T | null> => {
    const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    return text === null ? null : (JSON.parse(text) as T);
  };
  /** There whole or not at all. */
  const write = async (name: string, value: object) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const partial = join(folder, `${name}.${process.pid}.partial`);
    await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(partial, join(folder, name));
  };
  /** A file for each, so that commands that run at the same time keep out of each other's way. */
  const nameOf = (file: string) => `upload-${file}.json`;
  return {
    login: () => read<Login>('login.json'),
    keepLogin: (login: Login) => write('login.json', login),
    forgetLogin: () => rm(join(folder, 'login.json'), { force: true }),
    /** The upload that was begun with this file and has not ended, if any. */
    upload: async (file: string) => (await read<{ id: string }>(nameOf(file)))?.id,
    keepUpload: (file: string, id: string) => write(nameOf(file), { id }),
    forgetUpload: (file: string) => rm(join(folder, nameOf(file)), { force: true }),
  };
}

export type Kept = ReturnType<typeof openKept>;
