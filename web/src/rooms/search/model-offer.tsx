import { Trans } from '@lingui/react/macro';
import { useIsAdmin } from '#api/session.ts';
import { ModelActions } from '#rooms/system/model-actions.tsx';
import { useModels } from '#rooms/system/models-query.ts';

/** Offers search by meaning and by picture, with the button that gets its model. */
export function ModelOffer() {
  const isAdmin = useIsAdmin();
  const { data: models } = useModels({ enabled: isAdmin });
  const model = models?.models.find(({ task, status }) => task === 'embeddings' && status !== 'ready');
  if (isAdmin && !model) return null;
  return (
    <section className="mx-auto mt-4 grid max-w-lg gap-2 rounded-lg border bg-panel p-4 text-left">
      <h3>
        <Trans>Search by meaning and by picture</Trans>
      </h3>
      <p className="text-ink-2">
        <Trans>
          With one more model, words find frames that show what they mean, though nobody has asked about it yet, and a
          picture finds frames like it.
        </Trans>
      </p>
      {model && models ? (
        <ModelActions model={model} downloadsAllowed={models.downloads_allowed} />
      ) : (
        <p className="text-ink-3 text-sm">
          <Trans>An administrator can add it under Settings, System.</Trans>
        </p>
      )}
    </section>
  );
}
