import { Trans, useLingui } from '@lingui/react/macro';
import { MessageSquare, Upload, UserPlus } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { useIsAdmin } from '#api/session.ts';
import { provideCommands } from '#frame/quick-commands.ts';
import { filesOfInput, pickFiles } from '#rooms/uploads/chosen-files.ts';
import { useAddFiles } from '#rooms/uploads/upload-target.ts';

// Loaded when they are first opened.
const AskManyDialog = lazyComponent(async () => (await import('#rooms/batches/ask-many-dialog.tsx')).AskManyDialog);
const InviteDialogs = lazyComponent(
  async () => (await import('#rooms/accounts/settings/invite-dialogs.tsx')).InviteDialogs,
);

const ALL_VIDEOS = {};

/** Actions that the palette offers on every page: upload, ask, invite. */
export function QuickActions() {
  const { t } = useLingui();
  const isAdmin = useIsAdmin();
  const addFiles = useAddFiles();
  const [question, setQuestion] = useState<string | null>(null);
  const [inviting, setInviting] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  async function upload() {
    const files = await pickFiles();
    if (files) addFiles(files);
    else fileInput.current!.click();
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the commands read the latest target when they run.
  useEffect(
    () =>
      provideCommands([
        { id: 'upload', icon: Upload, text: t`Upload videos`, withWords: null, run: () => void upload() },
        {
          id: 'ask',
          icon: MessageSquare,
          text: t`Ask all videos`,
          withWords: (words) => t`Ask all videos “${words}”`,
          run: setQuestion,
        },
        ...(isAdmin
          ? [
              {
                id: 'invite',
                icon: UserPlus,
                text: t`Invite someone`,
                withWords: null,
                run: () => setInviting(true),
              },
            ]
          : []),
      ]),
    [t, isAdmin, addFiles],
  );
  return (
    <Suspense>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        aria-label={t`Upload videos`}
        onChange={({ currentTarget }) => {
          addFiles(filesOfInput(currentTarget.files ?? []));
          currentTarget.value = '';
        }}
      />
      {question !== null && (
        <AskManyDialog
          open
          onClose={() => setQuestion(null)}
          videos={ALL_VIDEOS}
          title={<Trans>Ask all videos</Trans>}
          text={question}
        />
      )}
      {inviting && <InviteDialogs onClose={() => setInviting(false)} />}
    </Suspense>
  );
}
