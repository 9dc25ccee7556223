import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { failureKind } from '../../db/retry.ts';
import { problems } from '../problems.ts';
import type { Caller } from '../types.ts';
import type { LimitStore, Usage } from './store.ts';
import { createUploadSlots, UPLOAD_SLOTS } from './uploads.ts';

/** How many requests a key may make; the reads hold for an address, too. */
export type Rates = {
  writesPerMinute: number;
  writesPerDay: number;
  readsPerMinute: number;
  /** Uploads are counted by their bytes, and by how many a key sends to one node at once. */
  uploadBytesPerMinute: number;
  uploadsAtOnce: number;
};
export type Counted = 'read' | 'write' | 'upload';

/** One window of one subject: how much of its quota is used, and the seconds until it starts anew. */
type Window = { name: string; quota: number; lengthS: number; used: number; leftS: number };

const MINUTE_S = 60;
const DAY_S = 86_400;
/** Unit in which the bytes of uploads are counted. */
const MIB = 2 ** 20;
/** Subjects whose reads a node remembers; beyond it the one that was quiet longest is forgotten. */
const MAX_SUBJECTS = 50_000;

/** `now` is in milliseconds and never goes back, whatever becomes of the system's clock. */
export type LimitsDeps = { store: LimitStore; rates: Rates; now?: () => number };

/**
 * Rate limits. Writes and the bytes of uploads are counted per key in the database, so they hold over all nodes together, at one statement each;
 * reads are counted per key and per address in this process, so polling a status writes nothing: their limit holds per node. An address has no
 * limit of its own on writes: a whole team may share one. While the database is away nothing is counted: a write then fails by itself.
 */
export function createLimits({ store, rates, now = () => performance.now() }: LimitsDeps) {
  const reads = new LRUCache<string, { since: number; count: number }>({ max: MAX_SUBJECTS });
  const addresses = new LRUCache<string, string>({ max: MAX_SUBJECTS, memoMethod: addressOf });

  function countRead(subject: string, name = 'read-minute'): Window {
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

  async function countWrite(caller: Caller): Promise<Window[]> {
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

  /** By the announced length; a body without one counts as the smallest. */
  async function countUpload(request: FastifyRequest, caller: Caller): Promise<Window[]> {
    const quota = Math.max(1, Math.floor(rates.uploadBytesPerMinute / MIB));
    const length = Number(request.headers['content-length'] ?? 0);
    // One that is larger than the quota takes all of it.
    const amount = Math.min(quota, Math.max(1, Math.ceil(length / MIB) || 1));
    const usages = await count(`uploads of ${keyOf(caller)}`, quota, amount);
    return usages.map(({ minuteCount: used, minuteLeftS: leftS }) => ({
      ...{ name: 'upload-mib-minute', quota, lengthS: MINUTE_S, used, leftS },
    }));
  }

  /** Nothing while the database is away. */
  function count(subject: string, perMinute: number, amount?: number): Promise<Usage[]> {
    return store.count([subject], perMinute, amount).catch((error) => {
      if (failureKind(error) === 'connection') return [];
      throw error;
    });
  }

  const slots = createUploadSlots({ ...UPLOAD_SLOTS, perKey: rates.uploadsAtOnce });

  return {
    /** Before the key is looked at, so that guessing keys is limited too. Throws `rate_limited` (429). */
    admitAddress(request: FastifyRequest): void {
      refuse([countRead(addresses.memo(request.ip))]);
    },
    /** A file behind a signed URL: whoever plays films has as many requests for them as for reads, beside those. */
    admitFile(request: FastifyRequest, reply: FastifyReply): void {
      const windows = [countRead(`files of ${addresses.memo(request.ip)}`, 'file-minute')];
      reply.headers(headersOf(windows));
      refuse(windows);
    },
    /** After it: counts the request for its key, and has an upload wait for its turn. Says in the answer's headers what is left. */
    async admitKey(request: FastifyRequest, reply: FastifyReply, caller: Caller, counted: Counted): Promise<void> {
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

export type Limits = ReturnType<typeof createLimits>;

/** Throws for the window that takes longest to start anew, of those that are used up. */
function refuse(windows: Window[]): void {
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

/** `RateLimit-Policy` and `RateLimit` as the IETF's draft 10 writes them; of a window that is counted twice, the one with less left. */
function headersOf(windows: Window[]): Record<string, string> {
  const tightest = new Map<string, Window>();
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

/** Sessions of one person count together: signing in again gives nothing anew. */
const keyOf = ({ keyId, userId }: Caller) => (keyId === null ? `user ${userId}` : `key ${keyId}`);

/**
 * An IPv6 client has a whole /64 to choose its address from, so that is what is counted. Some proxies say the client's port too, which is another one
 * for each connection.
 */
export function addressOf(ip: string): string {
  const bare = ipaddr.isValid(ip) ? ip : ip.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(bare)) return `address ${bare}`;
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return `address ${address}`;
  return `address ${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}
