import { useNavigate } from 'react-router';
import { currentUser } from '../core/current-user.ts';
import { paths } from '../core/paths.ts';
import { useAppDispatch, useAppSelector } from '../core/store.ts';
import { AccountTotp } from '../features/accounts/components/AccountTotp.tsx';
import { WayIn } from '../features/accounts/components/WayIn.tsx';
import { signOut } from './session.ts';

/** All that a user sees until they have the second factor that the firm demands. */
export function EnrolPage() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const current = useAppSelector((state) => state.user.current);
  if (!current) return null;
  const proceed = async () => {
    await dispatch(currentUser.refresh('me'));
    await navigate(paths.dashboard, { replace: true });
  };
  return (
    <WayIn
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
      <p className="mt-7 mb-4">
        An authenticator app on your telephone shows a code for each sign-in. You need it beside
        your password from now on.
      </p>
      <AccountTotp current={current} onChanged={() => void proceed()} />
    </WayIn>
  );
}
