import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { credentialOf } from './authentication.ts';
import { dismiss } from './departure.ts';
import { addressOf } from './limits/index.ts';
import { problems } from './problems.ts';
import type { App } from './types.ts';

/** How many event streams a key (or a signed-in person), and an address, may have open on one node. */
export type StreamLimits = { perKey: number; perAddress: number };

export const STREAM_LIMITS: StreamLimits = { perKey: 200, perAddress: 1_000 };
/** How often the credentials of open streams are checked, in milliseconds: a revoked key's streams end within a second. */
const CHECK_MS = 500;
const RETRY_AFTER_S = 5;

export type Streams = ReturnType<typeof createStreams>;

/** The open event streams of a node: counted, ended with their key or session, and ended when the server closes. */
export function createStreams(app: App, limits: StreamLimits) {
  const counts = new Map<string, number>();
  const open = new Map<FastifyRequest, (error: Problem) => void>();

  function take(request: FastifyRequest): string[] {
    const { userId, keyId } = request.caller;
    const subjects: [string, number][] = [
      [keyId === null ? `user ${userId}` : `key ${keyId}`, limits.perKey],
      [addressOf(request.ip), limits.perAddress],
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

  /** Checks each credential once, however many streams it has open. */
  async function check(): Promise<void> {
    const byCredential = Map.groupBy(open.keys(), ({ caller }) => credentialOf(caller));
    await Promise.all(
      [...byCredential.values()].map(async (requests) => {
        try {
          await app.callerOf(requests[0]!, 'any');
        } catch (error) {
          // While the database is down, no stream is ended for it.
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
    for (const request of open.keys()) dismiss(request, 'the server is closing');
  });

  return {
    /** Counts a stream until its response closes. Throws `too_many_streams` (429). */
    admit(request: FastifyRequest, { raw }: FastifyReply): void {
      const subjects = take(request);
      raw.once('close', () => {
        for (const subject of subjects) {
          const left = counts.get(subject)! - 1;
          if (left > 0) counts.set(subject, left);
          else counts.delete(subject);
        }
      });
    },
    /** Has `refuse` called once the stream's key or session is valid no more. Returns what ends that. */
    watch(request: FastifyRequest, refuse: (error: Problem) => void): () => void {
      open.set(request, refuse);
      return () => void open.delete(request);
    },
  };
}
