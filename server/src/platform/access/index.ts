/** Rules for reading, changing, managing and using rows: for one row, and in SQL for lists. */
export {
  canChange,
  canManage,
  canRead,
  canUse,
  isAdmin,
  isOwner,
  type OwnedRow,
  type Principal,
  reaches,
} from './rules.ts';
export { isManageable, isReadable, isUsable, isVisibleAlike } from './store.ts';
