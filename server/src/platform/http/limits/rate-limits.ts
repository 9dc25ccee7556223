import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { failureKind } from '../../db/retry.ts';
import { problems } from '../problems.ts';
import type { Caller } from '../types.ts';
import type { RateLimitStore, RateLimitUsage } from './store.ts';
import { createUploadSlots, UPLOAD_SLOTS } from './upload-slots.ts';

/** Limits of a key. The limit of reads applies to an address too. */
export type RateLimitConfig = {
  writesPerMinute: number;
  writesPerDay: number;
  readsPerMinute: number;
  /** Uploads are limited by their bytes, and by the number of concurrent ones per key and node. */
  uploadBytesPerMinute: number;
  uploadsAtOnce: number;
};
export type CountedAs = 'read' | 'write' | 'upload';

/** A window of one subject: the used part of its quota, and the seconds until it resets. */
type LimitWindow = { name: string; quota: number; lengthS: number; used: number; leftS: number };

const MINUTE_S = 60;
const DAY_S = 86_400;
/** Unit for the bytes of uploads. */
const MIB = 2 ** 20;
/** Number of subjects in the counter of reads of a node; the least recently used one is dropped. */
const MAX_SUBJECTS = 50_000;

/** `now` is in milliseconds and monotonic, also when the system clock is set. */
export type LimitsDeps = { store: RateLimitStore; rates: RateLimitConfig; now?: () => number };

/**
 * Rate limits. Writes and the bytes of uploads are counted per key in the database, with one statement, so they hold
 * over all nodes. Reads are counted per key and address in this process, so that polling writes nothing; their limit is
 * per node. Addresses have no limit of writes, because a team may share one. Nothing is counted while the database is
 * down: writes then fail anyway.
 */
export function createRateLimits({ store, rates, now = () => performance.now() }: LimitsDeps) {
  const reads = new LRUCache<string, { since: number; count: number }>({ max: MAX_SUBJECTS });
  const addresses = new LRUCache<string, string>({ max: MAX_SUBJECTS, memoMethod: toAddressSubject });

  function countRead(subject: string, name = 'read-minute'): LimitWindow {
    const at = now();
    let counted = reads.get(subject);
    if (!counted || at - counted.since >= MINUTE_S * 1000) {
      counted = { since: at, count: 0 };
      reads.set(subject, counted);
    }
    counted.count++;
    const leftS = Math.ceil(MINUTE_S - (at - counted.since) / 1000);
    return { name, quota: rates.readsPerMinute, lengthS: MINUTE_S, used: counted.count, leftS };
  }

  async function countWrite(caller: Caller): Promise<LimitWindow[]> {
    const usages = await count(keyOf(caller), rates.writesPerMinute);
    return usages.flatMap((usage) => [
      {
        name: 'write-minute',
        quota: rates.writesPerMinute,
        lengthS: MINUTE_S,
        used: usage.minuteCount,
        leftS: usage.minuteLeftS,
      },
      { name: 'write-day', quota: rates.writesPerDay, lengthS: DAY_S, used: usage.dayCount, leftS: usage.dayLeftS },
    ]);
  }

  /** Counts the `Content-Length`; a body without one counts as 1 MiB. */
  async function countUpload(request: FastifyRequest, caller: Caller): Promise<LimitWindow[]> {
    const quota = Math.max(1, Math.floor(rates.uploadBytesPerMinute / MIB));
    const length = Number(request.headers['content-length'] ?? 0);
    // A body larger than the quota uses all of it.
    const amount = Math.min(quota, Math.max(1, Math.ceil(length / MIB) || 1));
    const usages = await count(`uploads of ${keyOf(caller)}`, quota, amount);
    return usages.map(({ minuteCount: used, minuteLeftS: leftS }) => ({
      name: 'upload-mib-minute',
      quota,
      lengthS: MINUTE_S,
      used,
      leftS,
    }));
  }

  /** Returns no windows while the database is down. */
  function count(subject: string, perMinute: number, amount?: number): Promise<RateLimitUsage[]> {
    return store.count([subject], perMinute, amount).catch((error) => {
      if (failureKind(error) === 'connection') return [];
      throw error;
    });
  }

  const slots = createUploadSlots({ ...UPLOAD_SLOTS, perKey: rates.uploadsAtOnce });

  return {
    /**
     * Counts a request before its key is checked, so that guessing keys is limited too. Throws `rate_limited` (429).
     */
    admitAddress(request: FastifyRequest): void {
      refuse([countRead(addresses.memo(request.ip))]);
    },
    /** Counts a file behind a signed URL. The quota equals that of reads but is counted separately, for playback. */
    admitFile(request: FastifyRequest, reply: FastifyReply): void {
      const windows = [countRead(`files of ${addresses.memo(request.ip)}`, 'file-minute')];
      reply.headers(headersOf(windows));
      refuse(windows);
    },
    /** Counts a request for its key, queues an upload if needed, and sets the rate limit headers. */
    async admitKey(request: FastifyRequest, reply: FastifyReply, caller: Caller, counted: CountedAs): Promise<void> {
      const windows =
        counted === 'read'
          ? [countRead(keyOf(caller))]
          : await (counted === 'write' ? countWrite(caller) : countUpload(request, caller));
      if (windows.length > 0) reply.headers(headersOf(windows));
      refuse(windows);
      if (counted === 'upload') await slots.admit(keyOf(caller), request, reply);
    },
  };
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Throws for the exhausted window that resets last. */
function refuse(windows: LimitWindow[]): void {
  const full = windows.filter(({ used, quota }) => used > quota).sort((a, b) => b.leftS - a.leftS)[0];
  if (!full) return;
  const what = full.name.startsWith('write')
    ? 'writes and queries'
    : full.name.startsWith('upload')
      ? 'MiB of uploads'
      : 'requests';
  const span = full.lengthS === DAY_S ? 'day' : 'minute';
  throw problems.rate_limited(
    `More than ${full.quota} ${what} in a ${span} from one key${what === 'requests' ? ' or one address' : ''}: try again in ${full.leftS} seconds.`,
    { headers: { 'retry-after': String(full.leftS), ...headersOf(windows) } },
  );
}

/** `RateLimit-Policy` and `RateLimit` as in IETF draft 10; of a window that is counted twice, the tighter one. */
function headersOf(windows: LimitWindow[]): Record<string, string> {
  const tightest = new Map<string, LimitWindow>();
  for (const window of windows) {
    const other = tightest.get(window.name);
    if (!other || window.used > other.used) tightest.set(window.name, window);
  }
  const list = [...tightest.values()];
  return {
    'ratelimit-policy': list.map(({ name, quota, lengthS }) => `"${name}";q=${quota};w=${lengthS}`).join(', '),
    ratelimit: list
      .map(({ name, quota, used, leftS }) => `"${name}";r=${Math.max(0, quota - used)};t=${leftS}`)
      .join(', '),
  };
}

/** Sessions of one user count together, so that signing in again resets nothing. */
const keyOf = ({ keyId, userId }: Caller) => (keyId === null ? `user ${userId}` : `key ${keyId}`);

/**
 * IPv6 clients control a whole /64, so that is the subject. Some proxies append the client's port, which is removed.
 */
export function toAddressSubject(ip: string): string {
  const bare = ipaddr.isValid(ip) ? ip : ip.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(bare)) return `address ${bare}`;
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return `address ${address}`;
  return `address ${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}
