// Components of the messages page: contacts, conversation, composer.

import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { phoneError, toNumber } from '../rules.ts';
import { PhoneInput } from './PhoneInput.tsx';

interface AddContactProps {
  onClose: () => void;
  /** @param number as E.164 has it */
  onAdd: (number: string) => void;
}

/** 'Add New Chat': the number of somebody to write to. */
export function AddContact({ onClose, onAdd }: AddContactProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
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
        if (wrong === undefined) onAdd(toNumber(text));
        else event.currentTarget.querySelector('input')?.focus();
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
      <Field
        label="Phone Number"
        error={error}
        hint="Start with the country code, for example 1 234 567 8910"
      >
        <PhoneInput
          value={text}
          onChange={(typed) => {
            setText(typed);
            setError(undefined);
          }}
        />
      </Field>
    </Dialog>
  );
}
