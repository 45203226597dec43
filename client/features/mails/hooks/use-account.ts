import { useAppSelector } from '../../../core/store.ts';

export type Account = {
  /** The connected address, and the user's own. */
  email: string;
  own: string;
  isAnother: boolean;
};

/** The Google account that the user has connected. */
export function useAccount(): Account {
  const current = useAppSelector(({ user }) => user.current);
  const own = current?.email ?? '';
  const email = current?.googleEmail ?? own;
  return { email, own, isAnother: email.toLowerCase() !== own.toLowerCase() };
}
