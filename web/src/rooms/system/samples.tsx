import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, CarFront, DoorOpen, type LucideIcon } from 'lucide-react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';

/**
 * The samples that the service draws when they are first requested, by the start of their names, with questions to try.
 * Questions are English, whatever the language of the page.
 */
const SAMPLES: readonly { file: string; icon: LucideIcon; name: MessageDescriptor; questions: readonly string[] }[] = [
  { file: 'Street', icon: CarFront, name: msg`Street`, questions: ['a red car', 'a person walks', 'a bus'] },
  {
    file: 'Room',
    icon: DoorOpen,
    name: msg`Room`,
    questions: ['a person enters from the left', 'the picture gets dark', 'nothing moves'],
  },
  {
    file: 'Robot',
    icon: Bot,
    name: msg`Robot`,
    questions: ['something moves from left to right', 'nothing moves', 'the picture freezes'],
  },
];

/** Opens a sample, with a question in its box that the user only has to send. */
export function Samples() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { showError } = useToasts();
  const { mutate, isPending } = useMutation({
    async mutationFn({ file, ask }: { file: string; ask?: string }) {
      const query = { scope: 'sample', limit: SAMPLES.length } as const;
      const { videos } = (await api.GET('/api/my-videos', { params: { query } })).data!;
      // Organizations from before have the street alone.
      const sample = videos.find(({ video_name }) => video_name.startsWith(file)) ?? videos[0]!;
      await navigate({ to: '/videos/$videoId', params: { videoId: sample.video_id }, search: { tab: 'ask', ask } });
    },
    onError: showError,
  });
  return (
    <div className="mt-3 grid gap-1.5">
      <p>
        <Trans>Or try a sample that the service draws:</Trans>
      </p>
      <ul className="grid gap-1.5">
        {SAMPLES.map(({ file, icon, name, questions }) => (
          <li key={file} className="flex flex-wrap items-center gap-1.5">
            <Button icon={icon} disabled={isPending} className="w-24 justify-start" onClick={() => mutate({ file })}>
              {t(name)}
            </Button>
            {questions.map((ask) => (
              <button
                key={ask}
                type="button"
                lang="en"
                disabled={isPending}
                onClick={() => mutate({ file, ask })}
                className="rounded-full border px-2.5 py-0.5 text-ink-2 text-sm hover:border-strong-line hover:text-ink disabled:opacity-50"
              >
                {ask}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
