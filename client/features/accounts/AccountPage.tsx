import { readDemand } from './api.factors.ts';
import { useRead } from './components/use-read.ts';
import { demandInWords, isDemanded } from './rules.factors.ts';
import { currentUser } from '../../core/current-user.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { AccountDevices } from './components/AccountDevices.tsx';
import { AccountPassword } from './components/AccountPassword.tsx';
import { AccountProfile } from './components/AccountProfile.tsx';
import { AccountSection } from './components/AccountSection.tsx';
import { AccountTotp } from './components/AccountTotp.tsx';

/** The signed-in user's own account. */
export function AccountPage() {
  const current = useAppSelector((state) => state.user.current);
  const dispatch = useAppDispatch();
  const { data: demand } = useRead(readDemand);
  if (!current) return null;
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
            isLocked={isDemanded(demand, current.role)}
            onChanged={() => void dispatch(currentUser.refresh('me'))}
          />
        </AccountSection>
        <AccountSection title="Devices" hint="Where you are signed in.">
          <AccountDevices />
        </AccountSection>
      </div>
    </>
  );
}
