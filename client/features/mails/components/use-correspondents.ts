import type { MailboxAddress } from '@matterdesk/contract/mails.ts';
import { useCallback } from 'react';
import { useStore } from 'react-redux';
import { peopleOf } from '../../../core/people.ts';
import type { RootState } from '../../../core/store.ts';

/** Whoever one may want to write to, as far as this page knows them: correspondents, colleagues, parties. */
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
    ...peopleOf(state).map((one) => ({
      name: `${one.firstName} ${one.lastName}`,
      email: one.email,
    })),
    ...Object.values(cases.entities).flatMap((one) => [one.clientInfo, one.opposingCounselInfo]),
  ];
}
