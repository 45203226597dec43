import { createContext, useContext } from 'react';
import { useNavigate } from 'react-router';
import { paths } from './paths.ts';
import { useAttempt } from './use-attempt.ts';

/** One of the user's mails, or their texts with a number. */
export type IntakeOrigin = { fromMail: string } | { fromNumber: string; name?: string };
export type MakeIntake = (from: IntakeOrigin, idempotencyKey: string) => Promise<{ id: string }>;

/** Pages provide it to features that cannot import intakes. */
export const MakeIntakeContext = createContext<MakeIntake | null>(null);

/** Makes an intake and opens it; null where intakes are not at hand. */
export function useMakeIntake(): { isBusy: boolean; make: (from: IntakeOrigin) => void } | null {
  const makeIntake = useContext(MakeIntakeContext);
  const { isBusy, attempt } = useAttempt();
  const navigate = useNavigate();
  if (!makeIntake) return null;
  const make = (from: IntakeOrigin) =>
    void attempt(from, async (key) => {
      const { id } = await makeIntake(from, key);
      await navigate(paths.intake(id));
    });
  return { isBusy, make };
}
