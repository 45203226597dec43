import { zodResolver } from '@hookform/resolvers/zod';
import { type Letter, LetterSchema } from '@matterdesk/contract/intake-letters.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/form.ts';
import type { HandedDraft } from '../../../core/handed-draft.ts';
import { paths } from '../../../core/paths.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { draftLetter, readLetter } from '../api.forms.ts';
import { readSettings } from '../api.ts';

interface LetterDialogProps {
  /** With an e-mail address. */
  intake: Intake;
  onClose: () => void;
}

/** A letter to the person who asks: one of the firm's, changed where it must be, and opened as a draft in Emails. */
export function LetterDialog({ intake, onClose }: LetterDialogProps) {
  const { id, name, number, email } = intake;
  const navigate = useNavigate();
  const withKey = useClickKey();
  const { data, isFailed, refresh } = useRead(readSettings);
  const form = useForm<Letter>({
    defaultValues: { subject: '', text: '' },
    resolver: zodResolver(LetterSchema),
  });
  const { register, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const { chosen, isFilling, choose } = useChoice(id, (letter) => form.reset(letter));
  const submit = form.handleSubmit(async (letter) => {
    try {
      const draftId = await withKey(letter, (key) => draftLetter(id, letter, key));
      const state: HandedDraft = { to: email ?? '', ...letter };
      await navigate(paths.draft(draftId), { state });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const names = (data?.settings.templates ?? []).map((template) => template.name);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Write letter"
      subtitle={`${name} · intake ${number}`}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting || isFilling} disabled={!data}>
            Save and open in Emails
          </Button>
        </>
      }
    >
      {data ? (
        <div className="grid gap-4">
          <Field
            label="Letter"
            hint={
              names.length === 0
                ? 'Admins add letters under Intakes, Forms.'
                : 'Another letter replaces what is written below.'
            }
          >
            <Select
              placeholder="Select a letter"
              options={names}
              value={chosen}
              onChange={({ target }) => void choose(target.value)}
            />
          </Field>
          <Field label="Subject" error={errors.subject?.message}>
            <TextInput autoComplete="off" {...register('subject')} />
          </Field>
          <Field
            label="Text"
            error={errors.text?.message}
            hint="Nothing is sent before you send it in Emails."
          >
            <TextArea rows={12} {...register('text')} />
          </Field>
        </div>
      ) : isFailed ? (
        <ErrorState title="Couldn’t load the letters" onRetry={refresh} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  );
}

/** The chosen letter of the firm. Of two choices the newer one counts, whichever is answered first. */
function useChoice(id: string, onFilled: (letter: Letter) => void) {
  const [chosen, setChosen] = useState('');
  const [isFilling, setIsFilling] = useState(false);
  const newest = useRef('');
  const choose = async (template: string) => {
    newest.current = template;
    setChosen(template);
    setIsFilling(template !== '');
    if (template === '') return;
    try {
      const letter = await readLetter(id, template);
      if (newest.current === template) onFilled(letter);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (newest.current === template) setChosen('');
    }
    if (newest.current === template) setIsFilling(false);
  };
  return { chosen, isFilling, choose };
}
