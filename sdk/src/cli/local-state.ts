import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Login = { url: string; key: string };

/** State of the command line between runs, in a folder and files that only the user can read. */
export function openLocalState(env: NodeJS.ProcessEnv) {
  const folder = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'sightline');
  const read = async <T>(name: string): Promise<T | null> => {
    const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    return text === null ? null : (JSON.parse(text) as T);
  };
  /** Writes atomically: a temporary file that is renamed. */
  const write = async (name: string, value: object) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const partial = join(folder, `${name}.${process.pid}.partial`);
    await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(partial, join(folder, name));
  };
  /** One file per upload, so that concurrent commands do not overwrite each other. */
  const nameOf = (file: string) => `upload-${file}.json`;
  return {
    login: () => read<Login>('login.json'),
    saveLogin: (login: Login) => write('login.json', login),
    deleteLogin: () => rm(join(folder, 'login.json'), { force: true }),
    /** Id of an unfinished upload of this file, if any. */
    upload: async (file: string) => (await read<{ id: string }>(nameOf(file)))?.id,
    saveUpload: (file: string, id: string) => write(nameOf(file), { id }),
    deleteUpload: (file: string) => rm(join(folder, nameOf(file)), { force: true }),
  };
}

export type LocalState = ReturnType<typeof openLocalState>;
