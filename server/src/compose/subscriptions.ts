import type { Rooms } from './rooms.ts';

/**
 * Connects rooms to the domain events of rooms below them. Handlers run in the transaction that publishes the event.
 */
export function subscribeToDomainEvents(rooms: Rooms): void {
  const {
    events,
    videos,
    uploads,
    playback,
    analyses,
    imports,
    mcap,
    batches,
    review,
    views,
    live,
    cameras,
    webhooks,
    datasets,
    datasetVersions,
  } = rooms;
  const { savedQuestions } = rooms;
  events.subscribe('folder.deleted', videos.onFolderDeleted);
  events.subscribe('samples.wanted', uploads.onSamplesRequested);
  events.subscribe('videos.ready', playback.onVideosReady);
  events.subscribe('videos.ready', analyses.onVideosReady);
  events.subscribe('video.deleted', analyses.onVideoDeleted);
  events.subscribe('video.moved', analyses.onVideoMoved);
  events.subscribe('video.sidecar', analyses.onVideoSidecar);
  events.subscribe('video.subtitles', analyses.onVideoSubtitles);
  events.subscribe('video.tagged', analyses.onVideoTagged);
  events.subscribe('video.restored', analyses.onVideoRestored);
  events.subscribe('video.restored', cameras.onVideoRestored);
  events.subscribe('video.erased', analyses.onVideoErased);
  events.subscribe('video.erased', review.onVideoErased);
  events.subscribe('video.erased', datasets.onVideoErased);
  events.subscribe('video.erased', datasetVersions.onVideoErased);
  events.subscribe('video.deleted', imports.onVideoDeleted);
  events.subscribe('integration.deleted', imports.onIntegrationDeleted);
  events.subscribe('integration.moved', imports.onIntegrationMoved);
  events.subscribe('integration.deleted', mcap.checkIntegrationUnused);
  events.subscribe('integration.moved', mcap.checkIntegrationUnused);
  events.subscribe('analysis.progressed', batches.onAnalysisProgressed);
  events.subscribe('analysis.preliminary', batches.onPreliminaryEvents);
  events.subscribe('analysis.ended', batches.onAnalysisEnded);
  events.subscribe('analysis.deleted', batches.onAnalysisDeleted);
  events.subscribe('views.linked', views.onLinked);
  events.subscribe('live.recorded', live.analysis.onRecorded);
  events.subscribe('video.deleted', live.onVideoDeleted);
  events.subscribe('video.erased', live.onVideoErased);
  events.subscribe('videos.ready', savedQuestions.onVideosReady);
  events.subscribe('analysis.ended', savedQuestions.onAnalysisEnded);
  events.subscribe('videos.ready', webhooks.onVideosReady);
  events.subscribe('video.failed', webhooks.onVideoFailed);
  events.subscribe('analysis.ended', webhooks.onAnalysisEnded);
  events.subscribe('alert.raised', webhooks.onAlertRaised);
  events.subscribe('digest.created', webhooks.onDigestCreated);
  events.subscribe('events.reviewed', webhooks.onEventsReviewed);
  events.subscribe('batch.ended', webhooks.onBatchEnded);
  events.subscribe('import.ended', webhooks.onImportEnded);
  events.subscribe('live.answered', savedQuestions.onLiveAnswered);
  events.subscribe('live.reported', cameras.onLiveReported);
  events.subscribe('live.reported', webhooks.onLiveReported);
  events.subscribe('live.ended', cameras.onLiveEnded);
  events.subscribe('live.ended', webhooks.onLiveEnded);
  events.subscribe('camera.fault', savedQuestions.onCameraFault);
  events.subscribe('camera.fault', webhooks.onCameraFault);
  events.subscribe('quota.reached', webhooks.onQuotaReached);
}
