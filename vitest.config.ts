import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, longest first. */
const LONGEST = [
  'acceptance/server-package.world.test.ts',
  'acceptance/fuzz.world.test.ts',
  'server/test/idempotency-crash.world.test.ts',
  'server/test/contributing.world.test.ts',
  'acceptance/mixed-versions.world.test.ts',
  'acceptance/clients.world.test.ts',
  'server/src/engine/plan/plan.test.ts',
  'server/src/features/batches/vision-model.service.test.ts',
  'server/test/access-control.service.test.ts',
  'server/test/backup.service.test.ts',
  'acceptance/console/pages.browser.test.ts',
  'acceptance/user-commands.service.test.ts',
  'acceptance/console/first-run.browser.test.ts',
  'acceptance/python-client.world.test.ts',
  'acceptance/console/video.browser.test.ts',
  'acceptance/packages.world.test.ts',
  'server/src/engine/vision',
  'server/src/platform/media/oracle.world.test.ts',
  'server/src/features/imports/workers.service.test.ts',
  'server/src/engine/robot-logs',
  'acceptance',
  'server/src/features/live/recording',
  'server/src/engine/language',
  'server/src/engine/observe',
  'server/src/platform/media',
  'server/src/features/live',
  'server/src/platform/db',
  'server/src/platform/jobs/killed-workers.service.test.ts',
  'server/test/database-outage.service.test.ts',
  'server/src/features/system/models/models.service.test.ts',
  'server/src/features/exports/readers.world.test.ts',
  'server/src/features/imports/provider-faults.service.test.ts',
  'server/src/engine/passes/agreement.service.test.ts',
  'server/src/demo/scene.service.test.ts',
  'server/src/features/uploads/url',
  'server/src/features/mcap/imports/lerobot-imports.world.test.ts',
  'server/src/features/webhooks/kills.world.test.ts',
  'server/src/engine/plan',
  'server/test/python-models.world.test.ts',
];
// Compiled modules, for workers and the processes that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

for (const path of LONGEST)
  if (!existsSync(join(import.meta.dirname, path)))
    throw new Error(`vitest.config.ts names ${path}, which does not exist.`);

/** Starts with the longest files. One that starts last runs alone while the other workers have nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => LONGEST.findIndex((path) => moduleId.includes(`/${path}`)) >>> 0;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * The tiers of tests. The name of a file states its tier:
 * `x.test.ts`          unit: no database, no process, no browser, no set-up
 * `x.service.test.ts`  database, media, HTTP
 * `x.browser.test.ts`  Chromium
 * `x.world.test.ts`    programs of others, published clients, other versions of Node, long random runs
 */
const TIERS = ['service', 'browser', 'world'] as const;
const ROOTS = '{server/src,server/test,sdk/src,web/src,acceptance,bench}';

export default defineConfig({
  test: {
    pool: 'forks',
    // Four files run at a time on CI's two processors, because most of the long ones wait half of their time.
    maxWorkers: 4,
    // Otherwise each file loads all modules again: 182 s of CPU instead of 112 s on 27 files.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Real databases and real media: generous limits, no retries that would hide a flake.
    testTimeout: 300_000,
    // Four files share two processors: a second, the default, is too short for what takes milliseconds alone.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${ROOTS}/**/*.test.ts`],
          exclude: TIERS.map((tier) => `**/*.${tier}.test.ts`),
          setupFiles: ['server/test/undo-changes.ts', 'server/test/no-resources.ts'],
        },
      },
      ...TIERS.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`${ROOTS}/**/*.${name}.test.ts`],
          globalSetup: ['server/test/global-setup.ts', 'acceptance/harness/end-services.ts'],
          setupFiles: [
            'server/test/undo-changes.ts',
            'server/test/leftovers.ts',
            ...(name === 'browser' ? ['acceptance/harness/console-problems.ts'] : []),
          ],
        },
      })),
    ],
  },
});
