import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Member } from '@sightline/sdk';

export type Role = Member['role'];

export const ROLES: Record<Role, MessageDescriptor> = {
  owner: msg`Owner`,
  admin: msg`Admin`,
  member: msg`Member`,
};

export const ROLE_HINTS: Record<Role, MessageDescriptor> = {
  owner: msg`Everything, also managing owners`,
  admin: msg`Everything, also members, keys and integrations of all`,
  member: msg`Upload, ask and manage their own videos`,
};

/** Roles that a user with this role can give. */
export const rolesGivenBy = (role: Role): Role[] =>
  role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin'];
