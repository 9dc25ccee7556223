import type { ActionWorkflow, Engine } from '#engine/index';
import type { Batches } from '#features/batches/index';
import type { Caller } from '#platform/http/index';
import { problems } from '../problems.ts';
import { toQuery } from './agent-queries.ts';
import type { AgentForm, BatchForm, CreatedBatch, QuestionForm, StartedAnalysis } from './schema.ts';

/** Separator between category and question in requests of older clients. */
const SPLIT = '-----------EVENT_DESCRIPTION-----------';

/** Workflows of older clients. */
const WORKFLOWS: Record<string, ActionWorkflow> = {
  'action-segmentation': 'action_segmentation',
  'robotic-action-segmentation': 'action_classification',
};

export type QueryFormsDeps = { batches: Pick<Batches, 'start' | 'get'>; engine: Pick<Engine, 'visionProfiles'> };

export interface QueryForms {
  /**
   * Starts a batch. Throws as `batches.start` does, or `agents_not_offered`, `segmenters_not_offered`,
   * `segmentation_needs_model` (501), `workflow_unknown`, `workflow_without_schema`,
   * `detector_config_not_offered`, `output_schema_not_json` or
   * `category_unknown` (400).
   */
  createBatch(caller: Caller, form: BatchForm): Promise<CreatedBatch>;
  /** Starts an analysis of one video. Throws the same. */
  ask(caller: Caller, form: QuestionForm): Promise<StartedAnalysis>;
  /**
   * Starts an analysis of one video with the query of a fixed agent; without a form, a general one. Throws the same.
   */
  askAgent(caller: Caller, videoId: string, form: AgentForm): Promise<StartedAnalysis>;
}

export function createQueryForms({ batches, engine }: QueryFormsDeps): QueryForms {
  async function askOne(
    caller: Caller,
    videoId: string,
    query: string,
    options: { config: Record<string, unknown>; workflow?: ActionWorkflow | null },
  ) {
    const { batchId, status } = await batches.start(caller, { query, videoId }, { mode: 'thinking', ...options });
    const { analyses } = await batches.get(caller, batchId, true);
    return { status, analysisId: analyses[0]!.analysisId, batchId };
  }

  /** The workflow that a form names; null without one. */
  function workflowOf(form: WorkflowForm): ActionWorkflow | null {
    const { customWorkflowName, segmenterId, detectorConfigJson, outputSchemaJson } = form;
    if (segmenterId) throw problems.segmenters_not_offered();
    if (detectorConfigJson) throw problems.detector_config_not_offered();
    if (!customWorkflowName) return null;
    const workflow = Object.hasOwn(WORKFLOWS, customWorkflowName) ? WORKFLOWS[customWorkflowName]! : null;
    if (!workflow) throw problems.workflow_unknown();
    if (outputSchemaJson) throw problems.workflow_without_schema();
    if (engine.visionProfiles().length === 0) throw problems.segmentation_needs_model();
    return workflow;
  }

  return {
    async createBatch(caller, form) {
      refuseTrained(form);
      const workflow = workflowOf(form);
      const agent = form.analysisKind === 'edge_agent';
      const query = agent ? queryOfAgent(form) : (form.prompt ?? '');
      const config = agent ? configOfAgent(form) : configOf(form);
      return batches.start(
        caller,
        { query, videoIds: [form.videoIds].flat(), outputSchema: parseSchema(form.outputSchemaJson) },
        { mode: 'thinking', config, workflow, clientId: form.clientBatchId ?? null },
      );
    },

    async ask(caller, form) {
      refuseTrained(form);
      const workflow = workflowOf(form);
      const [first, ...rest] = form.question.split(SPLIT);
      const [category, query] = rest.length === 0 ? [null, first!] : [first!, rest.join(SPLIT)];
      return askOne(caller, form.videoId, query, { workflow, config: configOf({ ...form, category }) });
    },

    async askAgent(caller, videoId, form) {
      if (form?.customEdgeCaseAgentId) throw problems.agents_not_offered();
      const agent = form?.edgeCaseCategory || form?.assistantEdgeCasesJson ? form : GENERAL;
      return askOne(caller, videoId, queryOfAgent(agent), { config: configOfAgent(agent) });
    },
  };
}

/** The schema of a form, which is validated with the query. Throws `output_schema_not_json` (400). */
function parseSchema(text: string | null | undefined): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw problems.output_schema_not_json(undefined, { cause });
  }
}

const GENERAL = { edgeCaseCategory: 'agent_mode_placeholder' };

const queryOfAgent = (form: NonNullable<AgentForm>) =>
  toQuery(form.edgeCaseCategory ?? null, form.assistantEdgeCasesJson ?? null);

const configOfAgent = (form: NonNullable<AgentForm>) => ({
  analysis_kind: 'edge_agent',
  edge_case_category: form.edgeCaseCategory ?? null,
});

/** Clients read the name of the workflow to find out the form of its events. */
const configOf = ({ category, customWorkflowName }: { category?: string | null } & WorkflowForm) => ({
  category: category ?? null,
  ...(customWorkflowName ? { custom_workflow_name: customWorkflowName } : {}),
});

type WorkflowForm = {
  customWorkflowName?: string | null;
  segmenterId?: string | null;
  detectorConfigJson?: string | null;
  outputSchemaJson?: string | null;
};
type Trained = { customAgentId?: string | null; customEdgeCaseAgentId?: string | null };

function refuseTrained(form: Trained): void {
  if (form.customAgentId || form.customEdgeCaseAgentId) throw problems.agents_not_offered();
}
