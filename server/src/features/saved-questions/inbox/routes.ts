import { toEventId } from '#features/analyses/index';
import { type App, routes } from '#platform/http/index';
import { SavedQuestionParams } from '../schema.ts';
import type { Inbox } from './inbox.ts';
import {
  AlertList,
  AlertListQuery,
  AlertMute,
  AlertMuteRequest,
  AlertsRead,
  AlertsReadRequest,
  AlertUnmuted,
} from './schema.ts';
import type { AlertMute as Mute } from './types.ts';

const DEFAULT_LIMIT = 50;

export function inboxRoutes(app: App, inbox: Inbox): void {
  // Reading is enough: seen and muted alerts concern nobody else.
  const route = routes(app, { tag: 'Saved questions', scope: 'read' });

  route.get(
    '/api/alerts',
    {
      id: 'listAlerts',
      summary: 'List alerts',
      description:
        'Lists the alerts of saved questions about videos and cameras that you may read, and the faults of those cameras, newest first, with what you have not seen and what you have muted.',
      query: AlertListQuery,
      response: AlertList,
    },
    async ({ caller, query: { limit, cursor } }) => {
      const { alerts, mutes, ...page } = await inbox.listAlerts(caller, { limit: limit ?? DEFAULT_LIMIT, cursor });
      return {
        ...page,
        mutes: mutes.map(toMute),
        alerts: alerts.map(({ id, questionId, questionName, position, liveEventId, camera, faultKind, ...alert }) => ({
          ...alert,
          alertId: id,
          savedQuestionId: questionId,
          savedQuestionName: questionName,
          eventId: alert.analysisId === null ? liveEventId : toEventId(alert.analysisId, position!),
          cameraId: camera?.id ?? null,
          cameraName: camera?.name ?? null,
          fault: faultKind,
        })),
      };
    },
  );

  route.post(
    '/api/alerts/read',
    {
      id: 'markAlertsRead',
      scope: 'read',
      summary: 'Mark alerts as seen',
      description: 'Marks the alerts up to one as seen by you, on all your devices.',
      body: AlertsReadRequest,
      response: AlertsRead,
    },
    async ({ caller, body }) => {
      await inbox.markRead(caller, body.alertId);
      return { status: 'read' as const };
    },
  );

  route.put(
    '/api/saved-questions/:saved_question_id/mute',
    {
      id: 'muteSavedQuestion',
      scope: 'read',
      summary: 'Mute a saved question for yourself',
      description:
        'Does not show the alerts of a question to you, for some time or until you end it. It runs on, and colleagues and webhooks receive its alerts; `snoozed_until` of the question silences them for all.',
      params: SavedQuestionParams,
      body: AlertMuteRequest,
      response: AlertMute,
      errors: [404],
    },
    async ({ caller, params, body }) => toMute(await inbox.mute(caller, params.savedQuestionId, body.until ?? null)),
  );

  route.delete(
    '/api/saved-questions/:saved_question_id/mute',
    {
      id: 'unmuteSavedQuestion',
      scope: 'read',
      summary: 'End the mute of a saved question',
      description: 'Shows the alerts of a question to you again. Without a mute, it changes nothing.',
      params: SavedQuestionParams,
      response: AlertUnmuted,
      errors: [404],
    },
    async ({ caller, params: { savedQuestionId } }) => {
      await inbox.unmute(caller, savedQuestionId);
      return { status: 'unmuted' as const, savedQuestionId };
    },
  );
}

const toMute = ({ questionId, questionName, mutedUntil }: Mute) => ({
  savedQuestionId: questionId,
  savedQuestionName: questionName,
  mutedUntil,
});
