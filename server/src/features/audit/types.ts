/** Origin of a request, and its operation of the API. */
export type ClientInfo = { address: string; userAgent: string | null; operation?: string };

/**
 * The actor of a change, with key or session and origin; without a user, a rejected sign-in. Null is the operator: the
 * command line and the first start.
 */
export type AuditActor =
  | (ClientInfo & { userId: string | null; keyId: string | null; sessionId: string | null })
  | null;

/** The actor of an entry; with a user alone, the service acts on its behalf, later than the request. */
export type AuditAuthor = AuditActor | Pick<NonNullable<AuditActor>, 'userId'>;

/** Outcome of a request: `refused` if the caller lacked the permission. */
export type AuditOutcome = 'succeeded' | 'refused';

export type NewAuditEntry = {
  orgId: string;
  action: string;
  subjectId: string;
  /** Must not contain secrets. */
  detail?: Readonly<Record<string, unknown>>;
  /** Default: `succeeded`. */
  outcome?: AuditOutcome;
};

/** Limits a list to entries of one action, one user, one object or one outcome. */
export type AuditFilter = {
  action?: string | null;
  userId?: string | null;
  subjectId?: string | null;
  outcome?: AuditOutcome | null;
};
