import type { CalendarSettingsPatch } from '@matterdesk/contract/notices.ts';
import { useState } from 'react';
import { useRead } from '../../../core/use-read.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { changeSettings, readSettings } from '../api.notices.ts';

/** What the user receives of the calendar, and whether by e-mail too; each choice is saved at once. */
export function AccountNotices() {
  const { data, isFailed, refresh } = useRead(readSettings);
  const [chosen, setChosen] = useState<CalendarSettingsPatch>({});
  if (isFailed && !data)
    return <ErrorState title="Couldn’t load the settings" busy={false} onRetry={refresh} />;
  if (!data) return <Skeleton className="h-11 w-full" />;
  const shown = { ...data, ...chosen };
  const choose = (patch: CalendarSettingsPatch) => {
    setChosen({ ...chosen, ...patch });
    changeSettings(patch).catch(() => setChosen(chosen));
  };
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Digest each morning"
        hint="Your day at a glance, every weekday. Weekends only when something is due."
        checked={shown.digest}
        onChange={({ target }) => choose({ digest: target.checked })}
      />
      <Checkbox
        label="E-mail me my notices"
        hint="By the firm’s mail, or else from your own Google account to yourself."
        checked={shown.mail}
        onChange={({ target }) => choose({ mail: target.checked })}
      />
    </div>
  );
}
