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
  /** Whether an open mail covers it, as on a phone. */
  isBehind: boolean;
  onCompose: () => void;
  onRefresh: () => void;
}

/** The sections and the mailbox's address, as a column or, on narrow screens, a row. */
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
