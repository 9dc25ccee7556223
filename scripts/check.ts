/**
 * Runs all checks: formatting, lint, types, import rules, dead code, language, translations, frozen migrations,
 * generated files, OpenAPI document. As many at a time as there are processors; prints the output of failed ones and
 * exits with 1 if any failed. A check that cannot run prints `SKIPPED` and the reason.
 * `npm run check`
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// Compiled modules, which the checks share with each other and with the tests.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/node');

/**
 * The native compiler, with one checker: more of them share the work among processors but repeat much of it. The
 * package `typescript` is for programs that use its API.
 */
const TSC = ['node', 'node_modules/typescript-native/bin/tsc', '--checkers', '1'];

/** Slow checks first, so that none of them runs alone at the end. */
const CHECKS: Record<string, string[]> = {
  types: [...TSC, '--project', 'tsconfig.json'],
  'types of the console': [...TSC, '--project', 'web/tsconfig.json'],
  'generated files': ['node', 'scripts/generate.ts', '--check'],
  'generated Python models': ['node', 'scripts/check-python-models.ts'],
  'format and lint': ['biome', 'ci', '.'],
  'import rules': ['depcruise', 'server/src', 'sdk/src', 'web/src', 'bench', 'scripts'],
  'dead code': ['knip'],
  'dead code in production': ['knip', '--production', '--exclude', 'types'],
  language: ['node', 'scripts/check-prose.ts'],
  'size of the console': ['node', 'scripts/check-console.ts'],
  translations: ['node', 'scripts/check-translations.ts'],
  'frozen migrations': ['node', 'scripts/check-migrations.ts'],
  'bill of materials': ['node', 'scripts/sbom.ts', '--check'],
  'API description': ['node', 'scripts/lint-openapi.ts'],
};

type CheckResult = { passed: boolean; output: string; seconds: number };

function run([program, ...args]: string[]): Promise<CheckResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    // npm puts node_modules/.bin, and with it the pinned Node, on the PATH.
    const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ passed: false, output: String(error), seconds: 0 }));
    child.on('close', (code) => resolve({ passed: code === 0, output, seconds: (performance.now() - started) / 1000 }));
  });
}

const waiting = Object.entries(CHECKS);
let failed = 0;
let skipped = 0;

async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command] = next;
    const { passed, output, seconds } = await run(command);
    if (passed && output.startsWith('SKIPPED')) {
      skipped++;
      console.log(output.trimEnd());
      continue;
    }
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
    if (passed) continue;
    failed++;
    console.log(output.trimEnd());
  }
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, runWaiting));
const count = Object.keys(CHECKS).length;
if (failed > 0) console.log(`${failed} of ${count} checks failed.`);
else
  console.log(
    skipped === 0 ? 'All checks passed.' : `${count - skipped} of ${count} checks passed, the rest was skipped.`,
  );
process.exitCode = failed === 0 ? 0 : 1;
