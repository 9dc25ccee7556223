/**
 * The gate: formatting, lint, types, arrows, dead code, frozen migrations, generated files, the API's description. Runs all of them, prints what failed, and exits with 1 if any did.
 * `npm run check`
 */
import { spawn } from 'node:child_process';

const CHECKS: Record<string, string[]> = {
  'format and lint': ['biome', 'ci', '.'],
  types: ['tsc', '--project', 'tsconfig.json'],
  arrows: ['depcruise', 'server/src', 'sdk/src', 'bench', 'scripts'],
  'dead code': ['knip'],
  'frozen migrations': ['node', 'scripts/check-migrations.ts'],
  'generated files': ['node', 'scripts/generate.ts', '--check'],
  'API description': ['node', 'scripts/lint-openapi.ts'],
};

type Outcome = { name: string; passed: boolean; output: string; seconds: number };

function run(name: string, [program, ...args]: string[]): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    // npm puts node_modules/.bin, and with it the pinned Node, on the PATH.
    const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ name, passed: false, output: String(error), seconds: 0 }));
    child.on('close', (code) =>
      resolve({ name, passed: code === 0, output, seconds: (performance.now() - started) / 1000 }),
    );
  });
}

let failed = 0;
for (const [name, command] of Object.entries(CHECKS)) {
  const outcome = await run(name, command);
  console.log(`${outcome.passed ? 'ok    ' : 'FAILED'} ${name} (${outcome.seconds.toFixed(1)} s)`);
  if (outcome.passed) continue;
  failed++;
  console.log(outcome.output.trimEnd());
}
console.log(failed === 0 ? 'The gate is open.' : `${failed} of ${Object.keys(CHECKS).length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
