import { useState } from 'react';
import { eventKinds } from '@matterdesk/contract/calendar.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { kindLabels } from '../rules.ts';
import { changing, inEvents } from '../rules.exchange.ts';
import { EventImportItems } from './EventImportItems.tsx';
import { useEventImport } from './use-event-import.ts';

interface EventImportProps {
  caseField: CaseField;
  onClose: () => void;
}

const kinds = eventKinds.map((value) => ({ value, label: kindLabels[value] }));

/** Takes events from a file of another calendar: a preview first, then all of them or none. */
export function EventImport({ caseField: Case, onClose }: EventImportProps) {
  const { file, items, failure, busy, attempt, run } = useEventImport();
  const [matter, setMatter] = useState<Option | null>(null);
  const [kind, setKind] = useState('');
  const fields = (of: Option | null) => ({ caseId: of?.id ?? '', kind });
  const isRight = items?.every(({ problem }) => problem === null) ?? false;
  const count = changing(items ?? []);
  const chooseMatter = (option: Option | null) => {
    setMatter(option);
    // What a matter has already is not added again.
    if (file) void attempt(file, fields(option));
  };
  return (
    <Dialog
      open
      onClose={() => busy !== 'importing' && onClose()}
      title="Import events"
      subtitle="From an .ics file. All events are imported, or none."
      size="large"
      footer={
        <>
          <DialogClose />
          {isRight && count > 0 && (
            <Button
              variant="primary"
              busy={busy === 'importing'}
              onClick={() => void run(fields(matter)).then((isDone) => isDone && onClose())}
            >
              {`Import ${inEvents(count)}`}
            </Button>
          )}
        </>
      }
    >
      <FileDrop
        what="calendar file"
        accept=".ics,.ical,text/calendar"
        file={file}
        error={failure}
        onFile={(chosen) => void attempt(chosen, fields(matter))}
      />
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field
          label="Matter"
          hint="Applies to every event in the file. Leave blank for firm events."
        >
          <Case value={matter} onChange={chooseMatter} />
        </Field>
        <Field label="Kind">
          <Select
            placeholder="Other"
            options={kinds}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
          />
        </Field>
      </div>
      <div aria-live="polite" className="mt-5">
        {busy === 'trying' && (
          <p className="flex items-center gap-2 text-ink-2">
            <Spinner /> Reading the file…
          </p>
        )}
        {items && <EventImportItems items={items} />}
      </div>
    </Dialog>
  );
}
