import { formPath, type IntakeForm } from '@matterdesk/contract/intake-forms.ts';
import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useState } from 'react';
import { succeeds, useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeForm } from '../api.forms.ts';
import { frameOf } from '../rules.forms.ts';

interface FormRowProps {
  form: IntakeForm;
  onEdit: () => void;
  onChanged: () => void;
}

/** A form with its address, its switch, and the button that opens it. */
export function FormRow({ form, onEdit, onChanged }: FormRowProps) {
  const { id, name, slug, type, active, fields, origins } = form;
  const { isBusy, attempt } = useAttempt();
  const address = `${location.origin}${formPath(slug)}`;
  const frame = frameOf(address, name);
  // Until the list says the same.
  const [turned, setTurned] = useState<{ from: boolean } | null>(null);
  const isOn = turned?.from === active ? !active : active;
  const turn = async () => {
    setTurned({ from: active });
    const isDone = await attempt({ active: !active }, () => changeForm(id, { active: !active }));
    if (isDone) onChanged();
    else setTurned(null);
  };
  const count = fields.length === 1 ? '1 question' : `${fields.length} questions`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-sm text-ink-2">{[type ?? 'Any type', count].join(' · ')}</p>
        {active && (
          <>
            <Copied what="address" of={name} text={address}>
              <a href={address} target="_blank" rel="noopener" className="link truncate">
                {address}
              </a>
            </Copied>
            <Copied what="frame" of={name} text={frame}>
              <code className="truncate text-note text-ink-2">{frame}</code>
            </Copied>
            <p className="text-note wrap-anywhere text-ink-2">
              {origins.length === 0
                ? 'No website may show it in a frame yet.'
                : `May be shown by ${origins.join(', ')}`}
            </p>
          </>
        )}
      </div>
      <Checkbox
        label="Active"
        aria-label={`${name} is active`}
        checked={isOn}
        disabled={isBusy}
        onChange={() => void turn()}
      />
      <Button onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </Button>
    </li>
  );
}

interface CopiedProps {
  what: 'address' | 'frame';
  /** The form's name. */
  of: string;
  text: string;
  children: ReactNode;
}

/** A line with a button that copies it. */
function Copied({ what, of, text, children }: CopiedProps) {
  const copy = async () => {
    const done = what === 'address' ? 'Address copied' : 'Frame copied';
    if (await succeeds(navigator.clipboard.writeText(text))) toast.success(done);
  };
  return (
    <p className="flex items-center gap-1 text-sm">
      {children}
      <IconButton
        label={`Copy the ${what} of ${of}`}
        icon={Copy}
        variant="quiet"
        size="small"
        onClick={() => void copy()}
      />
    </p>
  );
}
