export type { ContactSheetLayout } from './contact-sheet.ts';
export type { FrameRectangle, LabeledBox } from './draw-boxes.ts';
export type { PictureClipArgs } from './picture-clip.ts';
export type { SegmentPlan } from './segment-plan.ts';
export type { FrameImageArgs, ProbeArgs, TrimArgs } from './tasks.ts';
export { createTempFile, measureHeader, type TrimmedFile } from './trimmed-file.ts';
