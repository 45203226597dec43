import { useRef, useState, useLayoutEffect } from 'react';
import { toE164 } from '../../../core/e164.ts';
import type { ContactHints } from '../../../core/slots.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { formatPhone, phoneError, typedToE164, caretAfter } from '../rules.ts';

interface AddContactProps {
  contactHints: ContactHints;
  onClose: () => void;
  /** @param number in E.164 format @param name of the contact that was chosen */
  onAdd: (number: string, name: string | null) => void;
}

const UNSAVED = 'Only the number is kept here. To name it, add a contact with this number.';

/** 'Add New Chat': chooses someone by name, or enters the number of a new contact. */
export function AddContact({ contactHints: ContactHints, onClose, onAdd }: AddContactProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<{ name: string; text: string } | null>(null);
  const isUnsaved = name.trim() !== '' && text !== '' && chosen?.name !== name;
  const nameInput = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add New Chat"
      size="small"
      isDirty={text !== ''}
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = phoneError(text);
        setError(wrong);
        if (wrong === undefined)
          onAdd(typedToE164(text), chosen?.text === text ? chosen.name : null);
        else event.currentTarget.querySelector<HTMLElement>('[type=tel]')?.focus();
      }}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary">
            Add
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Name"
          hint={isUnsaved ? UNSAVED : 'Type a client’s name to fill in the number'}
        >
          <TextInput
            ref={nameInput}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <ContactHints
            name={name}
            isTyped={name !== ''}
            input={nameInput}
            onPick={(contact) => {
              const number = contact.phoneNumbers.map(toE164).find((each) => each);
              const typed = formatPhone(number ?? '');
              setName(contact.name);
              setText(typed);
              setChosen({ name: contact.name, text: typed });
              setError(number === undefined ? `${contact.name} has no number to text` : undefined);
            }}
          />
        </Field>
        <Field
          label="Phone Number"
          error={error}
          hint="A US number, or one with its country code: 1 234 567 8910"
        >
          <PhoneInput
            value={text}
            onChange={(typed) => {
              setText(typed);
              setError(undefined);
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}

interface PhoneInputProps {
  value: string;
  onChange: (text: string) => void;
}

/** Formats a phone number while it is typed; the caret stays after the same digit. */
function PhoneInput({ value, onChange }: PhoneInputProps) {
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
