import { Trans, useLingui } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSession } from '#api/session.ts';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { CopyField } from '#ui/controls/copy.tsx';

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useLingui();
  const { email } = useSession();
  const text = codes.join('\n');
  const file = useTextFile([`Sightline, ${window.location.host}, ${email}`, '', text, ''].join('\n'));
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        <Trans>
          Store these recovery codes where you find them without your phone. Each of them signs you in once in place of
          a code of the app. They cannot be shown again.
        </Trans>
      </p>
      <CopyField label={t`Recovery codes`} text={text} block />
      <div className="flex flex-wrap justify-between gap-2">
        <a href={file} download="sightline-recovery-codes.txt" className={buttonClass()}>
          <Download size={15} strokeWidth={1.75} aria-hidden />
          <Trans>Download</Trans>
        </a>
        <Button look="primary" onClick={onDone}>
          <Trans>I have stored them</Trans>
        </Button>
      </div>
    </div>
  );
}

/** Address of a text file in the memory of the browser, until the component is removed. */
function useTextFile(text: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [text]);
  return address;
}
