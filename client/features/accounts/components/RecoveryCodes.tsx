import Copy from 'lucide-react/icons/copy';
import Printer from 'lucide-react/icons/printer';
import { useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';

/** Recovery codes, shown once. The user can continue only after printing or copying them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const email = useAppSelector((state) => state.user.current?.email);
  const [isKept, setIsKept] = useState(false);
  const print = () => {
    globalThis.print();
    setIsKept(true);
  };
  const copy = async () => {
    if (await copyToClipboard(codes.join('\n'), 'Recovery codes copied')) setIsKept(true);
  };
  return (
    <div className="space-y-3">
      <p role="status">
        Keep these recovery codes where you find them without your telephone. Each one works once in
        place of a code or a passkey; older ones no longer work.
      </p>
      <div className="printed-alone w-fit rounded-dialog border border-line bg-surface px-5 py-4">
        <p className="mb-3 hidden font-semibold print:block">
          Matterdesk recovery codes of {email}
        </p>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-8 gap-y-1.5 font-mono text-heading tabular-nums"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button icon={Printer} onClick={print}>
          Print
        </Button>
        <Button icon={Copy} onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="primary" disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </div>
      {!isKept && <p className="text-note text-ink-2">Print or copy them first.</p>}
    </div>
  );
}
