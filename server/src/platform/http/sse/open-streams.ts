import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { credentialId } from '../auth/authentication.ts';
import { toAddressSubject } from '../limits/rate-limits.ts';
import { problems } from '../problems.ts';
import { disconnect } from '../request/request-signal.ts';
import type { App, OpenStreams } from '../types.ts';

/** Maximum number of open event streams per key (or signed-in user) and per address, on one node. */
export type StreamLimits = { perKey: number; perAddress: number };

export const STREAM_LIMITS: StreamLimits = { perKey: 200, perAddress: 1_000 };
/**
 * Interval in milliseconds at which credentials of open streams are checked, so that revocation ends them within a
 * second.
 */
const CHECK_MS = 500;
const RETRY_AFTER_S = 5;

/** See `OpenStreams`. */
export function createOpenStreams(app: App, limits: StreamLimits): OpenStreams {
  const counts = new Map<string, number>();
  const open = new Map<FastifyRequest, (error: Problem) => void>();

  function take(request: FastifyRequest): string[] {
    const { userId, keyId } = request.caller;
    const subjects: [string, number][] = [
      [keyId === null ? `user ${userId}` : `key ${keyId}`, limits.perKey],
      [toAddressSubject(request.ip), limits.perAddress],
    ];
    for (const [subject, most] of subjects) {
      if ((counts.get(subject) ?? 0) < most) continue;
      const holder = subject.startsWith('address') ? 'address' : 'key or person';
      throw problems.too_many_streams(
        `One ${holder} may have ${most} event streams open at once: close one, and try again after ${RETRY_AFTER_S} seconds.`,
        { headers: { 'retry-after': String(RETRY_AFTER_S) } },
      );
    }
    for (const [subject] of subjects) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    return subjects.map(([subject]) => subject);
  }

  /** Checks each credential once, regardless of its number of streams. */
  async function check(): Promise<void> {
    const byCredential = Map.groupBy(open.keys(), ({ caller }) => credentialId(caller));
    await Promise.all(
      [...byCredential.values()].map(async (requests) => {
        try {
          const caller = await app.authenticateRequest(requests[0]!, 'any');
          for (const request of requests) request.caller = caller;
        } catch (error) {
          // An unavailable database does not end streams.
          if (error instanceof Problem) for (const request of requests) open.get(request)?.(error);
        }
      }),
    );
  }

  let checking = false;
  const timer = setInterval(async () => {
    if (checking || open.size === 0) return;
    checking = true;
    await check().finally(() => {
      checking = false;
    });
  }, CHECK_MS).unref();
  app.addHook('preClose', async () => {
    clearInterval(timer);
    for (const request of open.keys()) disconnect(request, 'the server is closing');
  });

  return {
    admit(request, { raw }) {
      const subjects = take(request);
      raw.once('close', () => {
        for (const subject of subjects) {
          const left = counts.get(subject)! - 1;
          if (left > 0) counts.set(subject, left);
          else counts.delete(subject);
        }
      });
    },
    watch(request, refuse) {
      open.set(request, refuse);
      return () => void open.delete(request);
    },
  };
}
