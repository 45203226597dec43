import { lazy, Suspense, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { AccountNote, OtherAccount } from './AccountNote.tsx';
import { MailSections } from './MailSections.tsx';
import { useAccount } from './use-account.ts';
import type { ShownList } from './use-mail-list.ts';

const DisconnectDialog = lazy(async () => ({
  default: (await import('./DisconnectDialog.tsx')).DisconnectDialog,
}));

interface SectionsPaneProps {
  list: ShownList;
  /** On a phone the open mail covers it. */
  isBehind: boolean;
  onCompose: () => void;
  onRefresh: () => void;
}

/** Where to look, and whose mailbox it is: a column, or a strip where there is less room. */
export function SectionsPane(props: SectionsPaneProps) {
  const { list, isBehind, onCompose, onRefresh } = props;
  const account = useAccount();
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => setIsLeaving(true);
  return (
    <div
      className={cx(
        'flex min-w-0 flex-col gap-2 px-3 pt-3 @2xl:border-r @2xl:border-line @5xl:gap-6 @5xl:pt-6',
        isBehind && '@max-2xl:invisible',
      )}
    >
      <MailSections section={list.query.section} onCompose={onCompose} />
      <OtherAccount account={account} onDisconnect={leave} />
      <AccountNote account={account} list={list} onRefresh={onRefresh} onDisconnect={leave} />
      <Suspense>
        {isLeaving && (
          <DisconnectDialog email={account.email} onClose={() => setIsLeaving(false)} />
        )}
      </Suspense>
    </div>
  );
}
