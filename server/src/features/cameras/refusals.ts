/** Reasons for which an encoder with a valid key is refused or disconnected: codes of the API, and their sentences. */
export const REFUSALS = {
  off: 'The camera is off.',
  off_by_schedule: 'The schedule of the camera does not include this time.',
  busy: 'Another encoder publishes with this key.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];

/** Code of a stored reason, which starts with its sentence; null: another version of the service stored it. */
export const refusalCodeOf = (reason: string): RefusalCode | null =>
  REFUSAL_CODES.find((code) => reason.startsWith(REFUSALS[code])) ?? null;
