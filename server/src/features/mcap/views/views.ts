import { rounded } from '#platform/numbers';
import type { ChannelVideo } from '../types.ts';
import type { ChannelRole } from './roles.ts';

/** Builds the views of one part of a recording, the primary first. Offsets count from the primary's first frame. */
export function buildViews(roles: readonly ChannelRole[], videos: readonly ChannelVideo[]) {
  const shown = roles.flatMap((role) => {
    const video = videos.find(({ channel, status }) => channel === role.channel && status === 'completed');
    return video?.videoId && video.facts ? [{ ...role, videoId: video.videoId, facts: video.facts }] : [];
  });
  const origin = shown[0]?.facts.start_s ?? 0;
  return shown.map(({ facts, ...view }) => ({ ...view, offsetS: rounded(facts.start_s - origin) }));
}
