import './pages.css';
import { useNavigate } from 'react-router';
import { paths } from '../core/paths.ts';
import { currentUser } from '../core/people.ts';
import { useAppDispatch, useAppSelector } from '../core/store.ts';
import { useRead } from '../core/use-read.ts';
import { listPasskeys } from '../features/accounts/api.factors.ts';
import { AccountPasskeys } from '../features/accounts/components/AccountPasskeys.tsx';
import { AccountTotp } from '../features/accounts/components/AccountTotp.tsx';
import { SignInLayout } from '../features/accounts/components/SignInLayout.tsx';
import { signOut } from './session.ts';

/** All that a user sees until they have the second factor that the firm demands. */
export function EnrolPage() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const current = useAppSelector((state) => state.user.current);
  const passkeys = useRead(listPasskeys);
  if (!current) return null;
  const proceed = async () => {
    await dispatch(currentUser.refresh('me'));
    await navigate(paths.dashboard, { replace: true });
  };
  return (
    <SignInLayout
      title="Set up a second factor"
      aside={
        <>
          Your firm requires one.{' '}
          <button type="button" className="link" onClick={() => void signOut()}>
            Logout
          </button>
        </>
      }
    >
      <h2 className="mt-7 font-semibold">Authenticator app</h2>
      <p className="mt-1 mb-3 text-ink-2">
        Shows a code on your telephone, which you enter beside your password.
      </p>
      <AccountTotp current={current} onChanged={() => void proceed()} />
      <h2 className="mt-6 font-semibold">Passkey</h2>
      <p className="mt-1 text-ink-2">Your fingerprint, your face, or a security key.</p>
      <AccountPasskeys {...passkeys} onChanged={() => void proceed()} />
    </SignInLayout>
  );
}
