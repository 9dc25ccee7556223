import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, longest first. */
const LONGEST = [
  'acceptance/fuzz.test.ts',
  'acceptance/console/first-run.test.ts',
  'server/src/platform/media/sources.test.ts',
  'server/test/idempotency-crash.test.ts',
  'server/src/platform/media/engine-agreement.test.ts',
  'server/src/engine/plan/mutation.test.ts',
  'acceptance/clients.test.ts',
  'server/src/features/live/recording/recording-length.test.ts',
  'server/src/platform/media/trim.test.ts',
  'acceptance/shutdown.test.ts',
  'acceptance/commands.test.ts',
  'acceptance/sources.test.ts',
  'server/src/features/imports/workers.test.ts',
  'server/src/platform/jobs/killed-workers.test.ts',
  'server/src/features/live/recording',
  'server/src/platform/media/engines.test.ts',
  'acceptance/chaos.test.ts',
  'server/src/platform/db/embedded/crash.test.ts',
  'server/test/access-control.test.ts',
  'server/src/engine/observe/contributing.test.ts',
  'acceptance/lifecycle.test.ts',
  'server/test/database-outage.test.ts',
  'server/src/engine/passes/agreement.test.ts',
  'acceptance',
  'server/src/engine/observe',
  'server/src/features/batches/vision-model.test.ts',
  'server/src/demo/scene.test.ts',
  'server/src/engine/recording',
  'server/src/features/imports/provider-faults.test.ts',
  'server/src/features/system/models/models.test.ts',
  'server/src/platform/db',
  'server/src/platform/media',
  'server/src/features/live',
  'server/src/features/uploads/url',
];
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

// Real databases and real media: generous limits, no retries that would hide a flake. Four files run at a time on CI's
// two processors, because most of the long ones wait half of their time.
export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      'server/test/**/*.test.ts',
      'sdk/src/**/*.test.ts',
      'web/src/**/*.test.ts',
      'acceptance/**/*.test.ts',
    ],
    globalSetup: ['server/test/global-setup.ts', 'acceptance/harness/end-services.ts'],
    pool: 'forks',
    maxWorkers: 4,
    // Otherwise each file loads all modules again: 182 s of CPU instead of 112 s on 27 files.
    isolate: false,
    setupFiles: ['server/test/undo-changes.ts'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    // Four files share two processors: a second, the default, is too short for what takes milliseconds alone.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
