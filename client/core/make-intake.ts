import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import { useNavigate } from 'react-router';
import { paths } from './paths.ts';
import { useAttempt } from './use-attempt.ts';

/** One of the user's mails, or their texts with a number. */
export type IntakeOrigin = { fromMail: string } | { fromNumber: string; name?: string };
export type MakeIntake = (from: IntakeOrigin, idempotencyKey: string) => Promise<{ id: string }>;

interface MadeIntakeProps {
  /** An email address or a phone number; empty for none. */
  address: string;
  /** When a mail came, as ISO 8601: later intakes are of it, closed ones too. */
  since?: string;
  /** @param id of the intake; null without one */
  children: (id: string | null) => ReactNode;
}
/** Finds the intake that someone who wrote has already. */
export type MadeIntake = ComponentType<MadeIntakeProps>;

/** Pages provide it to features that cannot import intakes. */
export const IntakesContext = createContext<{ make: MakeIntake; Made: MadeIntake } | null>(null);

/** Makes an intake and opens it; null where intakes are not at hand. */
export function useMakeIntake() {
  const intakes = useContext(IntakesContext);
  const { isBusy, attempt } = useAttempt();
  const navigate = useNavigate();
  if (!intakes) return null;
  const make = (from: IntakeOrigin) =>
    void attempt(from, async (key) => {
      const { id } = await intakes.make(from, key);
      await navigate(paths.intake(id));
    });
  return { isBusy, make, Made: intakes.Made };
}
