import { type RefObject, useState } from 'react';
import { MAX_MAIL_TEXT } from '@matterdesk/contract/mails.ts';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { AddressInput } from './AddressInput.tsx';
import { withMore, type Written } from '../rules.writing.ts';

interface ComposeFieldsProps {
  written: Written;
  faults: Partial<Record<string, string>>;
  onWrite: (next: Partial<Written> | ((now: Written) => Partial<Written>)) => void;
  to: RefObject<HTMLInputElement | null>;
  message: RefObject<HTMLTextAreaElement | null>;
}

/** The recipients, the subject and the text. */
export function ComposeFields({ written, faults, onWrite, to, message }: ComposeFieldsProps) {
  const [areCopiesOpen, setAreCopiesOpen] = useState(false);
  const hasCopies = areCopiesOpen || written.cc !== '' || written.bcc !== '';
  return (
    <div className="flex min-h-0 grow flex-col gap-2.5 overflow-y-auto px-3 pt-2.5 pb-2">
      <Field
        label="To"
        error={faults['to']}
        className="flex-none"
        aside={
          !hasCopies && (
            <button
              type="button"
              className="rounded-small text-sm text-ink-2 hover:text-ink hover:underline pointer-coarse:min-h-11"
              onClick={() => setAreCopiesOpen(true)}
            >
              Cc and Bcc
            </button>
          )
        }
      >
        <AddressInput
          ref={to}
          value={written.to}
          onChange={(text) => onWrite({ to: text })}
          // A mail has one addressee; the others get it as a copy.
          onMore={(more) => onWrite((now) => ({ cc: withMore(now.cc, more) }))}
        />
      </Field>
      {hasCopies &&
        (['cc', 'bcc'] as const).map((name) => (
          <Field
            key={name}
            label={name === 'cc' ? 'Cc' : 'Bcc'}
            error={faults[name]}
            className="flex-none"
          >
            <AddressInput
              // Opening the two fields focuses the first.
              ref={areCopiesOpen && name === 'cc' ? focusOnMount : undefined}
              placeholder="Separate with commas"
              value={written[name]}
              onChange={(text) => onWrite({ [name]: text })}
            />
          </Field>
        ))}
      <Field label="Subject" error={faults['subject']} className="flex-none">
        <TextInput
          autoComplete="off"
          value={written.subject}
          onChange={(event) => onWrite({ subject: event.target.value })}
        />
      </Field>
      <Field
        label="Message"
        error={faults['text']}
        className="flex min-h-40 grow flex-col [&>textarea]:grow"
      >
        <TextArea
          ref={message}
          maxLength={MAX_MAIL_TEXT}
          className="resize-none!"
          value={written.text}
          onChange={(event) => onWrite({ text: event.target.value })}
        />
      </Field>
    </div>
  );
}

function focusOnMount(input: HTMLInputElement | null) {
  input?.focus();
}
