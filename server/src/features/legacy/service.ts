import type { Batches } from '#features/batches/index';
import type { Caller } from '#platform/http/index';
import { questionOf } from './agents.ts';
import { problems } from './problems.ts';
import type { AgentForm, AskForm, BatchForm } from './schema.ts';

/** What older clients put between a category and the question. */
const SPLIT = '-----------EVENT_DESCRIPTION-----------';

export type LegacyDeps = { batches: Pick<Batches, 'start' | 'get'> };

type Started = { status: string; analysis_id: string; batch_id: string };

export interface Legacy {
  /** Asks as `batches.start` does, and throws what it throws; besides `agents_not_offered`, `segmentation_not_offered` (501) or `category_unknown` (400). */
  createBatch(caller: Caller, form: BatchForm): Promise<{ batch_id: string; status: string }>;
  /** Asks one video. Throws the same. */
  ask(caller: Caller, form: AskForm): Promise<Started>;
  /** Asks one video what a fixed agent looks for; without a form, what happens in it. Throws the same. */
  askAgent(caller: Caller, videoId: string, form: AgentForm): Promise<Started>;
}

export function createLegacy({ batches }: LegacyDeps): Legacy {
  async function askOne(caller: Caller, videoId: string, query: string, config: Record<string, unknown>) {
    const { batch_id, status } = await batches.start(
      caller,
      { query, video_id: videoId },
      { mode: 'thinking', config },
    );
    const { analyses } = await batches.get(caller, batch_id, true);
    return { status, analysis_id: analyses[0]!.analysisId, batch_id };
  }

  return {
    async createBatch(caller, form) {
      refuseTrained(form);
      const agent = form.analysis_kind === 'edge_agent';
      const query = agent ? questionOfAgent(form) : (form.prompt ?? '');
      const config = agent ? configOfAgent(form) : { category: form.category ?? null };
      const { batch_id, status } = await batches.start(
        caller,
        { query, video_ids: [form.video_ids].flat() },
        { mode: 'thinking', config, clientId: form.client_batch_id ?? null },
      );
      return { batch_id, status };
    },

    async ask(caller, form) {
      refuseTrained(form);
      const [first, ...rest] = form.question.split(SPLIT);
      const [category, query] = rest.length === 0 ? [null, first!] : [first!, rest.join(SPLIT)];
      return askOne(caller, form.video_id, query, { category });
    },

    async askAgent(caller, videoId, form) {
      if (form?.custom_edge_case_agent_id) throw problems.agents_not_offered();
      const asked = form?.edge_case_category || form?.assistant_edge_cases_json ? form : GENERAL;
      return askOne(caller, videoId, questionOfAgent(asked), configOfAgent(asked));
    },
  };
}

const GENERAL = { edge_case_category: 'agent_mode_placeholder' };

const questionOfAgent = (form: NonNullable<AgentForm>) =>
  questionOf(form.edge_case_category ?? null, form.assistant_edge_cases_json ?? null);

const configOfAgent = (form: NonNullable<AgentForm>) => ({
  analysis_kind: 'edge_agent',
  edge_case_category: form.edge_case_category ?? null,
});

type Trained = {
  custom_agent_id?: string | null;
  custom_edge_case_agent_id?: string | null;
  custom_workflow_name?: string | null;
};

function refuseTrained(form: Trained): void {
  if (form.custom_workflow_name) throw problems.segmentation_not_offered();
  if (form.custom_agent_id || form.custom_edge_case_agent_id) throw problems.agents_not_offered();
}
