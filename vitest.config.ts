import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that drive the whole product take longest, however short their files: begun last, they would run on alone. */
class ProductFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      ['acceptance/fuzz.', 'acceptance/'].findIndex((part) => moduleId.includes(part)) >>> 0;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// Real databases and real media: few files at a time, generous limits, no retries that would hide a flake.
export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'sdk/src/**/*.test.ts', 'acceptance/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: ProductFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
