import { stat } from 'node:fs/promises';

const MAX_FILES = 16;

/**
 * Caches what was read from the most recently used files. A file that changed (size, times, inode) is read again;
 * failures are not cached.
 */
export type FileCache<Value> = (path: string, read: () => Promise<Value>) => Promise<Value>;

export function createFileCache<Value>(): FileCache<Value> {
  const values = new Map<string, Promise<Value>>();
  return async (path, read) => {
    const facts = await stat(path, { bigint: true }).catch(() => null);
    if (!facts) return read();
    const key = [path, facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ');
    const value = values.get(key) ?? read();
    values.delete(key);
    values.set(key, value);
    if (values.size > MAX_FILES) values.delete(values.keys().next().value!);
    value.catch(() => values.get(key) === value && values.delete(key));
    return value;
  };
}
