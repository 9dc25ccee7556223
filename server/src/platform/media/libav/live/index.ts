export { capture } from './capture.ts';
