import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';

/** Most lines that a contact keeps. */
const MOST = 20;

interface LinesFieldProps {
  label: string;
  /** One of them, such as 'Phone number'. */
  item: string;
  type: 'text' | 'tel' | 'email';
  value: readonly string[];
  onChange: (lines: string[]) => void;
  /** By place. */
  errors: readonly (string | undefined)[];
}

/** A list of short texts, the main one first; without any there is an empty line to type in. */
export function LinesField({ label, item, type, value, onChange, errors }: LinesFieldProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  const lines = value.length === 0 ? [''] : value;
  const inputs = () => [...(box.current?.querySelectorAll('input') ?? [])];
  const handleAdd = () => {
    flushSync(() => onChange([...lines, '']));
    inputs().at(-1)?.focus();
  };
  const handleRemove = (at: number) => {
    flushSync(() => onChange(lines.toSpliced(at, 1)));
    inputs()[Math.max(0, at - 1)]?.focus();
  };
  return (
    <fieldset ref={box} className="min-w-0">
      <legend className="mb-[5px] text-sm font-medium">{label}</legend>
      <div className="grid gap-1.5">
        {lines.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
          <div key={at}>
            <div className="flex items-center gap-1">
              <TextInput
                type={type}
                id={`${type}-${item}-${at}`.replaceAll(' ', '-')}
                aria-label={at === 0 ? `${item}, main` : `${item} ${at + 1}`}
                aria-invalid={errors[at] === undefined ? undefined : true}
                autoComplete="off"
                value={line}
                onChange={({ target }) => onChange(lines.toSpliced(at, 1, target.value))}
              />
              {(lines.length > 1 || line !== '') && (
                <IconButton
                  label={`Remove ${item.toLowerCase()} ${at + 1}`}
                  icon={X}
                  variant="quiet"
                  size="small"
                  onClick={() => handleRemove(at)}
                />
              )}
            </div>
            {errors[at] !== undefined && (
              <p role="alert" className="mt-1 text-note/[1.125rem] text-red">
                {errors[at]}
              </p>
            )}
          </div>
        ))}
      </div>
      {lines.length < MOST && lines.at(-1) !== '' && (
        <Button variant="quiet" size="small" icon={Plus} className="mt-1" onClick={handleAdd}>
          {`Add ${item.toLowerCase()}`}
        </Button>
      )}
    </fieldset>
  );
}
