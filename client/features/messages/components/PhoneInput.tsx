import { useLayoutEffect, useRef } from 'react';
import { TextInput } from '../../../ui/TextInput.tsx';
import { caretAfter, formatPhone } from '../rules.ts';

interface PhoneInputProps {
  value: string;
  onChange: (text: string) => void;
}

/** Formats a phone number while it is typed; the caret stays after the same digit. */
export function PhoneInput({ value, onChange }: PhoneInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  return (
    <TextInput
      ref={input}
      type="tel"
      inputMode="tel"
      autoComplete="off"
      placeholder="1 234 567 8910"
      value={value}
      onChange={({ target }) => {
        const formatted = formatPhone(target.value);
        const before = target.value.slice(0, target.selectionStart ?? undefined);
        caret.current = caretAfter(formatted, before.replaceAll(/\D/g, '').length);
        onChange(formatted);
      }}
    />
  );
}
