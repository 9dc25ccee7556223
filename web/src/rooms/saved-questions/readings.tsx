import { Trans, useLingui } from '@lingui/react/macro';
import type { SavedQuestion } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { useIsAdmin, useSession } from '#api/session.ts';
import { Button } from '#ui/controls/button.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Facts } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { savedQuestionsQuery } from './queries.ts';

type Decision = 'accept' | 'keep';

/** Questions whose readings are shown before somebody asks for the others. */
const SHOWN = 3;

/** True if somebody has to decide how a question is understood. */
export const isUndecided = ({ reading }: SavedQuestion) =>
  reading?.state === 'differs' || reading?.state === 'unusable';

/** Questions that this version understands differently, or cannot run any more, with the decisions about them. */
export function UndecidedReadings({ questions }: { questions: readonly SavedQuestion[] }) {
  const [all, setAll] = useState(false);
  const undecided = questions.filter(isUndecided);
  if (undecided.length === 0) return null;
  const count = undecided.length;
  return (
    <div className="mb-4">
      <ul className="space-y-2">
        {undecided.slice(0, all ? count : SHOWN).map((question) => (
          <ReadingNotice key={question.saved_question_id} question={question} />
        ))}
      </ul>
      {count > SHOWN && !all && (
        <Button look="ghost" className="mt-2" onClick={() => setAll(true)}>
          <Trans>Show all {count}</Trans>
        </Button>
      )}
    </div>
  );
}

/** Both readings of a question, with the decision between them. */
function ReadingNotice({ question }: { question: SavedQuestion }) {
  const { t } = useLingui();
  const { user_id } = useSession();
  const isAdmin = useIsAdmin();
  const { decide, busy } = useDecision(question);
  const { name, owner_id, reading } = question;
  const { state, interpretation, problem, proposed } = reading!;
  const isUnusable = state === 'unusable';
  const canDecide = isAdmin || owner_id === user_id;
  return (
    <li className="rounded-md border border-warn/50 px-3 py-2.5">
      <h3 className="flex items-start gap-2 font-medium">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden />
        <span className="min-w-0 break-words">
          {isUnusable ? (
            <Trans>{name}: this version cannot answer the question as it was understood</Trans>
          ) : (
            <Trans>{name}: this version understands the question differently</Trans>
          )}
        </span>
      </h3>
      <div className="mt-2">
        <Facts
          facts={[
            ...(interpretation === null
              ? []
              : [[t`Used so far`, <ServiceText key="now">{interpretation}</ServiceText>] as const]),
            ...(problem === null ? [] : [[t`Reason`, <ServiceText key="why">{problem}</ServiceText>] as const]),
            ...(proposed === null
              ? []
              : [[t`This version`, <ServiceText key="other">{proposed.interpretation}</ServiceText>] as const]),
          ]}
        />
      </div>
      <p className="mt-1.5 max-w-prose text-pretty text-ink-2 text-sm">
        {isUnusable ? (
          <Trans>It does not run until you accept the reading of this version, or change its words.</Trans>
        ) : proposed?.interpretation === interpretation ? (
          <Trans>The sentences are the same, but events may be found or rated in another way.</Trans>
        ) : (
          <Trans>Nothing changes until somebody accepts it. Earlier answers stay as they are.</Trans>
        )}
      </p>
      {canDecide ? (
        proposed && (
          <div className="mt-2.5 flex flex-wrap gap-2">
            <Button look="primary" busy={busy} onClick={() => void decide('accept')} aria-label={t`Accept for ${name}`}>
              <Trans>Accept</Trans>
            </Button>
            {!isUnusable && (
              <Button busy={busy} onClick={() => void decide('keep')} aria-label={t`Keep for ${name}`}>
                <Trans>Keep</Trans>
              </Button>
            )}
          </div>
        )
      ) : (
        <p className="mt-1.5 text-ink-3 text-sm">
          <Trans>Its owner or an administrator decides.</Trans>
        </p>
      )}
    </li>
  );
}

/** Decides about the proposed reading of a question. A failure is shown, and the list is read again. */
export function useDecision(question: SavedQuestion | undefined) {
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [busy, setBusy] = useState(false);
  async function decide(decision: Decision) {
    const reading_id = question?.reading?.proposed?.reading_id;
    if (!question || !reading_id) return;
    setBusy(true);
    try {
      await sightline.decideReading(question.saved_question_id, { reading_id, decision });
    } catch (error) {
      showError(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: savedQuestionsQuery.queryKey });
      setBusy(false);
    }
  }
  return { decide, busy };
}
