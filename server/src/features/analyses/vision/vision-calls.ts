import type { Allowance, CallLedger, StoredReply, UsageLedger } from '#engine/index';
import type { Database, Transaction } from '#platform/db/index';
import * as store from './store.ts';
import type { MonthlyVisionUsage, PayingAccount, VisionAccount, VisionCaps } from './types.ts';

/** Replies of the vision-language model, and tokens of all models, in the database that all nodes share. */
export function createVisionCalls({ database, caps }: { database: Database; caps: VisionCaps }) {
  const { tokenLimits = {}, moneyLimits = {} } = caps ?? {};
  /** Tokens that calls of this process have reserved and not settled, by what a limit is counted of. */
  const held = new Map<string, number>();
  const holdersOf = ({ orgId, keyId, batchId }: PayingAccount) => ({
    batch: `batch ${batchId}`,
    key: `key ${orgId} ${keyId}`,
    month: `month ${orgId}`,
  });

  /** Limits that apply to an account, with what was used of each. */
  async function listUsed(account: PayingAccount, month: string) {
    const { orgId, keyId, batchId } = account;
    const has = (name: 'batch' | 'key' | 'month') => tokenLimits[name] !== undefined || moneyLimits[name] !== undefined;
    return [
      ...(has('batch') && batchId !== null
        ? [{ name: 'batch' as const, of: 'per batch', used: await store.sumOfBatch(database.db, batchId) }]
        : []),
      ...(has('key') && keyId !== null
        ? [
            {
              name: 'key' as const,
              of: 'per API key and month',
              used: await store.sumOfMonth(database.db, orgId, month, keyId),
            },
          ]
        : []),
      ...(has('month')
        ? [{ name: 'month' as const, of: 'per month', used: await store.sumOfMonth(database.db, orgId, month) }]
        : []),
    ];
  }

  async function allowanceOf(account: PayingAccount, price: number): Promise<Allowance | null> {
    const holders = holdersOf(account);
    const tokensFor = (money: number) => (price > 0 ? (money * 1e6) / price : Number.POSITIVE_INFINITY);
    const limits: Allowance[] = (await listUsed(account, monthOf(new Date()))).flatMap(({ name, of, used }) => [
      ...(tokenLimits[name] === undefined
        ? []
        : [
            {
              tokens: tokenLimits[name] - used.inputTokens - used.outputTokens,
              limit: `the limit of ${tokenLimits[name]} tokens ${of}`,
              held: held.get(holders[name]) ?? 0,
            },
          ]),
      ...(moneyLimits[name] === undefined
        ? []
        : [
            {
              tokens: tokensFor(moneyLimits[name] - used.cost),
              limit: `the limit of ${moneyLimits[name]} in money ${of}`,
              held: held.get(holders[name]) ?? 0,
            },
          ]),
    ]);
    const freeOf = ({ tokens, held = 0 }: Allowance) => tokens - held;
    return limits.toSorted((a, b) => freeOf(a) - freeOf(b))[0] ?? null;
  }

  function hold(account: PayingAccount, tokens: number): void {
    for (const holder of Object.values(holdersOf(account))) {
      const left = (held.get(holder) ?? 0) + tokens;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    }
  }

  const countCall = (
    trx: Transaction,
    account: PayingAccount,
    { inputTokens, outputTokens }: StoredReply,
    cost: number,
  ) => store.addUsage(trx, account, monthOf(new Date()), { calls: 1, inputTokens, outputTokens, cost });

  return {
    /**
     * The ledger of one analysis. Each reply and its tokens are stored in one transaction as soon as they arrive, so
     * that a worker that takes over after a crash does not pay again. A process reserves the tokens of its calls before
     * it sends them; several may exceed a limit by those that the others have on their way.
     */
    ledgerOf(account: VisionAccount): CallLedger {
      return {
        videoId: account.videoId,
        async find(key) {
          const reply = await store.findReply(database.db, account.orgId, key);
          return reply === null ? null : (JSON.parse(reply) as StoredReply);
        },
        allowance: (price) => allowanceOf(account, price),
        hold: (tokens) => hold(account, tokens),
        store: (key, reply) =>
          database.transaction((trx) => store.insertReply(trx, account, key, JSON.stringify(reply))),
        record: (key, reply, cost) =>
          database.transaction(async (trx) => {
            if (key !== null) await store.insertReply(trx, account, key, JSON.stringify(reply));
            await countCall(trx, account, reply, cost);
          }),
      };
    },

    /**
     * The ledger of calls that no video is about. Their replies are not stored, and their tokens count even if the
     * request that made them fails.
     */
    usageLedgerOf: (account: PayingAccount): UsageLedger => ({
      allowance: (price) => allowanceOf(account, price),
      hold: (tokens) => hold(account, tokens),
      record: (_key, reply, cost) =>
        database.outsideUnit(() => database.transaction((trx) => countCall(trx, account, reply, cost))),
    }),

    /** Use by an organization in the current month, with its limits. */
    async readUsage(orgId: string): Promise<MonthlyVisionUsage> {
      const month = monthOf(new Date());
      const used = await store.sumOfMonth(database.db, orgId, month);
      return { month, ...used, maxTokens: tokenLimits.month ?? null, maxCost: moneyLimits.month ?? null };
    },

    onVideoErased: store.deleteReplies,

    /** Deletes replies that were stored before a time. Returns their number. */
    purge: (before: Date) => store.purgeReplies(database.db, before),
  };
}

/** `2026-11`, in UTC. */
const monthOf = (date: Date) => date.toISOString().slice(0, 7);

export type VisionCalls = ReturnType<typeof createVisionCalls>;
