import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { PasswordInput } from '../../../ui/PasswordInput.tsx';
import type { Locked } from './use-pdf.ts';

/** Asks for the password of a locked document, which never leaves the browser. */
export function PasswordForm({ locked }: { locked: Locked }) {
  const [password, setPassword] = useState('');
  return (
    <form
      className="mx-auto grid w-full max-w-sm gap-4 px-4 py-16"
      onSubmit={(event) => {
        event.preventDefault();
        locked.open(password);
      }}
    >
      <p className="text-heading font-semibold">This document is locked</p>
      <Field
        label="Document password"
        error={locked.isWrong ? 'This password isn’t right' : undefined}
      >
        <PasswordInput
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={password === ''} className="justify-self-start">
        Open
      </Button>
    </form>
  );
}
