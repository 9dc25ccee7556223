import { defineConfig } from 'vitest/config';

// Real databases and real media: few files at a time, generous limits, no retries that would hide a flake.
export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'sdk/src/**/*.test.ts', 'acceptance/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
