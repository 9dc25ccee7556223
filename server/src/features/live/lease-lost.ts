/** Thrown if another worker has claimed the session. Nothing more may be written. */
export class LeaseLostError extends Error {}
