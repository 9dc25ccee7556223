import { expect, it } from 'vitest';
import { JOB_DEFINITIONS } from './infrastructure.ts';

/** Jobs whose slots organizations do not share, with the reason. A job that works for one of them has another class. */
const MAINTENANCE: Readonly<Record<string, string>> = {
  'accounts.mail-reset':
    'the request does not look up whose address it is; one mail, at most three a day to one address',
  'analyses.build-vector-index': 'the index of all organizations',
  'analyses.forget': 'deletes files of erased videos',
  'analyses.give-up': 'one row of an abandoned job',
  'analyses.give-up-observation': 'one row of an abandoned job',
  'analyses.index-events': 'rows of earlier versions, every minute',
  'audit.chain': 'chains new rows, every minute',
  'cameras.tend': 'starts and ends sessions that are due, and deletes recordings past their retention, every minute',
  'datasets.taxonomy-give-up': 'one row of an abandoned job',
  'datasets.version-give-up': 'one row of an abandoned job',
  'exports.dataset-delete-files': 'deletes expired files',
  'exports.dataset-give-up': 'one row of an abandoned job',
  'exports.delete-files': 'deletes expired files',
  'exports.give-up': 'one row of an abandoned job',
  'imports.cancel': 'one statement',
  'imports.tend': 'starts imports that are due, every minute',
  'live.tend': 'restarts sessions, every minute',
  'mcap.drop': 'deletes a file',
  'mcap.expire': 'deletes expired rows',
  'mcap.give-up': 'one row of an abandoned job',
  'playback.sweep': 'deletes expired files',
  'saved-questions.digest': 'sends digests that are due',
  'saved-questions.give-up': 'one row of an abandoned job',
  'saved-questions.read': 'reads questions of an earlier version, every minute',
  'system.abandon-model': 'one row of an abandoned job',
  'system.download-model': 'models are those of all organizations',
  'system.keep-house': 'deletes expired rows',
  'uploads.expire': 'deletes expired uploads',
  'uploads.fail-fetch': 'one row of an abandoned job',
  'uploads.fail-finish': 'one row of an abandoned job',
  'videos.clean-up': 'deletes expired videos',
  'videos.delete-content': 'deletes a file',
  'videos.erase': 'deletes the files of a video, which is hidden already',
  'videos.publish-deletions': 'publishes events of deleted folders',
  'videos.read-clocks': 'reads the clocks of videos of an earlier version',
  'webhooks.forget-entity': 'deletes one topic',
  'webhooks.give-up': 'one row of an abandoned job',
};

it('organizations share the slots of all jobs but those of maintenance', () => {
  const names = JOB_DEFINITIONS.filter((job) => job.class === 'maintenance').map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(MAINTENANCE).toSorted());
});

/** Jobs of organizations that are not refused while too many wait, with the reason. */
const NOT_CAPPED: Readonly<Record<string, string>> = {
  'analyses.observe': 'sent by the operator, and for added subtitles',
  'cameras.start': 'cameras have a limit of their own, and at most one waits for each',
  'imports.transfer': 'sent by the job that lists the objects',
  'live.follow': 'sessions have a limit of their own',
  'playback.plan-stream': 'follows a stored video',
  'saved-questions.run': 'follows a stored video',
  'uploads.draw-sample': 'three for each organization',
  'uploads.finish': 'all bytes have arrived',
  'webhooks.ask-recipient': 'webhooks have a limit, and mails that ask one of their own',
  'webhooks.deliver': 'reports a change, which it must not prevent',
};

it('jobs that requests start count against the limit of their organization', () => {
  const shared = JOB_DEFINITIONS.filter((job) => job.class !== 'maintenance' && !job.capped).map(({ name }) => name);
  expect(shared.toSorted()).toEqual(Object.keys(NOT_CAPPED).toSorted());
  expect(JOB_DEFINITIONS.filter((job) => job.class === 'maintenance' && job.capped)).toEqual([]);
});

it('jobs that somebody may wait for have slots that batches do not fill', () => {
  const urgent = JOB_DEFINITIONS.filter((job) => job.urgentConcurrency !== undefined).map(({ name }) => name);
  expect(urgent.toSorted()).toEqual(['analyses.run', 'exports.write']);
});
