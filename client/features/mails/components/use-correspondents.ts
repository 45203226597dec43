import type { MailboxAddress } from '@matterdesk/contract/mails.ts';
import { useCallback } from 'react';
import { useStore } from 'react-redux';
import { peopleOf } from '../../../core/people.ts';
import type { RootState } from '../../../core/store.ts';

/** The likely recipients that are already loaded: correspondents, colleagues, and parties of cases. */
export function useCorrespondents(): () => MailboxAddress[] {
  const store = useStore<RootState>();
  return useCallback(() => correspondentsOf(store.getState()), [store]);
}

function correspondentsOf(state: RootState): MailboxAddress[] {
  const { mails, cases } = state;
  return [
    ...Object.values(mails.lists).flatMap(
      ({ data }) => data?.mails.flatMap(({ from, to }) => [to, from]) ?? [],
    ),
    ...peopleOf(state).map(({ firstName, lastName, email }) => ({
      name: `${firstName} ${lastName}`,
      email,
    })),
    ...Object.values(cases.entities).flatMap((item) => [item.clientInfo, item.opposingCounselInfo]),
  ];
}
