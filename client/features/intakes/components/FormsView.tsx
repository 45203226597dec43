import Copy from 'lucide-react/icons/copy';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState, type ReactNode, useEffect } from 'react';
import { type Resolver, set, useFieldArray } from 'react-hook-form';
import type { Location } from 'react-router';
import { type IntakeForm, formPath } from '@matterdesk/contract/intake-forms.ts';
import { IntakeSettingsSchema, type IntakeSettings } from '@matterdesk/contract/intake-routes.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { NumberField, TextAreaField, TextField } from '../../../core/fields.tsx';
import { resetToSaved, useSave } from '../../../core/form.ts';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useRead } from '../../../core/use-read.ts';
import { counted } from '../../../core/words.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';
import { cx } from '../../../ui/cx.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { readForms, changeForm } from '../api.forms.ts';
import { readSettings, changeSettings } from '../api.ts';
import { frameOf, linesOf } from '../rules.forms.ts';

const IntakeFormDialog = lazyNamed(() => import('./IntakeFormDialog.tsx'), 'IntakeFormDialog');

const placeOf = ({ pathname, search }: Location) =>
  `${pathname} ${new URLSearchParams(search).get('view')}`;

/** The firm's public forms, and how it handles what comes in; admins change both. */
export function FormsView() {
  const forms = useRead(readForms);
  const settings = useRead(readSettings);
  const [editing, setEditing] = useState<IntakeForm | 'new' | null>(null);
  const [isFormDirty, setIsFormDirty] = useState(false);
  const [areSettingsDirty, setAreSettingsDirty] = useState(false);
  const close = () => {
    setEditing(null);
    setIsFormDirty(false);
  };
  return (
    <div className="max-w-4xl pb-9">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 className="text-heading font-semibold">Public forms</h2>
        <Button icon={Plus} onClick={() => setEditing('new')}>
          New form
        </Button>
      </div>
      {forms.isFailed ? (
        <ErrorState title="Couldn’t load the forms" onRetry={forms.refresh} />
      ) : !forms.data ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <ul aria-label="Public forms" className="border-t border-line">
          {forms.data.map((form) => (
            <FormRow
              key={form.id}
              form={form}
              onEdit={() => setEditing(form)}
              onChanged={forms.refresh}
            />
          ))}
        </ul>
      )}
      {/* Hidden until the forms have loaded, so that they do not push it down. */}
      <div className={cx(!forms.data && !forms.isFailed && 'hidden')}>
        <h2 className="mt-9 mb-3 text-heading font-semibold">Responses, sources and letters</h2>
        {settings.isFailed ? (
          <ErrorState title="Couldn’t load the settings" onRetry={settings.refresh} />
        ) : settings.data ? (
          <SettingsForm
            settings={settings.data.settings}
            onSaved={settings.refresh}
            onDirty={setAreSettingsDirty}
          />
        ) : (
          <Skeleton className="h-64 w-full" />
        )}
      </div>
      {editing !== null && (
        <IntakeFormDialog
          form={editing === 'new' ? null : editing}
          onClose={close}
          onDirty={setIsFormDirty}
          onSaved={() => {
            close();
            forms.refresh();
          }}
        />
      )}
      <LeaveQuestion isDirty={isFormDirty || areSettingsDirty} placeOf={placeOf} />
    </div>
  );
}

interface FormRowProps {
  form: IntakeForm;
  onEdit: () => void;
  onChanged: () => void;
}

/** A form with its address, its switch, and the button that opens it. */
function FormRow({ form, onEdit, onChanged }: FormRowProps) {
  const { id, name, slug, type, active, fields, origins } = form;
  const { isBusy, attempt } = useAttempt();
  const address = `${location.origin}${formPath(slug)}`;
  const frame = frameOf(address, name);
  // Until the list says the same.
  const [turned, setTurned] = useState<{ from: boolean } | null>(null);
  const isOn = turned?.from === active ? !active : active;
  const turn = async () => {
    setTurned({ from: active });
    const body = { active: !active };
    const isDone = await attempt(body, () => changeForm({ params: { id }, body }));
    if (isDone) onChanged();
    else setTurned(null);
  };
  const count = counted(fields.length, 'question');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-sm text-ink-2">{[type ?? 'Any type', count].join(' · ')}</p>
        {active && (
          <>
            <CopyLine what="address" formName={name} text={address}>
              <a href={address} target="_blank" rel="noopener" className="link truncate">
                {address}
              </a>
            </CopyLine>
            <CopyLine what="frame" formName={name} text={frame}>
              <code className="truncate text-note text-ink-2">{frame}</code>
            </CopyLine>
            <p className="text-note wrap-anywhere text-ink-2">
              {origins.length === 0
                ? 'No website may show it in a frame yet.'
                : `May be shown by ${origins.join(', ')}`}
            </p>
          </>
        )}
      </div>
      <Checkbox
        label="Active"
        aria-label={`${name} is active`}
        checked={isOn}
        disabled={isBusy}
        onChange={() => void turn()}
      />
      <Button onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </Button>
    </li>
  );
}

interface CopyLineProps {
  what: 'address' | 'frame';
  formName: string;
  text: string;
  children: ReactNode;
}

/** A line with a button that copies it. */
function CopyLine({ what, formName, text, children }: CopyLineProps) {
  const done = what === 'address' ? 'Address copied' : 'Frame copied';
  return (
    <p className="flex items-center gap-1 text-sm">
      {children}
      <IconButton
        label={`Copy the ${what} of ${formName}`}
        icon={Copy}
        variant="quiet"
        size="small"
        onClick={() => void copyToClipboard(text, done)}
      />
    </p>
  );
}

type Inputs = Omit<IntakeSettings, 'sources'> & { sources: string };

const toInputs = (settings: IntakeSettings): Inputs => ({
  ...settings,
  sources: settings.sources.join('\n'),
});
const toBody = (inputs: Inputs): IntakeSettings => ({
  ...inputs,
  sources: linesOf(inputs.sources),
});

const resolver: Resolver<Inputs> = (values) => {
  const { success, error } = IntakeSettingsSchema.safeParse(toBody(values));
  if (success) return { values, errors: {} };
  const errors = {};
  for (const { path, message } of error.issues) {
    const place = path[0] === 'sources' ? 'sources' : path.join('.');
    set(errors, place, { type: 'check', message });
  }
  return { values: {}, errors };
};

interface SettingsFormProps {
  settings: IntakeSettings;
  onSaved: () => void;
  /** Whether there is something to save; stays the same function. */
  onDirty: (isDirty: boolean) => void;
}

/** Settings: the time to respond, how long declined intakes are kept, sources, and letters. */
function SettingsForm({ settings, onSaved, onDirty }: SettingsFormProps) {
  const { form, submit, isBusy } = useSave<Inputs, Inputs>(
    resolver,
    toInputs(settings),
    async (values, _, form) => {
      const body = toBody(values);
      await changeSettings({ body });
      resetToSaved(form, values, toInputs(body));
      onSaved();
    },
  );
  const { reset } = form;
  useEffect(() => reset(toInputs(settings), { keepDirtyValues: true }), [settings, reset]);
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const letters = useFieldArray({ control: form.control, name: 'templates' });
  return (
    <form noValidate onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          form={form}
          name="responseMinutes"
          label="Minutes to respond"
          hint="After this, an inquiry counts as overdue."
          inputMode="numeric"
        />
        <NumberField
          form={form}
          name="keepMonths"
          label="Months to keep"
          hint="Declined intakes are then erased, except what conflict checks need."
          inputMode="numeric"
        />
        <TextAreaField form={form} name="sources" label="Sources" hint="One per line." rows={5} />
      </div>
      <h3 className="mt-6 mb-1 font-semibold">Letters</h3>
      <p className="mb-3 text-sm text-ink-2">
        {'{name}, {firm}, {date} and {about} are filled in when a letter is written.'}
      </p>
      <ul aria-label="Letters" className="border-t border-line empty:hidden">
        {letters.fields.map(({ id }, index) => (
          <li key={id} className="grid gap-3 border-b border-line py-4 sm:grid-cols-2">
            <TextField form={form} name={`templates.${index}.name`} label="Letter" />
            <div className="flex items-end gap-2">
              <TextField
                form={form}
                name={`templates.${index}.subject`}
                label="Subject"
                className="grow"
              />
              <IconButton
                label={`Remove letter ${index + 1}`}
                icon={Trash2}
                variant="quiet"
                onClick={() => letters.remove(index)}
              />
            </div>
            <TextAreaField
              form={form}
              name={`templates.${index}.text`}
              label="Text"
              rows={5}
              wide
            />
          </li>
        ))}
      </ul>
      <Button
        icon={Plus}
        className="mt-3"
        onClick={() => letters.append({ name: '', subject: '', text: '' })}
      >
        Add a letter
      </Button>
      <div className="mt-6 flex flex-wrap items-center gap-3 border-t border-line pt-4">
        <Button type="submit" variant="primary" busy={isBusy}>
          Save settings
        </Button>
        {isDirty && !isBusy && (
          <Button onClick={() => reset(toInputs(settings))}>Discard changes</Button>
        )}
        {isDirty && <p className="text-note text-ink-2">Not saved yet</p>}
      </div>
    </form>
  );
}
