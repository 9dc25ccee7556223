import { expect, test, vi } from 'vitest';
import { findFootage } from './find-footage.ts';

test('a folder of footage is used; without one, a run warns once, and CI fails', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    expect(findFootage({ ci: true, given: import.meta.dirname })).toBe(import.meta.dirname);
    expect(warn).not.toHaveBeenCalled();
    expect(findFootage({ ci: false, given: '/no/such/folder' })).toBeNull();
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /SKIPPED: all tests on real footage, .* \/no\/such\/folder \(set SIGHTLINE_TEST_FOOTAGE /,
        ),
      ],
    ]);
    expect(() => findFootage({ ci: true, given: '/no/such/folder' })).toThrow(/CI skips no tests/);
  } finally {
    warn.mockRestore();
  }
});
