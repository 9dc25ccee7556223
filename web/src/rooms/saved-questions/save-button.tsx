import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { BellPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { queries } from '#api/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { savedQuestionsQuery } from './queries.ts';
import type { NewQuestion } from './question-dialog.tsx';

// Loaded when it is first opened.
const QuestionDialog = lazyComponent(async () => (await import('./question-dialog.tsx')).QuestionDialog);

/** Saves a question, so that it runs on new videos, and shows it among the saved ones. */
export function SaveButton({ question }: { question: NewQuestion }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={BellPlus} title={t`Run it on new videos, too`} onClick={() => setOpen(true)}>
        <Trans>Save question</Trans>
      </Button>
      {open && (
        <Suspense>
          <QuestionDialog
            initial={question}
            onClose={() => setOpen(false)}
            onSaved={({ saved_question_id }) => {
              void queries.invalidateQueries({ queryKey: savedQuestionsQuery.queryKey });
              void navigate({ to: '/saved-questions', search: { question: saved_question_id } });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
