import { currentUser } from '../../core/current-user.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { readDemand } from './api.factors.ts';
import { listPasskeys } from './api.passkeys.ts';
import { AccountDevices } from './components/AccountDevices.tsx';
import { AccountNotices } from './components/AccountNotices.tsx';
import { AccountPasskeys } from './components/AccountPasskeys.tsx';
import { AccountPassword } from './components/AccountPassword.tsx';
import { AccountProfile } from './components/AccountProfile.tsx';
import { AccountSection } from './components/AccountSection.tsx';
import { AccountTotp } from './components/AccountTotp.tsx';
import { useRead } from '../../core/use-read.ts';
import { demandInWords, isDemanded } from './rules.factors.ts';

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
        <AccountSection
          title="Notices"
          hint="Reminders, warnings of deadlines, and what the day brings."
        >
          <AccountNotices />
        </AccountSection>
        <AccountSection title="Devices" hint="Where you are signed in.">
          <AccountDevices />
        </AccountSection>
      </div>
    </>
  );
}
