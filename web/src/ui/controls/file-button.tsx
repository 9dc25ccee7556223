import { FileUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';

/** A button that opens the browser's dialog for one file. The same file can be chosen again. */
export function FileButton({
  onFile,
  accept,
  busy,
  icon = FileUp,
  className,
  children,
}: {
  onFile: (file: File) => void;
  /** Endings or types of files, as in HTML; all files if it is not given. */
  accept?: string;
  busy?: boolean;
  icon?: typeof FileUp;
  className?: string;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={icon} busy={busy} className={className} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onFile(file);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
