import { Type } from 'typebox';
import { Maybe, type UnusedFields, type UnusedParameters } from '#platform/http/index';

const ignored = (type: 'string' | 'boolean', description = 'Accepted for existing clients and ignored.') =>
  Maybe(type === 'string' ? Type.String({ description }) : Type.Boolean({ description }));

const signedUrl = {
  path: ignored('string', 'Accepted for existing clients and ignored. Use `kind` instead.'),
  share_token: ignored('string'),
  allow_sample: ignored('boolean'),
  batch_id: ignored('string'),
};
const sent = Maybe(Type.String({ maxLength: 100, description: 'Sent by existing clients.' }));

/** Fields without effect that published clients send to operations of the rooms, by the name of the request. */
export const UNUSED_FIELDS: UnusedFields = {
  SignedUrlRequest: { fields: signedUrl },
  SignedUrlsRequest: { fields: signedUrl, itemsOf: 'requests' },
  NewMcapIngest: { fields: { content_type: ignored('string', 'Accepted for existing clients; ignored.') } },
  DatasetChange: {
    fields: {
      refresh: ignored('boolean', 'Accepted from existing clients: counts and downloads are always current.'),
    },
  },
  DatasetSearchRequest: {
    fields: { deep: ignored('boolean', 'Sent by existing clients; `ranking` states how events are ranked.') },
  },
  TaxonomyRequest: { fields: { source: sent, mode: sent } },
};

const collection = Maybe(Type.String({ maxLength: 255, description: 'Accepted for existing clients and ignored.' }));
const ofVideos = { firebase_collection_name: collection };

/** Query parameters without effect that published clients send, by the id of the operation. */
export const UNUSED_PARAMETERS: UnusedParameters = {
  getVideoStatus: ofVideos,
  deleteVideo: ofVideos,
  getAnalysis: ofVideos,
  getLatestAnalysis: ofVideos,
  getAnalysisStatus: { collection },
  listVideos: { ...ofVideos, folder_collection: collection },
  runSearch: { folder_collection: collection },
};
