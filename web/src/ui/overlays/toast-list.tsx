import { Toast } from '@base-ui/react/toast';
import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import { ErrorNotice } from '../states.tsx';

export type ToastData = { error?: unknown };

/** The messages above the page. */
export function ToastList() {
  return (
    <Toast.Portal>
      <Toast.Viewport className="fixed bottom-4 left-4 z-50 grid w-[min(380px,calc(100vw-32px))] gap-2">
        <Messages />
      </Toast.Viewport>
    </Toast.Portal>
  );
}

function Messages() {
  const { t } = useLingui();
  const { toasts } = Toast.useToastManager<ToastData>();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="rounded-lg bg-panel p-3 shadow-float">
      <Toast.Content className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          {toast.data?.error !== undefined ? (
            <ErrorNotice error={toast.data.error} />
          ) : (
            <Toast.Title className="font-medium" />
          )}
          <Toast.Description className="text-ink-2" />
          {toast.actionProps && <Toast.Action className="mt-1 font-medium text-accent-text hover:underline" />}
        </div>
        <Toast.Close render={<IconButton icon={X} label={t`Dismiss`} />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
