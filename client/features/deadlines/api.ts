import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { deadlineRoutes as routes } from '@matterdesk/contract/deadlines.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { courtList, deadlineChanged, mattersChanged, proposalChanged } from './slice.ts';

export const refreshDeadline = ({ id }: { id: string }) => store.dispatch(deadlineChanged(id));

export const addDeadline = mutation(routes.addDeadline, 'Couldn’t add the deadline', {
  done: refreshDeadline,
});

/** Silent: a different date is shown under its field. */
export const verifyDate = mutation(routes.verifyDeadline, 'Couldn’t verify the date', {
  toasts: 'none',
  done: refreshDeadline,
});

export const acknowledge = mutation(
  routes.acknowledgeDeadline,
  'Couldn’t acknowledge the warning',
  { done: refreshDeadline },
);

/** Changes what is not the date, or corrects a hard date that is not verified. */
export const changeDeadline = mutation(routes.changeDeadline, 'Couldn’t save the deadline', {
  done: refreshDeadline,
});

/** Saves the deadlines of a matter with their histories as PDF among its files. */
export const exportDeadlines = mutation(routes.exportDeadlines, 'Couldn’t export the deadlines');

export const proposeChange = mutation(routes.proposeChange, 'Couldn’t save the change', {
  done: refreshDeadline,
});
export const decideChange = mutation(routes.decideChange, 'Couldn’t save the decision', {
  done: refreshDeadline,
});

/** Says why a matter has no statute date. */
export const declineStatute = mutation(caseRoutes.declineStatute, 'Couldn’t save the reason', {
  done: () => store.dispatch(mattersChanged()),
});

export const decideProposal = mutation(
  proposalRoutes.decideProposal,
  'Couldn’t save the decision',
  {
    done({ items }) {
      store.dispatch(proposalChanged());
      for (const { deadline } of items) refreshDeadline(deadline);
    },
  },
);

export const applyRule = mutation(proposalRoutes.applyRule, 'Couldn’t add the deadlines', {
  done: ({ deadlines }) => deadlines.forEach(refreshDeadline),
});

const courtsChanged = { done: () => store.dispatch(courtList.invalidated()) };
const ruleUnsaved = 'Couldn’t save the rule';
const jurisdictionUnsaved = 'Couldn’t save the jurisdiction';

export const addRule = mutation(courtRuleRoutes.addRule, ruleUnsaved, courtsChanged);
export const changeRule = mutation(courtRuleRoutes.changeRule, ruleUnsaved, courtsChanged);
export const signRule = mutation(
  courtRuleRoutes.changeRule,
  'Couldn’t sign the rule',
  courtsChanged,
);
export const addJurisdiction = mutation(
  courtRuleRoutes.addJurisdiction,
  jurisdictionUnsaved,
  courtsChanged,
);
export const changeJurisdiction = mutation(
  courtRuleRoutes.changeJurisdiction,
  jurisdictionUnsaved,
  courtsChanged,
);
