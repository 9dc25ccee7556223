import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Actions of the audit log that the API describes. */
export const ACTIONS: Record<string, MessageDescriptor> = {
  'key.created': msg`Key created`,
  'key.revoked': msg`Key revoked`,
  'session.created': msg`Signed in`,
  'session.ended': msg`Signed out`,
  'session.refused': msg`Sign-in refused`,
  'password.changed': msg`Password changed`,
  'password.set': msg`Password set`,
  'password_link.created': msg`Password link created`,
  'invitation.created': msg`Invitation created`,
  'invitation.revoked': msg`Invitation revoked`,
  'member.joined': msg`Member joined`,
  'member.role_changed': msg`Role changed`,
  'member.removed': msg`Member removed`,
  'organization.renamed': msg`Organization renamed`,
  'sso.linked': msg`Single sign-on linked`,
  'integration.created': msg`Integration created`,
  'integration.changed': msg`Integration changed`,
  'integration.tested': msg`Integration tested`,
  'integration.deleted': msg`Integration deleted`,
  'import_sync.created': msg`Scheduled import created`,
  'import_sync.run': msg`Scheduled import started`,
  'import_sync.deleted': msg`Scheduled import deleted`,
  'model.download_started': msg`Model download started`,
  'model.download_canceled': msg`Model download canceled`,
  'model.provided': msg`Model provided`,
  'model.removed': msg`Model removed`,
  'analysis.deleted': msg`Analysis deleted`,
  'event.reviewed': msg`Event reviewed`,
  'event.added': msg`Missed event added`,
  'review.undone': msg`Review undone`,
  'review.required': msg`Number of reviewers set`,
  'quota.changed': msg`Quota changed`,
  'webhook.created': msg`Webhook created`,
  'webhook.changed': msg`Webhook changed`,
  'webhook.secret_rotated': msg`Secret of a webhook rotated`,
  'webhook.deleted': msg`Webhook deleted`,
  'webhook.disabled': msg`Webhook disabled by the service`,
};

/** Name of an action; undefined for one that this version of the console does not know. */
export const actionName = (action: string): MessageDescriptor | undefined => ACTIONS[action];
