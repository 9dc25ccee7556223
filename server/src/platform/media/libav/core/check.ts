import { FFmpegError } from 'node-av/lib';

/** Throws an `FFmpegError` for a negative return code; `action` names the failed step in its message. */
export const check = (code: number, action: string): void => FFmpegError.throwIfError(code, action);
