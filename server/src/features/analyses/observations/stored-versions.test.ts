import { expect, test } from 'vitest';
import { fromStoredVersion, toStoredVersion } from './stored-versions.ts';

test.each([
  ['sparse-pass-8', 'glance-8'],
  ['sparse-pass-8.yolox_nano.0123456789ab', 'glance-8.yolox_nano.0123456789ab'],
  ['keyframe-scan-3', 'triage-3'],
  ['keyframe-scan-3@120-180', 'triage-3@120-180'],
  ['keyframe-scan-31', 'keyframe-scan-31'],
  ['sparse-pass-9', 'sparse-pass-9'],
  ['signals-10@0-60', 'signals-10@0-60'],
])('%s is stored as %s', (version, stored) => {
  expect(toStoredVersion(version)).toBe(stored);
  expect(fromStoredVersion(stored)).toBe(version);
});
