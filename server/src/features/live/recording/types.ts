/** Time limits of a source, in seconds. */
export type SourceTimeouts = {
  /** Until the first frame; then the session fails. */
  firstFrameS: number;
  /** After the last segment; then the session ends. */
  reconnectForS: number;
  /** Without a byte on an open connection; then it is reopened. */
  stalledS: number;
  /** Delay before the first reconnect; it doubles with every attempt, up to `maxRetryS`. */
  minRetryS: number;
  maxRetryS: number;
  /** For space on a full disk. */
  diskFullS: number;
  /** Between two frames that are examined. */
  sampleS: number;
  /** A picture that is frozen or black for this long is a fault, until it is neither for `clearS`. */
  faultS: number;
  clearS: number;
  /** Between two decisions about which segments around events stay. */
  sweepS: number;
  /** For segments that a session lacks when its end is requested. */
  backfillS: number;
};
