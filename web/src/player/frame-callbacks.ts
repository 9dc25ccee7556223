/** False in older browsers, which do not report the frames that an element presents. */
export const hasFrameCallbacks = (video: HTMLVideoElement): boolean => 'requestVideoFrameCallback' in video;

/** True if the element reports the frames that it presents; a hidden page presents none. */
export const reportsFrames = (video: HTMLVideoElement): boolean => hasFrameCallbacks(video) && !document.hidden;
