import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const NAMES: Record<string, MessageDescriptor> = {
  'analyses.run': msg`Answer a question about a video`,
  'analyses.observe-for-run': msg`Observe a video`,
  'analyses.observe': msg`Observe a video in the background`,
  'analyses.index-events': msg`Index events of earlier versions`,
  'analyses.build-vector-index': msg`Build the index of vectors`,
  'analyses.forget': msg`Delete evidence images`,
  'analyses.give-up': msg`Report an answer that was given up`,
  'exports.write': msg`Write an export`,
  'exports.dataset-build': msg`Write an export of a selection`,
  'uploads.finish': msg`Finish an upload`,
  'uploads.fetch': msg`Fetch a video from a URL`,
  'uploads.draw-sample': msg`Draw the sample`,
  'uploads.expire': msg`End expired uploads`,
  'uploads.fail-fetch': msg`Report a fetch that was given up`,
  'uploads.fail-finish': msg`Report an upload that was given up`,
  'videos.erase': msg`Erase a deleted video`,
  'videos.delete-content': msg`Delete an unused file`,
  'videos.publish-deletions': msg`Delete the videos of a folder`,
  'videos.clean-up': msg`Apply retention periods`,
  'playback.plan-stream': msg`Prepare the stream of a video`,
  'playback.sweep': msg`Delete expired clips`,
  'imports.list': msg`List a bucket`,
  'imports.transfer': msg`Transfer files of an import`,
  'imports.cancel': msg`Cancel an import`,
  'imports.tend': msg`Start scheduled imports`,
  'mcap.transfer': msg`Transfer a recording`,
  'mcap.process': msg`Convert a recording`,
  'mcap.drop': msg`Delete the file of a recording`,
  'mcap.expire': msg`End expired recordings`,
  'mcap.give-up': msg`Report a recording that was given up`,
  'live.follow': msg`Record a livestream`,
  'live.tend': msg`Restart livestreams`,
  'system.keep-house': msg`Remove expired data`,
  'system.download-model': msg`Download a model`,
  'system.abandon-model': msg`Report a download that was given up`,
};

/** Name of a kind of job; undefined for one that this version of the console does not know. */
export const jobName = (kind: string): MessageDescriptor | undefined => NAMES[kind];
