import { afterEach, expect, test, vi } from 'vitest';
import { compareClocks, serviceNow } from './service-clock.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const responseAt = (ms: number) => ({ headers: new Headers({ date: new Date(ms).toUTCString() }) });

afterEach(() => {
  vi.useRealTimers();
  compareClocks(responseAt(Date.now()));
});

test('a browser whose clock is wrong has the time of the service', () => {
  vi.useFakeTimers({ now: NOW });
  compareClocks(responseAt(NOW - 3_600_000));
  expect(serviceNow()).toBe(NOW - 3_600_000);
  vi.advanceTimersByTime(5_000);
  expect(serviceNow()).toBe(NOW - 3_595_000);
  // Somebody has set the clock.
  compareClocks(responseAt(NOW + 5_000));
  expect(serviceNow()).toBe(NOW + 5_000);
});

test('the delay of a response changes nothing, nor does a response without a date', () => {
  vi.useFakeTimers({ now: NOW });
  compareClocks(responseAt(NOW - 20_000));
  expect(serviceNow()).toBe(NOW);
  compareClocks(responseAt(NOW + 7_200_000));
  compareClocks({ headers: new Headers() });
  expect(serviceNow()).toBe(NOW + 7_200_000);
});
