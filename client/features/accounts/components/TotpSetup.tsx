import Copy from 'lucide-react/icons/copy';
import { lazy, type SubmitEvent, Suspense, useState } from 'react';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { confirmTotp } from '../api.factors.ts';
import { CodeInput } from './CodeInput.tsx';

const QrCode = lazy(async () => ({ default: (await import('./QrCode.tsx')).QrCode }));

interface TotpSetupProps {
  secret: string;
  /** The `otpauth:` address of the secret. */
  url: string;
  onDone: (recoveryCodes: string[]) => void;
}

/** Shows a new secret as a QR code and as text, and asks for the first code. */
export function TotpSetup({ secret, url, onDone }: TotpSetupProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    try {
      onDone(await confirmTotp(code));
    } catch (failed) {
      setError(failed instanceof CallError ? failed.message : undefined);
      setIsBusy(false);
    }
  };
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toast.success('Secret copied');
  };
  const groups = secret.match(/.{1,4}/g)?.join(' ');
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-4">
      <Suspense fallback={<Skeleton className="size-[152px]" />}>
        <QrCode text={url} label="QR code for your authenticator app" />
      </Suspense>
      <div className="min-w-0 flex-1 basis-72 space-y-3">
        <div>
          <p>
            <span className="font-semibold">1.</span> Scan this code with your authenticator app.
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-note text-ink-2">
            No camera? Enter
            <span className="font-medium text-ink wrap-anywhere">{groups}</span>
            <IconButton
              label="Copy the secret"
              icon={Copy}
              variant="quiet"
              size="small"
              onClick={() => void copy()}
            />
          </p>
        </div>
        <form noValidate onSubmit={(event) => void handleSubmit(event)} className="space-y-1.5">
          <p aria-hidden="true">
            <span className="font-semibold">2.</span> Enter the six digits that it shows.
          </p>
          <div className="flex flex-wrap items-start gap-3 [&_label]:sr-only">
            <Field label="Six digits" error={error} className="flex-none">
              <CodeInput value={code} onValue={setCode} />
            </Field>
            <Button
              type="submit"
              variant="primary"
              size="large"
              busy={isBusy}
              disabled={code.length < 6}
              className="mt-[5px]"
            >
              Turn on
            </Button>
          </div>
          <p className="text-note text-ink-2">
            You then get ten recovery codes to print, shown once.
          </p>
        </form>
      </div>
    </div>
  );
}
