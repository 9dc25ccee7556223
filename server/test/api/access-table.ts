import type { AccessOutcomes, CallerName } from './access-walk.ts';

/** Expected outcome of each operation by caller, on personal and on shared rows. A test calls all of them. */

type Row = Partial<Record<CallerName, string>>;

/** Outcomes of operations that need the scope `read` and check nothing else. */
const open: Row = {
  owner: 'yes',
  colleague: 'yes',
  admin: 'yes',
  limited: 'yes',
  reader: 'yes',
  stranger: 'yes',
  nobody: 'key_missing',
};
const both = (personal: Row, shared: Row = personal): AccessOutcomes =>
  ({ user: { ...open, ...personal }, org: { ...open, ...shared } }) as AccessOutcomes;

const limited = { limited: 'key_limited' };
const writing = { reader: 'scope_missing' };
const everybody = both(limited);
const everybodyWrites = both({ ...limited, ...writing });
const admins = (stranger: string, admin = 'yes') => {
  const [owner, colleague, reader] = Array(3).fill('scope_missing');
  return both({ owner, colleague, limited: 'scope_missing', reader, admin, stranger });
};

/** The rules of `platform/access`, with the error of a refusal. */
const reads = (error: string) =>
  both({ ...limited, colleague: error, stranger: error }, { ...limited, stranger: error });
const withRow = ({ user, org }: AccessOutcomes, row: Row) => both({ ...user, ...row }, { ...org, ...row });
const changes = (error: string) => withRow(reads(error), writing);
const manages = (error: string) => withRow(changes(error), { colleague: error });
const uses = (error: string) => both({ ...changes(error).user, admin: error }, changes(error).org);
const owns = (error: string) => withRow(reads(error), { colleague: error, admin: error });
/** A list in which the callers who may read a row see it, and others do not. */
const lists = (row: Row = limited) => withRow(reads('unseen'), row);

const sessions = both(
  Object.fromEntries([...Object.keys(open), 'nobody'].map((name) => [name, 'session_needed'])) as Row,
);
const isPublic = both({ nobody: 'yes' });
const byIntegration = uses('integration_forbidden');
const byFolder = uses('folder_forbidden');
/** Colleagues read a shared row, but do not change it. */
const changesIntegration = manages('integration_forbidden');
const changesSync = changes('import_forbidden');
const changesQuestion = manages('saved_question_forbidden');
const readsSync = withRow(changesSync, { reader: 'yes' });
/** Not available with files on disk; the check of the key comes first. */
const directUpload = both(writing);
const notOffered = both({});
/** The outcomes with an error instead of a success. */
const missing = (error: string, { user, org }: AccessOutcomes = everybody) => {
  const replaced = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, outcome]) => [name, outcome === 'yes' ? error : outcome]));
  return both(replaced(user), replaced(org));
};

export const ACCESS_TABLE: Record<string, AccessOutcomes> = {
  getHealth: isPublic,
  getApiHealth: isPublic,
  getLivez: isPublic,
  getReadiness: isPublic,
  getReadyz: isPublic,
  getSystem: both({}),
  listModels: admins('yes'),
  // Of the operator's organization only, which none of the callers belongs to.
  listQueues: admins('operator_needed', 'operator_needed'),
  listWorkers: admins('operator_needed', 'operator_needed'),
  downloadModel: admins('model_not_found', 'model_not_found'),
  cancelModelDownload: admins('model_not_found', 'model_not_found'),
  removeModel: admins('model_not_found', 'model_not_found'),
  provideModelFile: admins('model_not_found', 'model_not_found'),

  verifyKey: both({}),
  createKey: both(
    { ...admins('key_folder_forbidden').user, admin: 'key_folder_forbidden' },
    admins('key_folder_forbidden').org,
  ),
  listKeys: withRow(lists(), { colleague: 'unseen' }),
  revokeKey: admins('key_forbidden'),
  listAuditEvents: admins('yes'),
  exportAuditEvents: admins('yes'),
  followAuditLog: admins('yes'),

  signIn: isPublic,
  acceptLink: isPublic,
  requestPasswordReset: isPublic,
  getSignInMethods: isPublic,
  beginSso: isPublic,
  finishSso: isPublic,
  getSession: sessions,
  listSessions: sessions,
  endSession: sessions,
  signOut: sessions,
  signOutEverywhere: sessions,
  changePassword: sessions,
  changeProfile: sessions,
  beginSecondFactor: sessions,
  confirmSecondFactor: sessions,
  replaceRecoveryCodes: sessions,
  turnOffSecondFactor: sessions,
  linkSso: sessions,
  createInvitation: admins('yes'),
  listInvitations: admins('yes'),
  revokeInvitation: admins('invitation_forbidden'),
  getOrganization: everybody,
  renameOrganization: admins('yes'),
  transferOwnership: admins('member_forbidden', 'owner_needed'),
  listMembers: both({ ...limited, stranger: 'unseen' }),
  changeRole: admins('member_forbidden'),
  removeMember: admins('member_forbidden'),
  resetSecondFactor: admins('member_forbidden'),
  getUsage: everybody,

  createFolder: everybodyWrites,
  createOrGetFolder: everybodyWrites,
  listFolders: both({ ...lists().user, admin: 'unseen', limited: 'unseen' }, { ...lists().org, limited: 'unseen' }),
  getFolder: both({ ...reads('folder_not_found').user, admin: 'folder_not_found' }, reads('folder_not_found').org),
  getFolderById: reads('folder_forbidden'),
  changeFolder: changes('folder_forbidden'),
  deleteFolder: changes('folder_forbidden'),

  uploadVideo: byFolder,
  describeResumableUploads: isPublic,
  createResumableUpload: byFolder,
  continueResumableUpload: manages('upload_forbidden'),
  endResumableUpload: manages('upload_forbidden'),
  createDirectUpload: directUpload,
  getDirectUpload: directUpload,
  endDirectUpload: directUpload,
  signUploadParts: directUpload,
  completeDirectUpload: directUpload,

  listVideos: lists({ limited: 'unseen' }),
  searchVideos: lists({ limited: 'unseen' }),
  countVideos: reads('folder_forbidden'),
  followActivity: both({}),
  getVideoStatus: reads('video_forbidden'),
  getTrajectory: missing('trajectory_missing', reads('video_forbidden')),
  changeVideo: changes('video_forbidden'),
  deleteVideo: changes('video_forbidden'),
  deleteVideos: changes('video_forbidden'),
  moveVideos: byFolder,
  setVideoClocks: changes('video_forbidden'),
  setFolderClock: byFolder,
  // The video was not deleted.
  restoreVideo: both(
    { ...changes('video_forbidden').user, owner: 'video_not_restorable', admin: 'video_not_restorable' },
    {
      ...changes('video_forbidden').org,
      owner: 'video_not_restorable',
      colleague: 'video_not_restorable',
      admin: 'video_not_restorable',
    },
  ),
  restoreVideos: changes('video_forbidden'),
  putMetadataFile: changes('video_forbidden'),
  putSubtitles: changes('video_forbidden'),
  deleteSubtitles: changes('video_forbidden'),
  signVideoUrl: reads('video_forbidden'),
  signVideoUrls: reads('video_forbidden'),
  playVideo: isPublic,
  getPoster: isPublic,
  getFrame: isPublic,
  getStoryboard: isPublic,
  getStoryboardPicture: isPublic,
  getCaptions: isPublic,
  getCaptionsSrt: isPublic,
  getClip: isPublic,
  getPlaylist: isPublic,
  getSegment: isPublic,

  stitchViews: changes('video_forbidden'),
  listViewSets: lists({ limited: 'unseen' }),
  getViews: reads('video_forbidden'),
  unlinkViews: changes('video_forbidden'),
  signViews: reads('video_forbidden'),
  queryViews: changes('video_forbidden'),
  fuseViews: reads('batch_forbidden'),

  startQuery: changes('video_forbidden'),
  planQuery: reads('video_forbidden'),
  inferOutputSchema: both({}),
  indexVideos: everybodyWrites,
  getIndexStatus: everybody,
  resolveIndexVideos: everybody,
  getVideoIndex: missing('index_not_found', reads('video_forbidden')),
  getVideoIndexVtt: missing('index_not_found', reads('video_forbidden')),
  startFastQuery: changes('video_forbidden'),
  streamQuery: changes('video_forbidden'),
  followQuery: reads('stream_forbidden'),
  getObservations: reads('video_forbidden'),
  getTracks: reads('video_forbidden'),
  getTelemetry: reads('video_forbidden'),
  getCausation: missing('causation_not_found', reads('video_forbidden')),
  getAnalysisStatus: reads('analysis_forbidden'),
  getAnalysis: reads('analysis_forbidden'),
  deleteAnalysis: manages('analysis_forbidden'),
  getAnalysisThumbnails: reads('analysis_forbidden'),
  getLatestAnalysis: reads('video_forbidden'),
  getEvidencePicture: isPublic,
  listAnalyses: reads('video_forbidden'),
  listBatches: lists(),
  listEvents: lists({ limited: 'unseen' }),
  listPassages: lists({ limited: 'unseen' }),
  getEvent: reads('analysis_forbidden'),
  listEventHistory: reads('analysis_forbidden'),
  reviewEvent: changes('analysis_forbidden'),
  reviewEvents: changes('analysis_forbidden'),
  addEvent: changes('analysis_forbidden'),
  reviewSample: changes('analysis_forbidden'),
  importLabels: changes('batch_forbidden'),
  startComparison: changes('folder_forbidden'),
  getComparison: reads('batch_forbidden'),
  undoReview: everybodyWrites,
  assignEvents: changes('analysis_forbidden'),
  releaseEvents: changes('analysis_forbidden'),
  createExport: reads('folder_forbidden'),
  getExport: owns('export_forbidden'),
  listExports: withRow(owns('unseen'), { limited: 'unseen' }),
  deleteExport: owns('export_forbidden'),
  getExportFile: isPublic,
  createDatasetExport: reads('video_forbidden'),
  getDatasetExport: owns('export_forbidden'),
  refreshDatasetExport: owns('export_forbidden'),
  getDatasetExportManifest: isPublic,
  getDatasetExportFile: isPublic,
  createDataset: changes('batch_forbidden'),
  listDatasets: withRow(owns('unseen'), limited),
  getDataset: reads('dataset_forbidden'),
  changeDataset: manages('dataset_forbidden'),
  deleteDataset: manages('dataset_forbidden'),
  downloadDataset: reads('dataset_forbidden'),
  getDatasetFile: isPublic,
  createDatasetVersion: manages('dataset_forbidden'),
  listDatasetVersions: reads('dataset_forbidden'),
  getDatasetVersion: reads('dataset_forbidden'),
  deleteDatasetVersion: manages('dataset_forbidden'),
  downloadDatasetVersion: reads('dataset_forbidden'),
  getDatasetVersionFile: isPublic,
  createStudioDataset: changes('batch_forbidden'),
  listStudioDatasets: withRow(owns('unseen'), limited),
  getStudioDataset: reads('dataset_forbidden'),
  getStudioFilterSchema: reads('dataset_forbidden'),
  filterStudioDataset: reads('dataset_forbidden'),
  searchStudioDataset: reads('dataset_forbidden'),
  resolveStudioCriteria: reads('dataset_forbidden'),
  getStudioFacets: reads('dataset_forbidden'),
  addStudioTaxonomy: manages('dataset_forbidden'),
  getStudioTaxonomy: reads('dataset_forbidden'),
  publishStudioTaxonomy: reads('dataset_forbidden'),
  callMcp: both({}),
  startObservation: changes('video_forbidden'),
  listObservations: lists(),
  getObservation: reads('observation_forbidden'),
  cancelObservation: manages('observation_forbidden'),
  createSavedQuestion: byFolder,
  listSavedQuestions: lists(),
  createZone: changes('video_forbidden'),
  listZones: reads('video_forbidden'),
  getZone: withRow(reads('video_forbidden'), { stranger: 'zone_forbidden' }),
  changeZone: withRow(changes('video_forbidden'), { stranger: 'zone_forbidden' }),
  deleteZone: withRow(changes('video_forbidden'), { stranger: 'zone_forbidden' }),
  getSavedQuestion: reads('saved_question_forbidden'),
  changeSavedQuestion: changesQuestion,
  deleteSavedQuestion: changesQuestion,
  runSavedQuestion: changesQuestion,
  listSavedQuestionRuns: reads('saved_question_forbidden'),
  showMailRecipient: isPublic,
  answerMailRecipient: isPublic,
  createWebhook: admins('folder_forbidden'),
  listWebhooks: admins('unseen'),
  getWebhook: admins('webhook_forbidden'),
  changeWebhook: admins('webhook_forbidden'),
  deleteWebhook: admins('webhook_forbidden'),
  rotateWebhookSecret: admins('webhook_forbidden'),
  pingWebhook: admins('webhook_forbidden'),
  listWebhookDeliveries: admins('webhook_forbidden'),
  getWebhookDelivery: admins('webhook_forbidden'),
  resendWebhookDelivery: admins('webhook_forbidden'),
  getReviewScores: reads('folder_forbidden'),
  drawReviewSamples: reads('folder_forbidden'),
  getFolderReview: reads('folder_forbidden'),
  setFolderReview: byFolder,
  cancelBatch: manages('batch_forbidden'),
  retryBatch: manages('batch_forbidden'),
  getBatchStatus: reads('batch_forbidden'),
  getBatchAnalyses: reads('batch_forbidden'),
  filterBatch: reads('batch_forbidden'),
  sortBatch: reads('batch_forbidden'),
  annotateBatch: manages('batch_forbidden'),

  listIntegrations: lists(),
  getIntegration: reads('integration_forbidden'),
  testIntegration: reads('integration_forbidden'),
  changeIntegration: changesIntegration,
  deleteIntegration: changesIntegration,
  createGcsIntegration: everybodyWrites,
  createS3Integration: everybodyWrites,
  createHuggingFaceIntegration: everybodyWrites,
  createRoleIntegration: everybodyWrites,
  getRoleSetup: everybody,
  getReaderSetup: everybody,

  importFromGcs: byIntegration,
  importFromHuggingFace: byIntegration,
  importFromS3: everybodyWrites,
  importRecordings: byFolder,
  previewImport: withRow(byIntegration, { reader: 'yes' }),
  listImportJobs: lists(),
  getImportJob: reads('import_forbidden'),
  listImportJobVideos: reads('import_forbidden'),
  cancelImportJob: changes('import_forbidden'),
  retryImportJob: changes('import_forbidden'),
  createImportSync: byIntegration,
  listImportSyncs: lists(),
  getImportSync: readsSync,
  runImportSync: changesSync,
  deleteImportSync: changesSync,

  createMcapIngest: byFolder,
  processMcapIngest: changes('mcap_forbidden'),
  listMcapIngests: lists({ limited: 'unseen' }),
  getMcapIngest: reads('mcap_forbidden'),
  stitchMcapViews: changes('mcap_forbidden'),
  startMcapCloudIngest: byIntegration,
  getMcapImportJob: reads('mcap_forbidden'),
  uploadMcapFile: isPublic,

  createCamera: byFolder,
  listCameras: lists({ limited: 'unseen' }),
  getCamera: reads('camera_forbidden'),
  changeCamera: changes('camera_forbidden'),
  deleteCamera: changes('camera_forbidden'),
  testCameraSource: everybodyWrites,
  testCamera: changes('camera_forbidden'),
  getCameraSnapshot: isPublic,
  startLiveSession: byFolder,
  attachLiveStream: everybodyWrites,
  endLiveSession: changes('live_forbidden'),
  listLiveSessions: lists({ limited: 'unseen' }),
  getLiveSession: reads('live_forbidden'),
  signLiveManifest: reads('live_forbidden'),
  askLiveSession: changes('live_forbidden'),
  followLiveSession: reads('live_forbidden'),
  getLiveEvidence: isPublic,
  getLiveManifest: isPublic,
  getLivePlaylist: isPublic,
  getLivePart: isPublic,

  // Looks for the folder among the shared ones.
  startSearch: both(
    {
      ...changes('folder_not_found').user,
      owner: 'folder_not_found',
      admin: 'folder_not_found',
    },
    changes('folder_not_found').org,
  ),
  runSearch: withRow(owns('search_forbidden'), writing),
  getSearch: owns('search_forbidden'),
  searchFrames: reads('folder_forbidden'),

  createBatch: changes('video_forbidden'),
  askVideo: changes('video_forbidden'),
  analyzeVideo: changes('video_forbidden'),
  analyzeVideoEdge: changes('video_forbidden'),
  createAgent: notOffered,
  updateAgent: notOffered,
  listAgents: notOffered,
  askStructured: notOffered,
  trainSegmenter: notOffered,
  uploadSegmenterData: notOffered,
  getSegmenterTraining: notOffered,
  getSampleUrl: missing('samples_not_offered'),
};
