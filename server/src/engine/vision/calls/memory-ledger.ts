import type { StoredReply } from '../../chat/index.ts';
import type { CallLedger } from '../types.ts';

const MAX_REPLIES = 5000;

/** Ledger without a database, for commands and tests: caches replies as long as it exists, and limits nothing. */
export function createMemoryLedger(): CallLedger {
  const replies = new Map<string, StoredReply>();
  async function store(key: string, reply: StoredReply) {
    replies.set(key, reply);
    if (replies.size > MAX_REPLIES) replies.delete(replies.keys().next().value!);
  }
  return {
    find: async (key) => replies.get(key) ?? null,
    allowance: async () => null,
    async record(key, reply) {
      if (key !== null) await store(key, reply);
    },
    store,
  };
}
