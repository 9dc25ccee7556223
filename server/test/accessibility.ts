import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Violations of the rules of accessibility on a page without frames, each as its rule and its HTML. `rules` are the
 * names of those that are checked; default: all.
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Most of the time of a check is that of loading 600 kB into the page: once per document.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}
