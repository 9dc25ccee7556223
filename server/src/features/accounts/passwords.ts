import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { problems } from './problems.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

type Cost = { N: number; r: number; p: number };

/** OWASP's equivalent of its first choice for scrypt with less memory: 32 MiB for each password under way. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 256;
/** Working on more at once would take the processor and the thread pool from everything else. */
const AT_ONCE = 2;
const MAX_WAITING = 100;

export interface Passwords {
  /** What is stored of a password: the parameters, a salt and the hash. Throws `password_weak` (400) for one that is easily guessed. */
  hash(password: string, email: string): Promise<string>;
  /** Whether it is the password behind `stored`. Without `stored` the answer is no, and takes as long. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** Passwords as scrypt hashes; `cost` is what new ones get. Throws `sign_in_busy` (503) when too many wait already. */
export function createPasswords(cost = COST): Passwords {
  const gate = createGate(AT_ONCE, MAX_WAITING);
  const nobody = written(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

  return {
    async hash(password, email) {
      requireStrong(password, email);
      const salt = randomBytes(SALT_BYTES);
      return written(cost, salt, await gate(() => run(password, salt, cost)));
    },
    async verify(password, stored) {
      const [, n, r, p, salt, hash] = (stored ?? nobody).split('$') as [string, string, string, string, string, string];
      const past = { N: Number(n), r: Number(r), p: Number(p) };
      const found = await gate(() => run(password, Buffer.from(salt, 'base64url'), past));
      return timingSafeEqual(found, Buffer.from(hash, 'base64url')) && stored !== null;
    },
  };
}

const written = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** The same password typed on two keyboards may be other code points: NFKC makes them one. */
const run = (password: string, salt: Buffer, cost: Cost) =>
  derive(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: 64 << 20 });

function requireStrong(password: string, email: string): void {
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain.length < MIN_PASSWORD || plain.length > MAX_PASSWORD) {
    throw problems.password_weak(`A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  if (plain.includes(email) || new Set(plain).size < 5) throw problems.password_weak();
}

/** Runs at most `atOnce` of what it is given at once, in the order it came. */
function createGate(atOnce: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= maxWaiting) throw problems.sign_in_busy(undefined, { headers: { 'retry-after': '5' } });
    if (running < atOnce) running++;
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
