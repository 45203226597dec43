import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { type ReactNode, useState } from 'react';
import type { Role, CurrentUser } from '@matterdesk/contract/accounts.ts';
import type { Session } from '@matterdesk/contract/devices.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';
import { type CalendarSettingsPatch, noticeRoutes } from '@matterdesk/contract/notices.ts';
import { PasswordChangeSchema } from '@matterdesk/contract/passwords.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { deviceInWords, isPhone, machineInWords } from '../../core/device.ts';
import { PasswordField } from '../../core/fields.tsx';
import { useSave } from '../../core/form.ts';
import { fullName } from '../../core/full-name.ts';
import { mutation } from '../../core/mutation.ts';
import { currentUser } from '../../core/people.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { readQuietly, useRead } from '../../core/use-read.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { formatDay, localDay } from '../../ui/days.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { changePassword, endOtherSessions, endSession, listSessions } from './api.access.ts';
import { readDemand, listPasskeys } from './api.factors.ts';
import { AccountPasskeys } from './components/AccountPasskeys.tsx';
import { AccountTotp } from './components/AccountTotp.tsx';
import { personReceived } from './slice.ts';

/** The signed-in user's own account. */
export function AccountPage() {
  const current = useAppSelector((state) => state.user.current);
  const dispatch = useAppDispatch();
  const { data: demand } = useRead(readDemand);
  const passkeys = useRead(listPasskeys);
  if (!current) return null;
  const isLocked = isDemanded(demand, current.role);
  const refresh = () => void dispatch(currentUser.refresh('me'));
  return (
    <>
      <PageHeader title="Account" />
      <div className="px-4 pt-5 pb-9 sm:px-9">
        <AccountSection title="Profile" hint="Your email is what you sign in with.">
          <AccountProfile person={current} />
        </AccountSection>
        <AccountSection title="Password" hint="Changing it signs you out on all other devices.">
          <AccountPassword />
        </AccountSection>
        <AccountSection title="Second factor" hint={demandInWords(demand)}>
          <AccountTotp
            current={current}
            isLocked={isLocked && !passkeys.data?.length}
            onChanged={refresh}
          />
        </AccountSection>
        <AccountSection
          title="Passkeys"
          hint="Sign in with a fingerprint, a face, or a security key."
        >
          <AccountPasskeys
            {...passkeys}
            isLocked={isLocked && current.secondFactor !== 'totp'}
            onChanged={refresh}
          />
        </AccountSection>
        <AccountSection title="Notices" hint="Reminders, deadline warnings, and your daily digest.">
          <AccountNotices />
        </AccountSection>
        <AccountSection title="Devices" hint="Where you are signed in.">
          <AccountDevices />
        </AccountSection>
      </div>
    </>
  );
}

type Demand = Firm['secondFactor'] | undefined;

/** Hint about the firm's two-factor requirement; the general one until the requirement has loaded. */
function demandInWords(demand: Demand): string {
  if (demand !== 'admins' && demand !== 'everyone')
    return 'With an authenticator app, a stolen password alone isn’t enough to sign in.';
  return `Required of ${demand}. A passkey counts; an app helps where a passkey does not work.`;
}

function isDemanded(demand: Demand, role: Role): boolean {
  return demand === 'everyone' || (demand === 'admins' && role === 'admin');
}

interface AccountSectionProps {
  title: string;
  hint: string;
  children: ReactNode;
}

/** A part of the account: its name and a line about it at the left, its controls at the right. */
function AccountSection({ title, hint, children }: AccountSectionProps) {
  return (
    <section className="grid gap-x-10 gap-y-3 border-t border-line py-4 lg:grid-cols-[14.75rem_minmax(0,1fr)]">
      <div>
        <h2 className="text-heading font-semibold">{title}</h2>
        <p className="mt-0.5 text-note text-ink-2">{hint}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

async function readSettings() {
  return (await readQuietly(noticeRoutes.readSettings)).settings;
}

const changeSettings = mutation(noticeRoutes.changeSettings, 'Couldn’t save the settings');

/** Calendar notification settings, including email; each choice is saved at once. */
function AccountNotices() {
  const { data, isFailed, refresh } = useRead(readSettings);
  const [chosen, setChosen] = useState<CalendarSettingsPatch>({});
  if (isFailed && !data)
    return <ErrorState title="Couldn’t load the settings" busy={false} onRetry={refresh} />;
  if (!data) return <Skeleton className="h-11 w-full" />;
  const shown = { ...data, ...chosen };
  const choose = (patch: CalendarSettingsPatch) => {
    setChosen({ ...chosen, ...patch });
    changeSettings({ body: patch }).catch(() => setChosen(chosen));
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
        label="Email me my notices"
        hint="Sent by the firm’s mail server or, without one, from your own Google account."
        checked={shown.mail}
        onChange={({ target }) => choose({ mail: target.checked })}
      />
    </div>
  );
}

const EditUser = lazyNamed(() => import('./components/EditUser.tsx'), 'EditUser');

/** The user's name, address and phone number. */
function AccountProfile({ person }: { person: CurrentUser }) {
  const dispatch = useAppDispatch();
  const [isEditing, setIsEditing] = useState(false);
  const fields = [
    ['Name', fullName(person)],
    ['Email', person.email],
    ['Phone', person.phoneNumber],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <dl className="grid grow gap-x-6 gap-y-2 sm:grid-cols-3">
        {fields.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={() => setIsEditing(true)}>Edit profile</Button>
      {isEditing && (
        <EditUser
          person={person}
          isByAdmin={person.role === 'admin'}
          isByManager={person.permissions.manageUsers}
          mayTake
          onClose={() => setIsEditing(false)}
          onChanged={(changed) => {
            dispatch(personReceived(changed));
            setIsEditing(false);
          }}
        />
      )}
    </div>
  );
}

/** Changes the user's own password. */
function AccountPassword() {
  const blank = { currentPassword: '', newPassword: '' };
  const { form, submit, isBusy } = useSave(PasswordChangeSchema, blank, async (values, _, form) => {
    await changePassword({ body: values });
    form.reset();
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <PasswordField
        form={form}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
        className="min-w-56 flex-1"
      />
      <PasswordField
        form={form}
        name="newPassword"
        label="New password"
        hint={errors.newPassword ? undefined : 'At least 8 characters, and not a common password'}
        autoComplete="new-password"
        className="min-w-56 flex-1"
      />
      <Button type="submit" busy={isBusy} className="sm:mt-[25px]">
        Change password
      </Button>
    </form>
  );
}

/** The user's sessions. All but this one can be ended. */
function AccountDevices() {
  const { data, isFailed, refresh } = useRead(listSessions);
  const [ending, setEnding] = useState<string>();
  const end = (what: string, work: () => Promise<unknown>) => {
    setEnding(what);
    const done = () => {
      setEnding(undefined);
      refresh();
    };
    work().then(done, done);
  };
  if (isFailed && !data)
    return <ErrorState title="Couldn’t load the devices" busy={false} onRetry={refresh} />;
  if (!data) return <Skeleton className="h-11 w-full" />;
  return (
    <>
      <ul className="divide-y divide-line">
        {data.toSorted(currentFirst).map((session) => (
          <Device
            key={session.id}
            session={session}
            isEnding={ending === session.id}
            onEnd={() => end(session.id, () => endSession({ params: { id: session.id } }))}
          />
        ))}
      </ul>
      {data.length > 1 && (
        <Button
          className="mt-2"
          busy={ending === 'others'}
          onClick={() => end('others', endOtherSessions)}
        >
          End all other sessions
        </Button>
      )}
    </>
  );
}

function currentFirst(one: Session, other: Session): number {
  return Number(other.current) - Number(one.current);
}

interface DeviceProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

function Device({ session, isEnding, onEnd }: DeviceProps) {
  const { agent, address, current, createdAt, lastSeenAt } = session;
  const Icon = isPhone(agent) ? Smartphone : Monitor;
  const day = (at: string) => formatDay(localDay(new Date(at)), 'short');
  const time = current ? `since ${day(createdAt)}` : `active ${day(lastSeenAt)}`;
  const name = deviceInWords(agent);
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <Icon className="flex-none" />
      <p className="min-w-0 grow">
        <span className="font-medium">{name}</span>{' '}
        <span className="text-note text-ink-2 tabular-nums">
          {[machineInWords(address), time].filter(Boolean).join(' · ')}
        </span>
      </p>
      {current ? (
        <Chip tone="accent">This device</Chip>
      ) : (
        <Button size="small" busy={isEnding} onClick={onEnd} aria-label={`End session of ${name}`}>
          End session
        </Button>
      )}
    </li>
  );
}
