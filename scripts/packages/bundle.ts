import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

export const REPOSITORY = resolve(import.meta.dirname, '../..');

/**
 * Libraries that are bundled: those of very many small modules, whose loading takes most of a start. All others stay
 * dependencies.
 */
const BUNDLED = /^(typebox|kysely|undici|@sightline\/sdk)(\/|$)/;

export type Bundle = {
  /** Names of the packages that the bundle still imports. */
  dependencies: string[];
  /** Names of the packages that are part of the bundle. */
  bundled: string[];
};

/**
 * Bundles modules of this repository for Node, into one folder without subfolders. `entries` maps names of files to
 * paths in the repository.
 *
 * A module may refer to files beside it by `new URL('…', import.meta.url)`: modules that other processes run become
 * entries of the bundle, other files and folders must be copied to the path that `placeOf` returns.
 */
export async function bundle(entries: Record<string, string>, out: string, signal?: AbortSignal): Promise<Bundle> {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(REPOSITORY, path)]));
  const dependencies = new Set<string>();
  const bundled = new Set<string>();
  const build = await rolldown({
    input,
    cwd: REPOSITORY,
    platform: 'node',
    external: (id) => {
      if (/^[.#/]|^node:/.test(id) || BUNDLED.test(id)) return false;
      dependencies.add(packageOf(id));
      return true;
    },
    plugins: [referToFiles()],
  });
  try {
    signal?.throwIfAborted();
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
    const { output } = await build.write({ dir: out, format: 'esm', ...names });
    for (const each of output) {
      if (each.type !== 'chunk') continue;
      for (const id of each.moduleIds) {
        const path = id.split('/node_modules/').at(-1)!;
        if (path !== id) bundled.add(packageOf(path));
      }
    }
  } finally {
    await build.close();
  }
  return { dependencies: [...dependencies].sort(), bundled: [...bundled].sort() };
}

/** Path, relative to the bundle, of a file or folder that a module of the bundle refers to. */
export const placeOf = (path: string): string => relative(join(REPOSITORY, 'server'), path).replace(/^(\.\.\/)+/, '');

/** Points each `new URL('…', import.meta.url)` of our own modules to the file's place in the bundle. */
function referToFiles(): Plugin {
  return {
    name: 'refer-to-files',
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null;
      const replaced = code.replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (all, reference: string) => {
        const path = resolve(dirname(id), reference);
        if (!existsSync(path) || path.includes('/node_modules/')) return all;
        if (statSync(path).isDirectory()) return `new URL('./${placeOf(path)}/', import.meta.url)`;
        const file = path.endsWith('.ts')
          ? this.emitFile({ type: 'chunk', id: path, name: moduleName(path) })
          : this.emitFile({ type: 'asset', name: basename(path), source: readFileSync(path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
      });
      return replaced === code ? null : { code: replaced, map: null };
    },
  };
}

/** `…/server/src/platform/media/process/main.ts` → `media.process.main`: what process lists show. */
const moduleName = (path: string) => path.replace(/\.ts$/, '').split('/').slice(-3).join('.');

/** `@scope/name/file.js` → `@scope/name`. */
const packageOf = (id: string) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');
