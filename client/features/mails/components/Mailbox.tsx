import MailOpen from 'lucide-react/icons/mail-open';
import { type ReactNode, useRef } from 'react';
import { cx } from '../../../ui/cx.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { useSearchText } from '../../../ui/use-search-text.ts';
import { AccountNote } from './AccountNote.tsx';
import { MailListState } from './MailListState.tsx';
import { MailReader } from './MailReader.tsx';
import { MailRows } from './MailRows.tsx';
import { MailSections, sectionNames } from './MailSections.tsx';
import { StaleMails } from './StaleMails.tsx';
import { useMail } from './use-mail.ts';
import { useMailKeys } from './use-mail-keys.ts';
import { useMailList } from './use-mail-list.ts';
import { LONGEST_SEARCH, useMailboxAddress } from './use-mailbox-address.ts';

const NONE: readonly string[] = [];

/** Sections, list and reader: three panes, two, or one screen after the other, as there is room. */
export function Mailbox() {
  const { query, mail: open, find, open: openMail, close } = useMailboxAddress();
  const { list, refresh, reach } = useMailList(query);
  const [text, setText] = useSearchText(query.search, find);
  const box = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLDivElement>(null);
  const show = useRef<(index: number) => void>(() => undefined);
  const compose = () => undefined;
  const { active, setActive, goTo } = useMailKeys({
    ids: list?.ids ?? NONE,
    open,
    box,
    show,
    onOpen: openMail,
    actions: {
      '/': () => search.current?.querySelector('input')?.focus(),
      ...(open !== null && { u: () => handleBack(), Escape: () => handleBack() }),
    },
  });
  const mail = useMail(open, close);
  const handleBack = () => {
    close();
    if (open !== null) goTo(open);
  };
  const hasNoRows =
    list?.status === 'failed' || (list?.status === 'ready' && list.ids.length === 0);
  return (
    <div className="@container h-full">
      <div className="grid h-full grid-cols-1 grid-rows-[auto_minmax(0,1fr)] @2xl:grid-cols-[20rem_minmax(0,1fr)] @5xl:grid-cols-[172px_340px_minmax(0,1fr)] @5xl:grid-rows-1">
        <Pane
          isBehind={open !== null}
          className="flex flex-col gap-2 px-3 pt-3 @2xl:border-r @2xl:border-line @5xl:gap-6 @5xl:pt-6"
        >
          <MailSections section={query.section} onCompose={compose} />
          <AccountNote list={list} onRefresh={refresh} />
        </Pane>
        <Pane
          isBehind={open !== null}
          className="flex min-h-0 flex-col @2xl:border-r @2xl:border-line"
        >
          <div ref={search} className="border-b border-line px-4 py-3 @5xl:pt-5">
            <SearchInput
              value={text}
              onChange={setText}
              placeholder="Search mail"
              maxLength={LONGEST_SEARCH}
              aria-keyshortcuts="/"
            />
          </div>
          {list && !hasNoRows && list.failure !== null && (
            <StaleMails failure={list.failure} onRetry={refresh} />
          )}
          <div ref={box} className="min-h-0 grow overflow-y-auto overscroll-contain">
            {hasNoRows && list ? (
              <MailListState
                list={list}
                query={query}
                onRetry={refresh}
                onClear={() => setText('')}
                onCompose={compose}
              />
            ) : (
              <MailRows
                list={list}
                label={sectionNames[query.section]}
                box={box}
                open={open}
                active={active}
                onOpen={(id) => {
                  setActive(id);
                  openMail(id);
                }}
                reach={reach}
                show={show}
              />
            )}
          </div>
        </Pane>
        <div
          className={cx(
            'row-span-2 min-h-0 min-w-0 overflow-y-auto @2xl:col-start-2 @2xl:row-start-1 @5xl:col-start-3 @5xl:row-span-1',
            open === null && '@max-2xl:hidden',
          )}
        >
          {open === null ? <NothingOpen /> : <MailReader mail={mail} onBack={handleBack} />}
        </div>
      </div>
    </div>
  );
}

/** On a phone the open mail covers it. */
function Pane(props: { isBehind: boolean; className: string; children: ReactNode }) {
  return (
    <div className={cx('min-w-0', props.className, props.isBehind && '@max-2xl:hidden')}>
      {props.children}
    </div>
  );
}

function NothingOpen() {
  return (
    <div className="grid h-full place-items-center p-6 text-ink-3">
      <p className="flex items-center gap-2">
        <MailOpen /> Select a mail to read it here
      </p>
    </div>
  );
}
