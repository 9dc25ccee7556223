import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import type {
  AlertList,
  AlertMute,
  SavedQuestion,
  SavedQuestionReadingDecision,
  SavedQuestionRequest,
  StartedSavedQuestionRuns,
} from '../resources.generated.ts';

/** Questions that the service runs by itself on new videos. `api` has their other operations. */
export type SavedQuestionOperations = {
  /** Saves a question. Throws `saved_question_refused` if no part of its prompt can be searched for. */
  saveQuestion(question: SavedQuestionRequest): Promise<SavedQuestion>;
  /** Saved questions that you may read, oldest first. */
  savedQuestions(): Promise<SavedQuestion[]>;
  /**
   * Accepts the proposed reading of a saved question (`reading.proposed.reading_id`), or keeps the stored one. Throws
   * `saved_question_reading_changed` if another one is proposed.
   */
  decideReading(id: string, decision: SavedQuestionReadingDecision): Promise<SavedQuestion>;
  /** Runs a saved question on its existing videos, as one batch of up to 1,000; repeat it while `has_more` is true. */
  runSavedQuestion(id: string, options?: { announce?: boolean }): Promise<StartedSavedQuestionRuns>;
  /** A page of alerts of saved questions, newest first, with what you have not seen and what you have muted. */
  alerts(query?: { limit?: number; cursor?: string }): Promise<AlertList>;
  /** Does not show the alerts of a question to you until a time (ISO 8601); without one, until `unmute`. */
  muteSavedQuestion(id: string, options?: { until?: string }): Promise<AlertMute>;
  /** Shows the alerts of a question to you again. */
  unmuteSavedQuestion(id: string): Promise<void>;
};

export const createSavedQuestionOperations = (api: Client<paths>): SavedQuestionOperations => ({
  saveQuestion: async (body) => (await api.POST('/api/saved-questions', { body })).data!,
  savedQuestions: async () => (await api.GET('/api/saved-questions', {})).data!.saved_questions,
  async decideReading(saved_question_id, body) {
    const params = { path: { saved_question_id } };
    return (await api.POST('/api/saved-questions/{saved_question_id}/reading', { params, body })).data!;
  },
  async runSavedQuestion(saved_question_id, { announce = false } = {}) {
    const request = { params: { path: { saved_question_id } }, body: { announce } };
    return (await api.POST('/api/saved-questions/{saved_question_id}/run', request)).data!;
  },
  alerts: async (query = {}) => (await api.GET('/api/alerts', { params: { query } })).data!,
  async muteSavedQuestion(saved_question_id, { until } = {}) {
    const request = { params: { path: { saved_question_id } }, body: until === undefined ? {} : { until } };
    return (await api.PUT('/api/saved-questions/{saved_question_id}/mute', request)).data!;
  },
  async unmuteSavedQuestion(saved_question_id) {
    await api.DELETE('/api/saved-questions/{saved_question_id}/mute', { params: { path: { saved_question_id } } });
  },
});
