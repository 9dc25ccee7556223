import { Trans } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { savedQuestionsQuery } from '#rooms/saved-questions/queries.ts';
import { Checkbox } from '#ui/controls/field.tsx';
import { FormDialog } from '#ui/controls/form.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';

/** Chooses the saved questions that are answered while a camera is recorded. */
export function QuestionsDialog({
  camera,
  onClose,
  onSaved,
}: {
  camera: Camera;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { data, error, refetch } = useQuery(savedQuestionsQuery);
  const [chosen, setChosen] = useState(() => new Set(camera.questions.map((each) => each.saved_question_id)));
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Questions of {camera.name}</Trans>}
      action={<Trans>Save</Trans>}
      disabled={!data}
      onSubmit={async () => {
        await sightline.changeCamera(camera.camera_id, { saved_question_ids: [...chosen] });
        onSaved();
      }}
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton className="h-12" />}
      {data?.length === 0 && (
        <p className="text-ink-2">
          <Trans>
            There are no saved questions yet.{' '}
            <Link to="/saved-questions" className="underline hover:text-ink">
              Save one
            </Link>{' '}
            first.
          </Trans>
        </p>
      )}
      <div className="grid gap-2">
        {data?.map(({ saved_question_id: id, name, query }) => (
          <Checkbox
            key={id}
            checked={chosen.has(id)}
            onCheckedChange={(isChosen) => choose(id, isChosen)}
            label={
              <>
                {name} <span className="text-ink-3">{query}</span>
              </>
            }
          />
        ))}
      </div>
    </FormDialog>
  );
}
