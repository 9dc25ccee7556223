/** Fails if the catalogs of the console do not match its texts, or if a translation is missing. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WEB = join(import.meta.dirname, '../web');
const CATALOGS = join(WEB, 'src/locales');
const SOURCE = 'en.po';

const folder = mkdtempSync(join(tmpdir(), 'sightline catalogs '));
const problems: string[] = [];
try {
  cpSync(CATALOGS, folder, { recursive: true });
  const env = { ...process.env, CATALOGS: join(folder, '{locale}') };
  execFileSync('lingui', ['extract', '--clean'], { cwd: WEB, env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of readdirSync(CATALOGS)) {
    const extracted = readFileSync(join(folder, name), 'utf8');
    if (withoutDate(extracted) !== withoutDate(readFileSync(join(CATALOGS, name), 'utf8'))) {
      problems.push(`web/src/locales/${name} does not match the texts of the console. Run npm run translations.`);
    }
    if (name === SOURCE) continue;
    for (const [, id] of extracted.matchAll(/msgid ((?:".*"\n)+)msgstr ""\n(?!")/g)) {
      problems.push(`web/src/locales/${name}: no translation of ${id!.trim()}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function withoutDate(catalog: string): string {
  return catalog.replace(/^"POT-Creation-Date:.*\n/m, '');
}
