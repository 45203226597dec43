import {
  type Check,
  conflictRoutes as routes,
  alertRoutes,
} from '@matterdesk/contract/conflicts.ts';
import { intakeChecked } from '../../core/intake-check.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { alertsChanged, checksChanged } from './slice.ts';

const refreshChecks = ({ check: { subject } }: { check: Check }) => {
  store.dispatch(checksChanged());
  // The server's event reaches the other tabs alone.
  if (subject?.kind === 'intakes') store.dispatch(intakeChecked(subject.id));
};

export const runCheck = mutation(routes.runCheck, 'Couldn’t run the check', {
  done: refreshChecks,
});
export const decideHits = mutation(routes.decideHits, 'Couldn’t save the decision', {
  done: refreshChecks,
});
export const concludeCheck = mutation(routes.concludeCheck, 'Couldn’t conclude the check', {
  done: refreshChecks,
});
export const rerunCheck = mutation(routes.rerunCheck, 'Couldn’t run the check again', {
  done: refreshChecks,
});

export const decideAlert = mutation(alertRoutes.decideAlert, 'Couldn’t save the decision', {
  done: () => store.dispatch(alertsChanged()),
});
