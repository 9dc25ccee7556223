import type { Caller } from '#platform/http/index';
import type { Camera } from './types.ts';

/** The user who added a camera: its sessions and recordings belong to that user. */
export const ownerOf = ({ orgId, ownerId: userId }: Pick<Camera, 'orgId' | 'ownerId'>): Caller => ({
  orgId,
  userId,
  keyId: null,
  email: '',
  expiresAt: new Date(),
  scopes: ['read', 'write'],
});
