export { type ConvertedChannel, type ConvertedVideo, convertToVideos } from './convert-channel.ts';
export { createImageReader } from './images.ts';
export { createTimelineVideos, type TimelineArgs } from './timeline.ts';
