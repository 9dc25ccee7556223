import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { problems } from './problems.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

type Cost = { N: number; r: number; p: number };

/** OWASP's alternative scrypt parameters with less memory: 32 MiB per concurrent hash. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 256;
/** More concurrent hashes would starve other work of CPU and threads. */
const CONCURRENCY = 2;
const MAX_WAITING = 100;

export interface Passwords {
  /**
   * The stored form of a password: parameters, salt and hash. Throws `password_weak` (400) for one that is easy to
   * guess.
   */
  hash(password: string, email: string): Promise<string>;
  /** True if it is the password of `stored`. Without `stored` the result is false and takes equally long. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** Passwords as scrypt hashes; `cost` applies to new ones. Throws `sign_in_busy` (503) when too many are queued. */
export function createPasswords(cost = COST): Passwords {
  const limit = createLimit(CONCURRENCY, MAX_WAITING);
  const nobody = formatHash(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

  return {
    async hash(password, email) {
      requireStrong(password, email);
      const salt = randomBytes(SALT_BYTES);
      return formatHash(cost, salt, await limit(() => run(password, salt, cost)));
    },
    async verify(password, stored) {
      const [, n, r, p, salt, hash] = (stored ?? nobody).split('$') as [string, string, string, string, string, string];
      const past = { N: Number(n), r: Number(r), p: Number(p) };
      const found = await limit(() => run(password, Buffer.from(salt, 'base64url'), past));
      return timingSafeEqual(found, Buffer.from(hash, 'base64url')) && stored !== null;
    },
  };
}

const formatHash = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** Keyboards may produce different code points for the same password; NFKC unifies them. */
const run = (password: string, salt: Buffer, cost: Cost) =>
  derive(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: 64 << 20 });

function requireStrong(password: string, email: string): void {
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain.length < MIN_PASSWORD || plain.length > MAX_PASSWORD) {
    throw problems.password_weak(`The password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  if (plain.includes(email) || new Set(plain).size < 5) throw problems.password_weak();
}

/** Runs at most `concurrency` tasks concurrently, in order. */
function createLimit(concurrency: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= maxWaiting) throw problems.sign_in_busy(undefined, { headers: { 'retry-after': '5' } });
    if (running < concurrency) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
