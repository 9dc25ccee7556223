/** Origin of a request. */
export type ClientInfo = { address: string; userAgent: string | null };

/**
 * The actor of a change, with key or session and origin; without a user, a rejected sign-in. Null is the operator: the
 * command line and the first start.
 */
export type AuditActor =
  | (ClientInfo & { userId: string | null; keyId: string | null; sessionId: string | null })
  | null;

/** Limits a list to entries of one action or one user. */
export type AuditFilter = { action?: string | null; userId?: string | null };
