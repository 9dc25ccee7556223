import { describe, expect, it } from 'vitest';
import { faultOf } from './state.ts';
import type { Camera } from './types.ts';

const NOW = new Date('2026-11-24T09:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const SESSION = { status: 'ACTIVE', connected: true, problem: null, frozenSince: null, blackSince: null };
const camera = (session: object, settings: object = {}) =>
  ({
    enabled: true,
    schedule: null,
    timeZone: null,
    problem: null,
    offlineSince: null,
    lastFrameAt: ago(1),
    session: { ...SESSION, ...session },
    ...settings,
  }) as unknown as Camera;
const problem = { code: 'live_source_refused', message: 'The source closed the connection.' };

describe('the fault of a camera', () => {
  it('is that nothing arrives, once half a minute has passed', () => {
    const lost = (seconds: number) =>
      faultOf(camera({ connected: false, problem }, { lastFrameAt: ago(seconds) }), NOW);
    expect(lost(29)).toBeNull();
    expect(lost(31)).toEqual({ kind: 'offline', since: ago(31), message: problem.message });
    const unreachable = camera({ status: 'FINISHED', connected: false }, { problem, offlineSince: ago(600) });
    expect(faultOf(unreachable, NOW)).toMatchObject({ kind: 'offline', since: ago(600) });
  });

  it('is a black or frozen picture while frames arrive', () => {
    expect(faultOf(camera({}), NOW)).toBeNull();
    expect(faultOf(camera({ frozenSince: ago(12) }), NOW)).toMatchObject({ kind: 'frozen', since: ago(12) });
    expect(faultOf(camera({ blackSince: ago(12) }), NOW)).toMatchObject({ kind: 'black', since: ago(12) });
    const lost = camera({ frozenSince: ago(99), connected: false, problem }, { lastFrameAt: ago(40) });
    expect(faultOf(lost, NOW)).toMatchObject({ kind: 'offline' });
  });

  it('is absent while the camera is off', () => {
    expect(faultOf(camera({ frozenSince: ago(12) }, { enabled: false }), NOW)).toBeNull();
  });
});
