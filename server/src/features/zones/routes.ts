import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { DeletedZone, Zone, ZoneChange, ZoneList, ZoneListQuery, ZoneParams, ZoneRequest } from './schema.ts';
import type { Zones } from './service.ts';
import type { StoredZone } from './types.ts';

export function zonesRoutes(app: App, zones: Zones): void {
  const route = routes(app, { tag: 'Zones', scope: 'read', folderKeys: true });

  route.post(
    '/api/zones',
    {
      id: 'createZone',
      summary: 'Create a zone',
      description:
        'Draws a named polygon or line in the frame of a video, of all recordings of a camera, or of all videos of a folder whose camera is fixed. Prompts call it by its name: "a person enters zone door", "how many cars cross line A". Later queries use it; analyses that exist do not change.',
      scope: 'write',
      body: ZoneRequest,
      response: Zone,
      errors: [404, 409],
    },
    async (request) => {
      const { name, points, note, videoId, folderId, cameraId } = request.body;
      const settings = { name, points, note: note ?? null };
      return toResource(
        await zones.create(request.caller, { videoId, folderId, cameraId }, settings, actorOf(request)),
      );
    },
  );

  route.get(
    '/api/zones',
    {
      id: 'listZones',
      summary: 'List zones',
      description:
        'Lists the zones that hold for a video, or those of a folder or camera, by name. State one of the three.',
      query: ZoneListQuery,
      response: ZoneList,
      errors: [404],
    },
    async ({ caller, query }) => ({ zones: (await zones.list(caller, query)).map(toResource) }),
  );

  route.get(
    '/api/zones/:zone_id',
    {
      id: 'getZone',
      summary: 'Get a zone',
      description: 'Returns a zone of a video, folder or camera that you may read.',
      params: ZoneParams,
      response: Zone,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await zones.get(caller, params.zoneId)),
  );

  route.patch(
    '/api/zones/:zone_id',
    {
      id: 'changeZone',
      summary: 'Change a zone',
      description: 'Renames or redraws a zone. Later queries use it; analyses that exist do not change.',
      scope: 'write',
      params: ZoneParams,
      body: ZoneChange,
      response: Zone,
      errors: [404, 409],
    },
    async (request) => {
      const { name, points, note } = request.body;
      const changes = { ...(name && { name }), ...(points && { points }), ...(note !== undefined && { note }) };
      return toResource(await zones.change(request.caller, request.params.zoneId, changes, actorOf(request)));
    },
  );

  route.delete(
    '/api/zones/:zone_id',
    {
      id: 'deleteZone',
      summary: 'Delete a zone',
      description: 'Deletes a zone. Analyses that named it keep its points in their plans.',
      scope: 'write',
      params: ZoneParams,
      response: DeletedZone,
      errors: [404],
    },
    async (request) => {
      const { zoneId } = request.params;
      await zones.remove(request.caller, zoneId, actorOf(request));
      return { status: 'deleted' as const, zoneId };
    },
  );
}

const toResource = ({ id, ...zone }: StoredZone) => ({ ...zone, zoneId: id });
