import { Toast } from '@base-ui/react/toast';
import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { ErrorNotice } from '../states.tsx';

type ToastData = { error?: unknown };

/** Shows short messages above the page. Screen readers announce them. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-4 left-4 z-50 grid w-[min(380px,calc(100vw-32px))] gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
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

/** Functions that show a message. `undo` adds a button that reverses what was done. */
export function useToasts() {
  const { t } = useLingui();
  const manager = Toast.useToastManager<ToastData>();
  return {
    show: (title: string, undo?: () => void) =>
      manager.add({ title, ...(undo ? { actionProps: { children: t`Undo`, onClick: undo } } : {}) }),
    showError: (error: unknown) => manager.add({ data: { error }, priority: 'high', timeout: 12_000 }),
  };
}
