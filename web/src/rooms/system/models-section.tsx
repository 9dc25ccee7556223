import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#ui/controls/button.tsx';
import { formatBytes } from '#ui/format/format.ts';
import { quote } from '#ui/format/quoted.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { Badge, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { ModelActions } from './model-actions.tsx';
import { type Model, useModelAction, useModels } from './models-query.ts';

/** The models of the service, for administrators. */
export function ModelsSection() {
  const { data, error, refetch } = useModels();
  return (
    <Section
      title={<Trans>Models</Trans>}
      hint={<Trans>Weights that observers need, shared by the whole service.</Trans>}
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton className="h-32" />}
      {data && (
        <ul className="divide-y border-t">
          {data.models.map((model) => (
            <ModelRow key={model.name} model={model} downloadsAllowed={data.downloads_allowed} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ModelRow({ model, downloadsAllowed }: { model: Model; downloadsAllowed: boolean }) {
  const { t } = useLingui();
  const [removing, setRemoving] = useState(false);
  const { mutateAsync } = useModelAction(model);
  const { title, adds, questions, cost, quality, trained_on, license, status, verified, size_bytes } = model;
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="flex flex-wrap items-center gap-2">
            {title} <StatusBadge model={model} />
          </h3>
          <p className="text-ink-2">
            <ServiceText>{adds}</ServiceText>
          </p>
          <p className="text-ink-2">
            <Trans>
              Needed for questions such as {listOfQuestions(questions.map((question) => quote(question, t)))}.
            </Trans>
          </p>
          <p className="text-ink-3 text-sm">
            <Trans>Measured:</Trans> <ServiceText>{quality}</ServiceText> <Trans>Trained on:</Trans>{' '}
            <ServiceText>{trained_on}</ServiceText> <Trans>Computation, in frames of YOLOX-Nano:</Trans>{' '}
            <ServiceText>{cost}</ServiceText>
          </p>
        </div>
        {status === 'ready' && (
          <IconButton icon={Trash2} label={t`Remove ${title}`} onClick={() => setRemoving(true)} />
        )}
      </div>
      {status === 'ready' ? (
        <>
          <p className="num text-ink-2">
            {formatBytes(size_bytes)} ·{' '}
            <a href={license.url} target="_blank" rel="noopener noreferrer" className="underline hover:text-ink">
              <Trans>License: {license.name}</Trans>
            </a>
          </p>
          {verified === false && <UnverifiedNote />}
        </>
      ) : (
        <ModelActions model={model} downloadsAllowed={downloadsAllowed} />
      )}
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={<Trans>Remove {title}?</Trans>}
        action={<Trans>Remove</Trans>}
        look="danger"
        onConfirm={() => mutateAsync('remove')}
      >
        <Trans>Questions about what it detects are no longer answered for videos that were not observed with it.</Trans>
      </ConfirmDialog>
    </li>
  );
}

/** Examples, in English. */
const listOfQuestions = (questions: readonly string[]): string =>
  new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(questions);

/** Warns that a file is not the published one. */
export const UnverifiedNote = () => (
  <p className="text-warn">
    <Trans>This is not the published file. It works, but nobody has checked its results.</Trans>
  </p>
);

function StatusBadge({ model: { status, verified } }: { model: Model }) {
  if (status === 'ready' && verified)
    return (
      <Badge tone="ok">
        <Trans>Ready</Trans>
      </Badge>
    );
  if (status === 'ready')
    return (
      <Badge tone="warn">
        <Trans>Ready, not verified</Trans>
      </Badge>
    );
  if (status === 'downloading')
    return (
      <Badge tone="accent">
        <Trans>Downloading</Trans>
      </Badge>
    );
  if (status === 'failed')
    return (
      <Badge tone="bad">
        <Trans>Download failed</Trans>
      </Badge>
    );
  return (
    <Badge>
      <Trans>Not installed</Trans>
    </Badge>
  );
}
