import type { Firm, FirmPatch } from '@matterdesk/contract/firm.ts';
import { TextAreaField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { TimeZoneField } from '../../../core/TimeZoneField.tsx';
import { Button } from '../../../ui/Button.tsx';
import { changeFirm } from '../api.ts';
import { firstSettings, SetUpSchema } from '../rules.ts';

interface SetUpFirmProps {
  firm: Firm;
  onDone: () => void;
}

/** The first settings of a new firm, which the dashboard of its admins asks for once. */
export function SetUpFirm({ firm, onDone }: SetUpFirmProps) {
  const start = firstSettings(firm);
  const save = async (patch: FirmPatch) => {
    await changeFirm({ body: { ...patch, setUp: true } });
    onDone();
  };
  const { form, submit, isBusy } = useSave(SetUpSchema, start, save);
  return (
    <section
      aria-labelledby="set-up-firm"
      className="mx-4 mt-5 max-w-[46rem] rounded-card border border-line bg-surface px-5 py-4 sm:mx-9"
    >
      <h2 id="set-up-firm" className="text-heading font-semibold">
        Set up the firm
      </h2>
      <p className="mt-0.5 text-note text-ink-2">
        For letters, dates and reminders. You can change all of it later under Firm.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 grid gap-x-4 gap-y-4 sm:grid-cols-2">
        <TextField form={form} name="name" label="Firm name" autoComplete="organization" wide />
        <TimeZoneField form={form} name="timeZone" hint="From this browser" />
        <TextField
          form={form}
          name="morning"
          label="Morning"
          hint="When warnings and the digest are sent"
          type="time"
        />
        <TextAreaField form={form} name="address" label="Office address" rows={3} wide />
        <div className="flex items-center gap-3 sm:col-span-2">
          <Button type="submit" variant="primary" busy={isBusy}>
            Save
          </Button>
          <Button
            variant="quiet"
            // The zone is right without a question, and the call shows its own error.
            onClick={() => void save({ timeZone: start.timeZone }).catch(() => undefined)}
          >
            Not now
          </Button>
        </div>
      </form>
    </section>
  );
}
