import type { DataLoss, RecordingLocation } from './mcap/index.ts';

/** Times in nanoseconds by the recorder's clock. */
export type RecordingSurvey = {
  channels: SurveyedChannel[];
  startNs: bigint | null;
  endNs: bigint | null;
  /** True if the recording has a usable index. */
  indexed: boolean;
  losses: DataLoss[];
};

/** `messages` is null if the recording does not state it. */
export type SurveyedChannel = {
  id: number;
  /** Topic, or `topic#id` if several channels have the same topic. */
  name: string;
  topic: string;
  schema: string;
  messages: number | null;
  isVideo: boolean;
  /** True for messages that state joints or a pose. */
  statesMachine: boolean;
  /** True for messages that may state the time of satellites. */
  statesTime: boolean;
};

/**
 * `folder` is the folder for the videos, `chunkSizeS` the length of each part in seconds, and `cameras` the number of
 * channels of the recording that are converted (default: 1).
 */
export type ConvertChannelArgs = {
  place: RecordingLocation;
  channelId: number;
  folder: string;
  chunkSizeS: number | null;
  cameras?: number;
};
