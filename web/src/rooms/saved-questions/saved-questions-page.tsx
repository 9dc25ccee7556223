import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { SavedQuestion } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, sightline } from '#api/client.ts';
import { Title } from '#frame/page-slots.tsx';
import { CompareDialog } from '#rooms/comparisons/compare-dialog.tsx';
import { Button } from '#ui/controls/button.tsx';
import { ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EmptyState } from '#ui/states.tsx';
import { PATH, savedQuestionsQuery } from './queries.ts';
import { type QuestionAction, type QuestionChanges, useQuestionColumns } from './question-columns.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { isUndecided, UndecidedReadings, useDecision } from './readings.tsx';
import { Runs } from './runs.tsx';

/** Questions that run by themselves on new videos, and the runs of one of them. */
export function SavedQuestionsPage() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const search = useSearch({ from: '/app/saved-questions' });
  const navigate = useNavigate({ from: '/saved-questions' });
  const [creating, setCreating] = useState(false);
  const [action, setAction] = useState<QuestionAction | null>(null);
  const query = useQuery(savedQuestionsQuery);
  const selected = query.data?.find(({ saved_question_id }) => saved_question_id === search.question);
  const undecided = query.data?.filter(isUndecided).length ?? 0;
  const { decide } = useDecision(action?.question);
  const refresh = () => queryClient.invalidateQueries({ queryKey: savedQuestionsQuery.queryKey });
  const select = (question: string | undefined) => void navigate({ search: { question }, replace: true });
  const params = { path: { saved_question_id: action?.question.saved_question_id ?? '' } };

  async function change({ saved_question_id }: SavedQuestion, body: QuestionChanges) {
    try {
      await api.PATCH(PATH, { params: { path: { saved_question_id } }, body });
      await refresh();
    } catch (error) {
      showError(error);
    }
  }
  const saveButton = (look: 'primary' | 'plain') => (
    <Button icon={Plus} look={look} onClick={() => setCreating(true)}>
      <Trans>Save question</Trans>
    </Button>
  );
  return (
    <div className="p-4.5 md:py-6">
      <Title text={t`Saved questions`} />
      <Section
        title={<Trans>Saved questions</Trans>}
        hint={
          <Trans>
            They run by themselves on each new video.{' '}
            <Link to="/settings/$section" params={{ section: 'webhooks' }} className="underline hover:text-ink">
              Webhooks
            </Link>{' '}
            announce the events that they find.
          </Trans>
        }
        action={(query.data?.length ?? 0) > 0 && saveButton('plain')}
      >
        {undecided > 0 && (
          <p className="mb-2 font-medium">
            <Plural value={undecided} one="# reading waits for a decision" other="# readings wait for a decision" />
          </p>
        )}
        <UndecidedReadings questions={query.data ?? []} />
        <ListTable
          label={t`Saved questions`}
          query={query}
          rows={query.data ?? []}
          columns={useQuestionColumns({
            onRuns: ({ saved_question_id }) => select(saved_question_id),
            onChange: (question, changes) => void change(question, changes),
            onAction: setAction,
          })}
          rowKey={({ saved_question_id }) => saved_question_id}
          empty={
            <EmptyState title={<Trans>No saved questions yet</Trans>} action={saveButton('primary')}>
              <Trans>Save one here, or on the page of a question that you asked.</Trans>
            </EmptyState>
          }
        />
      </Section>
      {selected && <Runs question={selected} />}
      {action?.kind === 'compare' && (
        <CompareDialog
          compared={{
            query: action.question.query,
            mode: action.question.mode,
            folderId: action.question.folder_id,
            savedQuestionId: action.question.saved_question_id,
          }}
          onClose={() => setAction(null)}
        />
      )}
      {(creating || action?.kind === 'change') && (
        <QuestionDialog
          changed={action?.question}
          onClose={() => {
            setCreating(false);
            setAction(null);
          }}
          onSaved={({ saved_question_id }) => {
            select(saved_question_id);
            void refresh();
          }}
        />
      )}
      <ConfirmDialog
        open={action?.kind === 'run'}
        onClose={() => setAction(null)}
        title={<Trans>Run the question on existing videos?</Trans>}
        action={<Trans>Run</Trans>}
        look="primary"
        onConfirm={async () => {
          const { batch_id } = await sightline.runSavedQuestion(params.path.saved_question_id);
          await navigate({ to: '/questions/$batchId', params: { batchId: batch_id } });
        }}
      >
        <Trans>It runs on the videos that it has not run on, at most 1,000 at once. No alerts are sent.</Trans>
      </ConfirmDialog>
      <ConfirmDialog
        open={action?.kind === 'reading'}
        onClose={() => setAction(null)}
        title={<Trans>Use the reading of this version?</Trans>}
        action={<Trans>Accept</Trans>}
        look="primary"
        onConfirm={() => decide('accept')}
      >
        <ServiceText>{action?.question.reading?.proposed?.interpretation ?? ''}</ServiceText>
      </ConfirmDialog>
      <ConfirmDialog
        open={action?.kind === 'delete'}
        onClose={() => setAction(null)}
        title={<Trans>Delete the saved question?</Trans>}
        action={<Trans>Delete question</Trans>}
        look="danger"
        onConfirm={async () => {
          // Its runs must not be read again.
          if (params.path.saved_question_id === search.question) select(undefined);
          await api.DELETE(PATH, { params });
          await queryClient.invalidateQueries({ queryKey: savedQuestionsQuery.queryKey, exact: true });
        }}
      >
        <Trans>It runs no more. Its analyses and their events stay.</Trans>
      </ConfirmDialog>
    </div>
  );
}
