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
  /** @param number in E.164 format */
  onAdd: (number: string) => void;
}

/** 'Add New Chat': enters the number of a new contact. */
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
