import { formPath, type IntakeForm } from '@matterdesk/contract/intake-forms.ts';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { succeeds, useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeForm } from '../api.forms.ts';

interface FormRowProps {
  form: IntakeForm;
  onEdit: () => void;
  onChanged: () => void;
}

/** A form with its address, its switch, and the button that opens it. */
export function FormRow({ form, onEdit, onChanged }: FormRowProps) {
  const { id, name, slug, type, active, fields } = form;
  const { isBusy, attempt } = useAttempt();
  const address = `${location.origin}${formPath(slug)}`;
  // Until the list says the same.
  const [turned, setTurned] = useState<{ from: boolean } | null>(null);
  const isOn = turned?.from === active ? !active : active;
  const turn = async () => {
    setTurned({ from: active });
    const isDone = await attempt({ active: !active }, () => changeForm(id, { active: !active }));
    if (isDone) onChanged();
    else setTurned(null);
  };
  const copy = async () => {
    if (await succeeds(navigator.clipboard.writeText(address))) toast.success('Address copied');
  };
  const count = fields.length === 1 ? '1 question' : `${fields.length} questions`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-sm text-ink-2">{[type ?? 'Any type', count].join(' · ')}</p>
        {active && (
          <p className="flex items-center gap-1 text-sm">
            <a href={address} target="_blank" rel="noopener" className="link truncate">
              {address}
            </a>
            <IconButton
              label={`Copy the address of ${name}`}
              icon={Copy}
              variant="quiet"
              size="small"
              onClick={() => void copy()}
            />
          </p>
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
