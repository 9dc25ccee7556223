import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts with the tests that drive the whole product: they take longest, however short their files. */
class ProductFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      ['acceptance/fuzz.', 'acceptance/'].findIndex((part) => moduleId.includes(part)) >>> 0;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// Real databases and real media: generous limits, no retries that would hide a flake. Three files run at a time on CI's
// two processors, because half of the tests wait for something else.
export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      'server/test/**/*.test.ts',
      'sdk/src/**/*.test.ts',
      'web/src/**/*.test.ts',
      'acceptance/**/*.test.ts',
    ],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // Otherwise each file loads all modules again: 182 s of CPU instead of 112 s on 27 files.
    isolate: false,
    setupFiles: ['server/test/undo-changes.ts'],
    sequence: { sequencer: ProductFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
