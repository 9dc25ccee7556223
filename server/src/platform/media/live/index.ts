export { type CaptureOptions, capture } from './capture.ts';
