import { defineProblems } from '#platform/problem';

export const ACCOUNTS_PROBLEMS = {
  credentials_wrong: { status: 401, sentence: 'The e-mail address or the password is wrong.' },
  session_ended: { status: 401, sentence: 'This session has ended: sign in again.' },
  session_not_found: { status: 404, sentence: 'You have no session with this id.' },
  sign_in_busy: { status: 503, sentence: 'Too many people sign in just now: try again in a few seconds.' },
  password_wrong: { status: 403, sentence: 'The current password is wrong.' },
  password_weak: {
    status: 400,
    sentence: 'This password is too easily guessed: it must not hold your e-mail address or repeat a few characters.',
  },
  password_not_set: {
    status: 409,
    sentence:
      'This account has no password: it signs in by single sign-on; the operator can give it a link to choose one.',
  },
  link_invalid: {
    status: 400,
    sentence: 'This link is not valid: it was used, revoked or replaced, or it has expired. Ask for a new one.',
  },
  email_invalid: {
    status: 400,
    sentence: 'This is not an e-mail address that can be used here: before the @ it must be ASCII.',
  },
  email_taken: { status: 409, sentence: 'There is an account with this e-mail address already.' },
  name_invalid: { status: 400, sentence: 'A name has 1 to 100 characters and no control characters.' },
  member_not_found: { status: 404, sentence: 'There is no member with this id.' },
  last_owner: {
    status: 409,
    sentence: 'This is the only owner: make someone else owner first.',
  },
  admin_needed: { status: 403, sentence: 'Only an owner or an admin of the organisation may do this.' },
  owner_needed: { status: 403, sentence: 'Only an owner of the organisation may do this.' },
  invitation_not_found: { status: 404, sentence: 'There is no open invitation with this id.' },
  invitation_shown_once: {
    status: 409,
    sentence: 'This request made an invitation the first time; its link was in that answer and is not kept.',
  },
  sso_not_set_up: { status: 404, sentence: 'Single sign-on is not set up here.' },
  sso_unavailable: { status: 503, sentence: 'The provider of single sign-on does not answer: try again.' },
  sso_failed: { status: 400, sentence: 'Single sign-on did not come to an end: start again.' },
  sso_refused: {
    status: 403,
    sentence:
      'The provider of single sign-on did not let you in: start again, or ask whoever runs it to let you use this service.',
  },
  sso_email_unverified: {
    status: 403,
    sentence:
      'The provider of single sign-on gives no verified e-mail address for you: have it verified there, then sign in again.',
  },
  sso_not_allowed: {
    status: 403,
    sentence: 'Your address is not one that may join here: ask an admin for an invitation.',
  },
  sso_invitations_several: {
    status: 409,
    sentence: 'Several organisations have invited your address: follow the link of the invitation that you mean.',
  },
  sso_account_exists: {
    status: 409,
    sentence:
      'There is an account with your address and a password: sign in with that, then link single sign-on to it.',
  },
  sso_linked_already: { status: 409, sentence: 'This identity of single sign-on belongs to another account.' },
} as const;

export const problems = defineProblems(ACCOUNTS_PROBLEMS);
