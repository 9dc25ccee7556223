import { afterAll, expect, vi } from 'vitest';

// Test files share a process. What a file replaced through `vi` is restored after it; other changes of the environment
// fail it, because later files would depend on them.
const before = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  const names = Object.keys({ ...before, ...process.env });
  const changed = names.filter((name) => process.env[name] !== before[name]);
  expect(changed, 'variables that were changed without vi.stubEnv').toEqual([]);
});
