import type { Person } from '@matterdesk/contract/cases.ts';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import { type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { verifyDate } from '../api.ts';
import { nameOf } from '../rules.ts';

interface VerifyFormProps {
  deadline: Deadline;
  /** Who entered the date; undefined if it came from the matter. */
  author: Person | undefined;
}

/** The second pair of eyes: the date is read in the paper and entered again. */
export function VerifyForm({ deadline, author }: VerifyFormProps) {
  const [date, setDate] = useState('');
  const [time, setTime] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const verify = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await verifyDate(deadline.id, { date, time: time || null });
      toast.success('Date verified');
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem;
      setError(problem.message);
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void verify();
  };
  const who = author ? `${nameOf(author)} entered this date.` : 'This date came with its matter.';
  return (
    <section
      aria-label="Verify against the paper"
      className="border-t border-line bg-sunken px-6 py-4"
    >
      <h3 className="font-semibold">Verify against the paper</h3>
      <p className="mb-3 text-ink-2">{who} Read it in the paper and enter it again.</p>
      <form noValidate onSubmit={handleSubmit} className="flex flex-wrap items-start gap-2">
        <Field label="Date" error={error} className="w-40">
          <TextInput type="date" value={date} onChange={({ target }) => setDate(target.value)} />
        </Field>
        <Field label="Time" className="w-32" hint="Empty: end of day">
          <TextInput type="time" value={time} onChange={({ target }) => setTime(target.value)} />
        </Field>
        <Button type="submit" variant="primary" busy={isBusy} className="mt-[23px] ml-auto">
          Verify date
        </Button>
      </form>
    </section>
  );
}
