import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that the sources of the console import, or only those of `extensions`. Its manifest lists them beside those
 * that only build it.
 */
export function importedLibraries(web: string, extensions = ['ts', 'tsx']): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  const patterns = extensions.map((extension) => `src/**/*.${extension}`);
  const sources = globSync(patterns, { cwd: web, exclude: (path) => path.endsWith('.test.ts') });
  const text = sources.map((path) => readFileSync(join(web, path), 'utf8')).join('\n');
  return Object.keys(devDependencies)
    .filter((name) => !name.startsWith('@sightline/'))
    .filter((name) => new RegExp(`(?:from |import |import\\()['"]${name}['"/]`).test(text));
}
