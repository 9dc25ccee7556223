import { readFileSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, type RolldownPluginOption, rolldown } from 'rolldown';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
const MODULES = join(REPOSITORY, 'node_modules');

/** Imports of libraries that never run here: of another binding, and of a file that bundlers for browsers load. */
const UNUSED = new Set(['pg-native', './wasm-lz4.wasm']);

export type BundleOptions = {
  /** Names of files, and the paths in the repository of the modules that they start with. */
  entries: Record<string, string>;
  out: string;
  /** Packages that stay dependencies. All others become part of the bundle. */
  external: readonly string[];
  plugins?: RolldownPluginOption[];
  signal?: AbortSignal;
};

/**
 * Bundles modules of this repository and the libraries that they import for Node, into one folder without subfolders
 * for modules. Returns the folders of the packages whose code or files are part of the bundle, relative to
 * `node_modules`.
 *
 * A module may refer to files beside it by `new URL('…', import.meta.url)`, and to those of packages by
 * `import.meta.resolve('…')`: modules become entries of the bundle, other files are copied. Folders beside modules must
 * be copied to the path that `placeOf` returns.
 */
export async function bundle({ entries, out, external, plugins = [], signal }: BundleOptions): Promise<string[]> {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(REPOSITORY, path)]));
  const bundled = new Set<string>();
  const build = await rolldown({
    input,
    cwd: REPOSITORY,
    platform: 'node',
    external: (id) => UNUSED.has(id) || external.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [referToFiles(bundled), ...plugins],
    // Libraries that read messages by code which they generate. Nothing is minified, so that its names stay right.
    checks: { eval: false },
    onLog(level, log, report) {
      // A module that is missed would otherwise only be reported where it is imported, which may be never in the tests.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      report(level, log);
    },
  });
  try {
    signal?.throwIfAborted();
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
    const { output } = await build.write({ dir: out, format: 'esm', ...names });
    for (const each of output) {
      if (each.type !== 'chunk') continue;
      for (const id of each.moduleIds) {
        const folder = packageFolder(id);
        if (folder) bundled.add(folder);
      }
    }
  } finally {
    await build.close();
  }
  return [...bundled].sort();
}

/** Path, relative to the bundle, of a file or folder that a module of the bundle refers to. */
export const placeOf = (path: string): string => relative(join(REPOSITORY, 'server'), path).replace(/^(\.\.\/)+/, '');

/** Points references of our own modules to files to the places of these files in the bundle. */
function referToFiles(bundled: Set<string>): Plugin {
  return {
    name: 'refer-to-files',
    transform(code, id) {
      if (packageFolder(id) || !code.includes('import.meta.')) return null;
      const place = (path: string): string => {
        const folder = packageFolder(path);
        if (folder) bundled.add(folder);
        const file = /\.[jt]s$/.test(path)
          ? this.emitFile({ type: 'chunk', id: path, name: moduleName(path) })
          : this.emitFile({ type: 'asset', name: basename(path), source: readFileSync(path) });
        return `import.meta.ROLLUP_FILE_URL_${file}`;
      };
      const replaced = code
        .replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (all, reference: string) => {
          const path = resolve(dirname(id), reference);
          const facts = statSync(path, { throwIfNoEntry: false });
          if (!facts) return all;
          return facts.isDirectory() ? `new URL('./${placeOf(path)}/', import.meta.url)` : `new URL(${place(path)})`;
        })
        .replace(/import\.meta\.resolve\('([^']+)'\)/g, (_, name: string) =>
          place(fileURLToPath(import.meta.resolve(name))),
        );
      return replaced === code ? null : { code: replaced, map: null };
    },
  };
}

/**
 * Copies files that modules of packages find by `__dirname`, which modules of a bundle do not have. `files` are paths
 * of files and folders relative to `node_modules`.
 */
export function copyPackageFiles(files: readonly string[], out: string): Plugin {
  const packages = new Set(files.map(packageOf));
  const place = (path: string) => `packages/${path}`;
  return {
    name: 'copy-package-files',
    resolveId: (id) => (id.startsWith(FOLDER) ? id : null),
    load: (id) =>
      id.startsWith(FOLDER)
        ? `export const folder = import.meta.dirname + ${JSON.stringify(`/${place(id.slice(FOLDER.length))}`)};`
        : null,
    transform(code, id) {
      const path = relative(MODULES, id);
      if (!packages.has(packageOf(path)) || !/\b__dirname\b/.test(code)) return null;
      const folder = `require(${JSON.stringify(FOLDER + dirname(path))}).folder`;
      return { code: code.replace(/\b__dirname\b/g, folder), map: null };
    },
    async writeBundle() {
      for (const path of files) await cp(join(MODULES, path), join(out, place(path)), { recursive: true });
    },
  };
}

/** Replaces a part of one module of a package. Fails if the module has no such part. */
export function replaceInModule(path: string, part: string, replacement: string): Plugin {
  let isReplaced = false;
  return {
    name: 'replace-in-module',
    transform(code, id) {
      if (relative(MODULES, id) !== path) return null;
      isReplaced = code.includes(part);
      return { code: code.replace(part, () => replacement), map: null };
    },
    generateBundle() {
      if (!isReplaced) throw new Error(`${path} does not contain ${part}.`);
    },
  };
}

/** Prefix of modules that know where the files beside a module of a package are. */
const FOLDER = 'folder-in-bundle:';

/** `…/server/src/platform/media/process/main.ts` → `media.process.main`: what process lists show. */
const moduleName = (path: string) =>
  path
    .replace(/\.[jt]s$/, '')
    .split('/')
    .slice(-3)
    .join('.');

/** `@scope/name/file.js` → `@scope/name`. */
const packageOf = (id: string) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');

/** Folder of the package that contains a module, relative to the repository; null for a module of this repository. */
function packageFolder(id: string): string | null {
  const path = relative(REPOSITORY, id);
  const at = path.lastIndexOf('node_modules/') + 'node_modules/'.length;
  return path.includes('node_modules/') ? path.slice(0, at) + packageOf(path.slice(at)) : null;
}
