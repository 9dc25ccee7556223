/** Clips of a dataset. */
export const MAX_CLIPS = 10_000;
/** Characters of a label. */
export const MAX_LABEL = 200;

/** A range of a video that a dataset gets, in seconds. */
export type NewClip = { videoId: string; startS: number; endS: number; label: string | null };

/** A clip of a dataset, whose video exists. */
export type Clip = NewClip & { clipId: string; videoName: string };
