import { VIDEO_STATUSES } from '#features/videos/index';
import { canManage, canRead, reaches } from '#platform/access/index';
import type { Caller, ServerSentEvent } from '#platform/http/index';
import type { Change } from './types.ts';

type Place = Pick<Change, 'scope' | 'folderId'>;

/**
 * The event of a change for a caller; null if the resource is not theirs to see. A caller who loses access by the
 * change learns only that the resource is missing.
 */
export function toEvent(caller: Caller, change: Change): ServerSentEvent | null {
  if (canSee(caller, change, change)) return eventOf(change, change.change, toFields(change));
  const previous = change.previousScope && { scope: change.previousScope, folderId: change.previousFolderId };
  return previous && canSee(caller, change, previous) ? eventOf(change, 'removed', {}) : null;
}

function canSee(caller: Caller, { resource, orgId, ownerId }: Change, { scope, folderId }: Place): boolean {
  // Only its owner continues an upload.
  const rule = resource === 'upload' ? canManage : canRead;
  return rule(caller, { orgId, ownerId, scope }) && reaches(caller, folderId);
}

function toFields({ resource, folderId, data }: Change): Record<string, unknown> {
  const fields = JSON.parse(data) as Record<string, unknown>;
  const isVideo = resource === 'video' || resource === 'upload';
  const status = isVideo ? VIDEO_STATUSES[fields.status as keyof typeof VIDEO_STATUSES] : fields.status;
  return { folder_id: folderId, ...fields, status };
}

function eventOf({ id, resource, resourceId, createdAt }: Change, change: string, fields: object): ServerSentEvent {
  const common = { event: resource, type: resource, change, id: resourceId, changed_at: createdAt.toISOString() };
  return { id, kind: resource, data: JSON.stringify({ ...common, ...fields }) };
}
