import type { IntakeForm } from '@matterdesk/contract/intake-forms.ts';
import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useState } from 'react';
import type { Location } from 'react-router';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { readSettings } from '../api.ts';
import { readForms } from '../api.forms.ts';
import { FormRow } from './FormRow.tsx';
import { SettingsForm } from './SettingsForm.tsx';

const FormDialog = lazy(async () => ({
  default: (await import('./FormDialog.tsx')).FormDialog,
}));

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
          New Form
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
      {/* What the forms would push away appears after them. */}
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
        <Suspense fallback={null}>
          <FormDialog
            form={editing === 'new' ? null : editing}
            onClose={close}
            onDirty={setIsFormDirty}
            onSaved={() => {
              close();
              forms.refresh();
            }}
          />
        </Suspense>
      )}
      <LeaveQuestion isDirty={isFormDirty || areSettingsDirty} placeOf={placeOf} />
    </div>
  );
}
