/**
 * A reason to doubt that a track is an object of its class. The evidence of its detections is multiplied by `weight`,
 * 0 to 1; `reason` is a clause for the user, if it is about this track and not about its class.
 */
export type Doubt = { weight: number; reason?: string };

/** All doubts about a track: the product of their weights, and their reasons. */
export type Plausibility = { weight: number; reasons: readonly string[] };
