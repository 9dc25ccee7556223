import type { Database } from '#platform/db/index';
import { type Caller, type IdPage, readIdPage } from '#platform/http/index';
import type { SavedQuestion } from '../types.ts';
import * as store from './inbox-store.ts';
import type { AlertMute, ListedAlert } from './types.ts';

/** Unread alerts are counted up to this number. */
export const MAX_UNREAD = 100;

type AlertPage = {
  alerts: ListedAlert[];
  /** Alerts that the user has not seen, of questions that are not muted; at most `MAX_UNREAD`. */
  unread: number;
  mutes: AlertMute[];
  hasMore: boolean;
  nextCursor: string | null;
};

/**
 * Alerts as a user reads them. `require` returns a question that the caller may read, or throws
 * `saved_question_not_found` (404) or `saved_question_forbidden` (403).
 */
export function createInbox({
  database,
  require,
}: {
  database: Database;
  require: (caller: Caller, id: string) => Promise<SavedQuestion>;
}) {
  const { db } = database;
  return {
    /** Alerts that the caller may read, newest first. Throws `cursor_invalid` (400). */
    async listAlerts(caller: Caller, page: IdPage): Promise<AlertPage> {
      const { userId } = caller;
      const read = (before: string | null, limit: number) => store.listAlerts(db, caller, { before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ id }) => id);
      const seen = await store.findRead(db, userId);
      const [unread, mutes] = [
        await store.countUnread(db, caller, { after: seen, limit: MAX_UNREAD }),
        await store.listMutes(db, caller),
      ];
      const alerts = rows.map((alert) => ({ ...alert, isRead: seen !== null && alert.id <= seen }));
      return { alerts, unread, mutes, ...next };
    },

    /** Marks the alerts up to one as seen by the caller. */
    async markRead({ userId }: Caller, alertId: string): Promise<void> {
      await database.transaction((trx) => store.setRead(trx, userId, alertId));
    },

    /** Does not show the alerts of a question to the caller until a time; null: until `unmute`. Throws as `require`. */
    async mute(caller: Caller, questionId: string, mutedUntil: Date | null): Promise<AlertMute> {
      const { name } = await require(caller, questionId);
      const { userId } = caller;
      await database.transaction((trx) => store.setMute(trx, { userId, questionId, mutedUntil }));
      return { questionId, questionName: name, mutedUntil };
    },

    /** Throws as `require`. */
    async unmute(caller: Caller, questionId: string): Promise<void> {
      await require(caller, questionId);
      await database.transaction((trx) => store.deleteMute(trx, caller.userId, questionId));
    },
  };
}

export type Inbox = ReturnType<typeof createInbox>;
