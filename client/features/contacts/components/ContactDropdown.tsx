import type { ContactFieldProps } from '../../../core/contact-field.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { useContactOptions } from '../hooks/use-contact-options.ts';

const NONE: readonly string[] = [];

/** A dropdown of all contacts, searched on the server. */
export function ContactDropdown({
  placeholder = 'Select any contact',
  without = NONE,
  ...props
}: ContactFieldProps) {
  const { options, ...found } = useContactOptions();
  return (
    <Combobox
      {...props}
      {...found}
      options={options.filter(({ id }) => !without.includes(id))}
      placeholder={placeholder}
    />
  );
}
