import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import { useId } from 'react';
import type { AccessMode, WalledKind } from '@matterdesk/contract/access.ts';
import { cx } from '../../../ui/cx.ts';
import { wordsOf } from '../rules.ts';

const MODES = [
  {
    mode: 'open',
    icon: LockOpen,
    title: 'Open',
  },
  {
    mode: 'restricted',
    icon: Lock,
    title: 'Restricted',
  },
] as const;

interface AccessModesProps {
  kind: WalledKind;
  value: AccessMode;
  disabled: boolean;
  onChange: (mode: AccessMode) => void;
}

/** Open or restricted, with what each means. */
export function AccessModes({ kind, value, disabled, onChange }: AccessModesProps) {
  const name = useId();
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="sr-only">{`Who sees ${wordsOf[kind].it}`}</legend>
      {MODES.map(({ mode, icon: Icon, title }) => (
        <label
          key={mode}
          className={cx(
            'grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-2 rounded-control border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            value === mode ? 'border-accent bg-accent-soft' : 'border-line-strong',
            disabled ? 'opacity-70' : 'cursor-pointer',
          )}
        >
          <input
            type="radio"
            name={name}
            value={mode}
            checked={value === mode}
            disabled={disabled}
            onChange={() => onChange(mode)}
            className="mt-0.5 size-4 flex-none accent-accent outline-none"
          />
          <Icon className="mt-0.5" />
          <span className="font-medium">{title}</span>
          <span className="col-start-3 text-note text-ink-2">{wordsOf[kind][mode]}</span>
        </label>
      ))}
    </fieldset>
  );
}
