import { defineProblems } from '#platform/problem';

export const ACCOUNTS_PROBLEMS = {
  credentials_wrong: { status: 401, sentence: 'The e-mail address or the password is wrong.' },
  session_ended: { status: 401, sentence: 'This session has ended: sign in again.' },
  session_not_found: { status: 404, sentence: 'You have no session with this id.' },
  session_forbidden: { status: 403, sentence: 'This session belongs to someone else.' },
  sign_in_busy: { status: 503, sentence: 'Too many users are signing in at the moment: try again in a few seconds.' },
  password_wrong: { status: 403, sentence: 'The current password is wrong.' },
  password_weak: {
    status: 400,
    sentence: 'This password is too easy to guess: it must not contain your e-mail address or repeat a few characters.',
  },
  password_not_set: {
    status: 409,
    sentence:
      'This account has no password, because it signs in by single sign-on. Ask the operator for a link to set one.',
  },
  second_factor_needed: {
    status: 401,
    sentence: 'This account has a second factor: also send a code of your authenticator app, or a recovery code.',
  },
  second_factor_wrong: {
    status: 403,
    sentence: 'This code is wrong, or it was used already: wait for the next one of your authenticator app.',
  },
  second_factor_required: {
    status: 403,
    sentence: 'Your organization requires a second factor: set one up first.',
  },
  second_factor_set: {
    status: 409,
    sentence: 'Your account already has a second factor: turn it off first, to set up another one.',
  },
  second_factor_not_begun: {
    status: 409,
    sentence: 'There is no key to confirm: get one first.',
  },
  second_factor_off: { status: 409, sentence: 'This account has no second factor.' },
  second_factor_own: {
    status: 409,
    sentence: 'Your own second factor can only be turned off with your password and a code.',
  },
  second_factor_own_first: {
    status: 409,
    sentence: 'Set up a second factor for your own account before you require it from all members.',
  },
  link_invalid: {
    status: 400,
    sentence: 'This link is no longer valid: it was used, revoked or replaced, or it has expired. Ask for a new one.',
  },
  password_reset_off: {
    status: 409,
    sentence: 'This service sends no mail. Ask its operator for a link to set a new password.',
  },
  email_invalid: {
    status: 400,
    sentence: 'This e-mail address is invalid. The part before the @ must be ASCII.',
  },
  email_taken: { status: 409, sentence: 'There is already an account with this e-mail address.' },
  name_invalid: { status: 400, sentence: 'A name must have 1 to 100 characters and no control characters.' },
  locale_invalid: { status: 400, sentence: 'The language must be a BCP 47 tag, such as `de` or `pt-BR`.' },
  member_not_found: { status: 404, sentence: 'There is no member with this id.' },
  member_forbidden: { status: 403, sentence: 'This user belongs to another organization.' },
  last_owner: {
    status: 409,
    sentence: 'This is the only owner of the organization: make another member owner first.',
  },
  admin_needed: { status: 403, sentence: 'Only owners and admins of the organization may do this.' },
  owner_needed: { status: 403, sentence: 'Only owners of the organization may do this.' },
  invitation_not_found: { status: 404, sentence: 'There is no open invitation with this id.' },
  invitation_forbidden: { status: 403, sentence: 'This invitation is one of another organization.' },
  invitation_shown_once: {
    status: 409,
    sentence:
      'This request already created an invitation. Its link was shown in the first response and cannot be shown again.',
  },
  sso_not_set_up: { status: 404, sentence: 'Single sign-on is not configured on this service.' },
  sso_unavailable: { status: 502, sentence: 'The single sign-on provider does not respond. Try again in a moment.' },
  sso_failed: { status: 400, sentence: 'Single sign-on was not completed: start again.' },
  sso_refused: {
    status: 403,
    sentence:
      'The single sign-on provider rejected the sign-in: try again, or ask its administrator for access to this service.',
  },
  sso_email_unverified: {
    status: 403,
    sentence:
      'The single sign-on provider has no verified e-mail address for you: verify it there, then sign in again.',
  },
  sso_not_allowed: {
    status: 403,
    sentence: 'Users of your e-mail domain cannot join without an invitation: ask an admin for one.',
  },
  sso_invitations_several: {
    status: 409,
    sentence:
      'Several organizations have invited your address: open the link of the invitation that you want to accept.',
  },
  sso_account_exists: {
    status: 409,
    sentence:
      'There is already an account with your address: sign in with its password, then link single sign-on to it.',
  },
  sso_linked_already: { status: 409, sentence: 'This single sign-on identity is linked to another account.' },
} as const;

export const problems = defineProblems(ACCOUNTS_PROBLEMS);
